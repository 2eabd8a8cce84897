// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

/// Converts audio to another format: other channels, another sample rate, another type of samples.
@safe
final class AudioConverter {
  private let target: AudioFormat
  private let ownedContext: Owner<OpaquePointer>
  private var context: OpaquePointer { unsafe ownedContext.pointer }

  /// - Parameter mix: for each channel of the target, a coefficient for each channel of the source;
  ///   `nil` if channels are not mixed.
  init(
    from source: AudioFormat, to target: AudioFormat, mix: [[Double]]? = nil
  ) throws(LibAVError) {
    self.target = target
    var (inner, outer) = unsafe (AVChannelLayout(), AVChannelLayout())
    unsafe source.layout.write(to: &inner)
    unsafe target.layout.write(to: &outer)
    var created: OpaquePointer? = nil
    let code = unsafe swr_alloc_set_opts2(
      &created, &outer, target.samples, Int32(clamping: target.sampleRate), &inner, source.samples,
      Int32(clamping: source.sampleRate), 0, nil)
    unsafe av_channel_layout_uninit(&inner)
    unsafe av_channel_layout_uninit(&outer)
    try check(code, "swr_alloc_set_opts2")
    guard let created = unsafe created else {
      throw LibAVError("swr_alloc_set_opts2", candela_averror_enomem())
    }
    unsafe ownedContext = unsafe Owner(created) {
      var context: OpaquePointer? = unsafe $0
      unsafe swr_free(&context)
    }
    let pointer = unsafe UnsafeMutableRawPointer(context)
    // Without added noise, rounding to 16 bits would turn the quietest sounds into distortion.
    if source.isDeep && !target.isDeep {
      _ = unsafe av_opt_set(pointer, "dither_method", "triangular", 0)
    }
    if source.sampleRate != target.sampleRate {
      // libswresample's usual length is 32. A filter of twice that length is steeper and keeps more
      // of the highest tones than the usual filter.
      _ = unsafe av_opt_set_int(pointer, "filter_size", 64, 0)
    }
    if let mix {
      // Set the matrix before `swr_init`, which would otherwise make its own.
      let row = mix.first?.count ?? 0
      try unsafe check(swr_set_matrix(context, mix.flatMap(\.self), Int32(row)), "swr_set_matrix")
    }
    try unsafe check(swr_init(context), "swr_init")
  }

  /// Converts samples. Pass `nil` to get the samples that were held back. After that, nothing can
  /// be converted.
  func convert(_ buffer: AudioBuffer?) throws(LibAVError) -> AudioBuffer {
    let room = try unsafe check(
      swr_get_out_samples(context, Int32(clamping: buffer?.sampleCount ?? 0)),
      "swr_get_out_samples")
    // Make room for one sample more, because an empty buffer has no memory that libswresample could
    // write to.
    let converted = try AudioBuffer(target, count: Int(room) + 1)
    let count = try unsafe check(
      candela_swr_convert_frame(context, converted.frame, buffer?.frame), "swr_convert")
    return try converted.part(0..<Int(count))
  }
}

extension AudioFormat {
  var isDeep: Bool { av_get_bytes_per_sample(samples) > 2 }
}
