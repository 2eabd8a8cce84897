// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX264
internal import CodePoints
internal import MediaCore

/// Owns the parameters of one x264 encoder.
@safe
final class X264Parameters {
  let pointer: UnsafeMutablePointer<x264_param_t>
  private(set) var requested: [(name: String, value: String)] = []

  init(_ settings: VideoEncoderSettings, colorSpace: Int32) throws(VideoEncoderError) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: x264_param_t())
    guard unsafe x264_param_default_preset(pointer, settings.speed, nil) == 0 else {
      throw .invalidOption(encoder: "x264", name: "preset", value: settings.speed)
    }
    requested.append(("preset", settings.speed))
    // With AVX-512, the macroblock tree of build 164 sometimes gives different bits, even in one
    // thread: on two busy cores, in 8 of 96 runs. Without AVX-512, none of 252 runs differed.
    unsafe pointer.pointee.cpu &= ~UInt32(X264_CPU_AVX512)
    setPicture(settings, colorSpace: colorSpace)
    setSignal(settings)
    try setRate(settings)
    try settings.checkOptions(for: "x264")
    for (name, value) in settings.options.sorted(by: { $0.key < $1.key }) {
      try set(name, value)
    }
    // Lossless coding always uses the profile High 4:4:4 Predictive, so no other one is applied.
    if let profile = settings.profile, settings.rateControl != .lossless {
      guard unsafe x264_param_apply_profile(pointer, profile) == 0 else {
        throw .invalidOption(encoder: "x264", name: "profile", value: profile)
      }
      requested.append(("profile", profile))
    }
  }

  deinit {
    unsafe x264_param_cleanup(pointer)
    unsafe pointer.deallocate()
  }

  private func set(_ name: String, _ value: String) throws(VideoEncoderError) {
    guard unsafe x264_param_parse(pointer, name, value) == 0 else {
      throw .invalidOption(encoder: "x264", name: name, value: value)
    }
    requested.append((name, value))
  }

  private func setPicture(_ settings: VideoEncoderSettings, colorSpace: Int32) {
    unsafe pointer.pointee.i_log_level = X264_LOG_NONE
    unsafe pointer.pointee.i_width = Int32(clamping: settings.size.width)
    unsafe pointer.pointee.i_height = Int32(clamping: settings.size.height)
    unsafe pointer.pointee.i_csp = colorSpace
    unsafe pointer.pointee.i_bitdepth = Int32(settings.format.bitDepth)
    unsafe pointer.pointee.i_fps_num = UInt32(clamping: max(settings.frameRate.numerator, 1))
    unsafe pointer.pointee.i_fps_den = UInt32(clamping: max(settings.frameRate.denominator, 1))
    unsafe pointer.pointee.i_timebase_num = 1
    unsafe pointer.pointee.i_timebase_den = UInt32(settings.timescale)
    // Frames keep the times of the source. A constant rate would change these times.
    unsafe pointer.pointee.b_vfr_input = 1
    // Parameter sets go only into the sample entry (ISO/IEC 14496-15, `avc1`).
    unsafe pointer.pointee.b_repeat_headers = 0
    // The muxer replaces start codes with lengths.
    unsafe pointer.pointee.b_annexb = 1
    unsafe pointer.pointee.b_aud = 0
    // Without this, x264 does not deblock frames that no other frame refers to.
    unsafe pointer.pointee.b_full_recon = settings.returnsDecodedFrames ? 1 : 0
    if settings.fieldOrder != .progressive {
      unsafe pointer.pointee.b_interlaced = 1
      unsafe pointer.pointee.b_tff = settings.fieldOrder == .topFirst ? 1 : 0
    }
    if let ratio = settings.sampleAspectRatio {
      unsafe pointer.pointee.vui.i_sar_width = Int32(clamping: ratio.horizontalSpacing)
      unsafe pointer.pointee.vui.i_sar_height = Int32(clamping: ratio.verticalSpacing)
    }
  }

  private func setSignal(_ settings: VideoEncoderSettings) {
    // If nobody declared the color, its numbers are 2, "unspecified", which x264 leaves out of the
    // VUI. Range and chroma location are set only if somebody declared them.
    let color = settings.signal.color
    unsafe pointer.pointee.vui.i_colorprim = Int32(color.colorPrimaries.byte)
    unsafe pointer.pointee.vui.i_transfer = Int32(color.transferCharacteristics.byte)
    unsafe pointer.pointee.vui.i_colmatrix = Int32(color.matrixCoefficients.byte)
    requested.append(("color", color.triple))
    if let full = settings.signal.videoFullRangeFlag {
      unsafe pointer.pointee.vui.b_fullrange = full ? 1 : 0
      requested.append(("range", full ? "full" : "limited"))
    }
    // `chroma_sample_loc_type` has a meaning only for 4:2:0 (H.264, E.2.1).
    if let location = settings.signal.chromaLocation, settings.format.chromaSubsampling == .cs420 {
      unsafe pointer.pointee.vui.i_chroma_loc = Int32(location.rawValue)
      requested.append(("chromaloc", "\(location.rawValue)"))
    }
  }

  private func setRate(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    switch settings.rateControl.resolved(for: X264Encoder.self) {
    case .constantRateFactor(let factor): try set("crf", "\(factor)")
    case .quality: break
    case .averageBitRate(let bits): try set("bitrate", "\(max(bits / 1000, 1))")
    // x264 has no option for lossless coding, but a constant quantizer of 0 is lossless at every
    // depth.
    case .lossless: try set("qp", "0")
    }
    if let interval = settings.maxKeyFrameInterval { try set("keyint", "\(interval)") }
    if !settings.allowFrameReordering { try set("bframes", "0") }
    if settings.isReproducible {
      // The number of threads decides how far motion vectors reach and what the lookahead sees, so
      // it is fixed. With a buffer, each frame depends on how full the previous frame left the
      // buffer, so only one thread encodes.
      try set("threads", settings.buffer == nil ? "4" : "1")
    }
    if let level = settings.level { try set("level", level) }
  }
}

extension PixelFormat {
  var x264ColorSpace: Int32 {
    let depthFlag = bitDepth > 8 ? X264_CSP_HIGH_DEPTH : 0
    switch chromaSubsampling {
    case .cs400: return X264_CSP_I400 | depthFlag
    case .cs420: return X264_CSP_I420 | depthFlag
    case .cs422: return X264_CSP_I422 | depthFlag
    // With the matrix "GBR", the order of x264's I444 planes is G, B, R, the same as ours.
    case .cs444: return X264_CSP_I444 | depthFlag
    }
  }
}

#endif
