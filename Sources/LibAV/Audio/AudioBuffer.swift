// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

/// The format of audio samples in memory.
package struct AudioFormat: Hashable, Sendable {
  /// The sample rate in Hz.
  package var sampleRate: Int
  /// The channels in the order in which they are stored.
  package var layout: ChannelLayout
  /// FFmpeg's number for the type of a sample.
  var samples: AVSampleFormat

  init(sampleRate: Int, layout: ChannelLayout, samples: AVSampleFormat) {
    self.sampleRate = sampleRate
    self.layout = layout
    self.samples = samples
  }

  /// Makes a format of floating point samples from −1 to 1, with an array for each channel.
  package init(sampleRate: Int, layout: ChannelLayout) {
    self.init(sampleRate: sampleRate, layout: layout, samples: AV_SAMPLE_FMT_FLTP)
  }
}

/// A run of uncompressed audio samples. They are written once and then only read.
@safe
package struct AudioBuffer: Sendable {
  package let format: AudioFormat

  private let shared: SharedObject<AVFrame>
  var frame: UnsafeMutablePointer<AVFrame> { unsafe shared.pointer }

  /// The number of samples of each channel.
  package var sampleCount: Int { unsafe Int(max(frame.pointee.nb_samples, 0)) }

  /// Takes over the samples that a decoder put into a frame.
  init(_ owner: Owner<UnsafeMutablePointer<AVFrame>>) {
    unsafe shared = SharedObject(owner)
    let frame = unsafe owner.pointer
    format = unsafe AudioFormat(
      sampleRate: Int(frame.pointee.sample_rate), layout: ChannelLayout(frame.pointee.ch_layout),
      samples: AVSampleFormat(frame.pointee.format))
  }

  /// Allocates memory for samples, which the caller fills.
  init(_ format: AudioFormat, count: Int) throws(LibAVError) {
    self.format = format
    unsafe shared = SharedObject(try .frame())
    unsafe frame.pointee.nb_samples = Int32(clamping: count)
    unsafe frame.pointee.format = format.samples.rawValue
    unsafe frame.pointee.sample_rate = Int32(clamping: format.sampleRate)
    unsafe format.layout.write(to: &frame.pointee.ch_layout)
    // `av_frame_get_buffer` refuses a frame without samples as an invalid argument.
    if count > 0 { try unsafe check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer") }
  }

  package static func silence(
    _ format: AudioFormat, count: Int
  ) throws(LibAVError) -> AudioBuffer {
    let buffer = try AudioBuffer(format, count: count)
    unsafe av_samples_set_silence(
      buffer.frame.pointee.extended_data, 0, Int32(clamping: count), buffer.channelCount,
      format.samples)
    return buffer
  }

  private var channelCount: Int32 { Int32(clamping: format.layout.channelCount) }

  /// Returns a copy of some of the samples.
  package func part(_ range: Range<Int>) throws(LibAVError) -> AudioBuffer {
    if range == 0..<sampleCount { return self }
    let part = try AudioBuffer(format, count: range.count)
    guard !range.isEmpty else { return part }
    unsafe av_samples_copy(
      part.frame.pointee.extended_data, frame.pointee.extended_data, 0, Int32(range.lowerBound),
      Int32(range.count), channelCount, format.samples)
    return part
  }

  /// Returns the same samples with another layout of their channels.
  func relabeled(_ layout: ChannelLayout) throws(LibAVError) -> AudioBuffer {
    guard layout != format.layout else { return self }
    let owner = try unsafe Owner<UnsafeMutablePointer<AVFrame>>.frame()
    // Other code may still use the old frame with its layout, so make a new frame over the same
    // samples.
    try unsafe check(av_frame_ref(owner.pointer, frame), "av_frame_ref")
    unsafe layout.write(to: &owner.pointer.pointee.ch_layout)
    return unsafe AudioBuffer(owner)
  }

  /// The samples of each channel; empty unless the format is floating point with an array for each
  /// channel.
  var channels: [[Float]] {
    guard format.samples == AV_SAMPLE_FMT_FLTP else { return [] }
    return (0..<format.layout.channelCount).map { index in
      guard let plane = unsafe frame.pointee.extended_data[index] else { return [] }
      return unsafe Array(
        UnsafeRawBufferPointer(start: plane, count: sampleCount * 4).bindMemory(to: Float.self))
    }
  }

  /// Makes a buffer from floating point samples from −1 to 1, with an array for each channel. The
  /// buffer is as long as the shortest array.
  package init(_ channels: [[Float]], _ format: AudioFormat) throws(LibAVError) {
    let count = channels.map(\.count).min() ?? 0
    try self.init(format, count: count)
    for (index, samples) in channels.enumerated() where count > 0 {
      guard let plane = unsafe frame.pointee.extended_data[index] else { continue }
      unsafe samples.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: plane, count: count * 4)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count * 4)))
      }
    }
  }
}
