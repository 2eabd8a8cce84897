// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX265
internal import CodePoints
internal import MediaCore

/// Owns the parameters of one x265 encoder.
@safe
final class X265Parameters {
  let pointer: UnsafeMutablePointer<x265_param>
  private let api: x265_api
  private var requested: [(name: String, value: String)] = []

  init(
    api: x265_api, settings: VideoEncoderSettings, treeUnit: Int
  ) throws(VideoEncoderError) {
    unsafe self.api = unsafe api
    guard let pointer = unsafe api.param_alloc() else { throw .openFailed(encoder: "x265") }
    unsafe self.pointer = unsafe pointer
    guard unsafe api.param_default_preset(pointer, settings.speed, nil) == 0 else {
      throw .invalidOption(encoder: "x265", name: "preset", value: settings.speed)
    }
    requested.append(("preset", settings.speed))
    try setPicture(settings)
    // x265's default tree unit, 64, does not fit into smaller frames.
    if treeUnit < 64 { try set("ctu", "\(treeUnit)") }
    try setRate(settings)
    setSignal(settings)
    try settings.checkOptions(for: "x265")
    for (name, value) in settings.options.sorted(by: { $0.key < $1.key }) {
      try set(name, value)
    }
    if settings.size.width < 64 {
      // In x265 3.5, the CU tree's AVX code writes past the end of short rows. That corrupts the
      // heap, as seen with widths of 33 to 48 samples.
      try set("cutree", "0")
    }
    if let profile = settings.profile {
      guard unsafe api.param_apply_profile(pointer, profile) == 0 else {
        throw .invalidOption(encoder: "x265", name: "profile", value: profile)
      }
      requested.append(("profile", profile))
    }
  }

  deinit {
    unsafe api.param_free(pointer)
  }

  private func set(_ name: String, _ value: String) throws(VideoEncoderError) {
    guard unsafe api.param_parse(pointer, name, value) == 0 else {
      throw .invalidOption(encoder: "x265", name: name, value: value)
    }
    requested.append((name, value))
  }

  private func setPicture(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    unsafe pointer.pointee.logLevel = X265_LOG_NONE
    unsafe pointer.pointee.sourceWidth = Int32(clamping: settings.size.width)
    unsafe pointer.pointee.sourceHeight = Int32(clamping: settings.size.height)
    unsafe pointer.pointee.internalCsp = settings.format.x265ColorSpace
    unsafe pointer.pointee.fpsNum = UInt32(clamping: max(settings.frameRate.numerator, 1))
    unsafe pointer.pointee.fpsDenom = UInt32(clamping: max(settings.frameRate.denominator, 1))
    // Parameter sets go only into the sample entry (ISO/IEC 14496-15, `hvc1`). The muxer replaces
    // the samples' start codes.
    unsafe pointer.pointee.bRepeatHeaders = 0
    unsafe pointer.pointee.bAnnexB = 1
    unsafe pointer.pointee.bEmitInfoSEI = 0
    unsafe pointer.pointee.bEnableAccessUnitDelimiters = 0
    if settings.fieldOrder != .progressive {
      // This sets `frame_field_info_present_flag`. Without HRD, x265 3.5 does not write the
      // messages that the flag announces, so we add them to the samples later.
      unsafe pointer.pointee.pictureStructure = settings.fieldOrder == .topFirst ? 3 : 4
    }
  }

  private func setRate(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    switch settings.rateControl.resolved(for: X265Encoder.self) {
    case .constantRateFactor(let factor): try set("crf", "\(factor)")
    case .quality: break
    case .averageBitRate(let bits): try set("bitrate", "\(max(bits / 1000, 1))")
    case .lossless: try set("lossless", "1")
    }
    if let interval = settings.maxKeyFrameInterval { try set("keyint", "\(interval)") }
    if !settings.allowFrameReordering { try set("bframes", "0") }
    if settings.isReproducible {
      // With three frame threads or more, the samples that x265 3.5 makes differ from run to run.
      // Unless `lookahead-slices` is 0, the lookahead divides frames into slices, whose number
      // depends on the number of threads. With a buffer, the bits that a row may take depend on
      // which rows of this frame and of the previous one are already finished, so only one row is
      // coded at a time.
      let isFree = settings.buffer == nil
      let threads = [("frame-threads", isFree ? "2" : "1"), ("wpp", isFree ? "1" : "0")]
      for (name, value) in threads + [("lookahead-slices", "0")] {
        try set(name, value)
      }
    }
    setPool(settings)
    if let level = settings.level { try set("level-idc", level) }
  }

  private func setPool(_ settings: VideoEncoderSettings) {
    // The lookahead of x265 3.5 searches motion in a different order if its pool has 4 threads or
    // more. This changes the samples at all speeds that try many B frames. With a separate pool,
    // the lookahead has the same number of threads on every machine, and the frames' pool may have
    // any number. That number depends on the machine, so `requested` lists neither pool.
    let lookahead = settings.isReproducible ? Self.lookaheadThreads : 0
    if lookahead > 0 {
      _ = unsafe api.param_parse(pointer, "lookahead-threads", "\(lookahead)")
    }
    if settings.poolThreads > 0 {
      // x265 takes the lookahead's threads from this pool, but at most half of the pool.
      _ = unsafe api.param_parse(pointer, "pools", "\(settings.poolThreads + lookahead)")
    }
  }

  /// Fewer than 4, so that the lookahead gives the same samples on every machine.
  private static let lookaheadThreads = 3

  private func setSignal(_ settings: VideoEncoderSettings) {
    // Values that nobody declared are not set, so they stay out of the VUI.
    let color = settings.signal.color
    if !color.isUnspecified {
      unsafe pointer.pointee.vui.bEnableVideoSignalTypePresentFlag = 1
      unsafe pointer.pointee.vui.bEnableColorDescriptionPresentFlag = 1
      unsafe pointer.pointee.vui.colorPrimaries = Self.known(color.colorPrimaries, upTo: 12)
      unsafe pointer.pointee.vui.transferCharacteristics = Self.known(
        color.transferCharacteristics, upTo: 18)
      unsafe pointer.pointee.vui.matrixCoeffs = Self.known(color.matrixCoefficients, upTo: 14)
      requested.append(("color", color.triple))
    }
    if let full = settings.signal.videoFullRangeFlag {
      unsafe pointer.pointee.vui.bEnableVideoSignalTypePresentFlag = 1
      unsafe pointer.pointee.vui.bEnableVideoFullRangeFlag = full ? 1 : 0
      requested.append(("range", full ? "full" : "limited"))
    }
    // `chroma_sample_loc_type` has a meaning only for 4:2:0 (H.265, E.3.1).
    if let location = settings.signal.chromaLocation, settings.format.chromaSubsampling == .cs420 {
      unsafe pointer.pointee.vui.bEnableChromaLocInfoPresentFlag = 1
      unsafe pointer.pointee.vui.chromaSampleLocTypeTopField = Int32(location.rawValue)
      unsafe pointer.pointee.vui.chromaSampleLocTypeBottomField = Int32(location.rawValue)
      requested.append(("chromaloc", "\(location.rawValue)"))
    }
    if let ratio = settings.sampleAspectRatio {
      unsafe pointer.pointee.vui.aspectRatioIdc = X265_EXTENDED_SAR
      unsafe pointer.pointee.vui.sarWidth = Int32(clamping: ratio.horizontalSpacing)
      unsafe pointer.pointee.vui.sarHeight = Int32(clamping: ratio.verticalSpacing)
    }
  }

  /// Returns a code point's number, or 2, "unspecified", for numbers that x265 3.5 refuses.
  private static func known(_ point: some CodePoint, upTo last: UInt16) -> Int32 {
    // x265 refuses 3, which is reserved in all tables, and numbers above the last that it knows.
    point.rawValue == 3 || point.rawValue > last ? 2 : Int32(point.rawValue)
  }

  /// Returns the requested parameters, and the parameters that the opened encoder uses.
  func report(of encoder: OpaquePointer) -> EncoderParameterReport {
    unsafe api.encoder_parameters(encoder, pointer)
    let used = unsafe pointer.pointee
    let rate: (String, String) =
      if unsafe used.bLossless != 0 {
        ("lossless", "1")
      } else if unsafe used.rc.rateControlMode == Int32(X265_RC_CRF.rawValue) {
        ("crf", unsafe "\(used.rc.rfConstant)")
      } else {
        ("bitrate", unsafe "\(used.rc.bitrate)")
      }
    let effective = unsafe [
      rate, ("keyint", "\(used.keyframeMax)"), ("min-keyint", "\(used.keyframeMin)"),
      ("bframes", "\(used.bframes)"), ("b-adapt", "\(used.bFrameAdaptive)"),
      ("ref", "\(used.maxNumReferences)"), ("rc-lookahead", "\(used.lookaheadDepth)"),
      ("ctu", "\(used.maxCUSize)"), ("rd", "\(used.rdLevel)"), ("subme", "\(used.subpelRefine)"),
      ("aq-mode", "\(used.rc.aqMode)"), ("frame-threads", "\(used.frameNumThreads)"),
      ("wpp", "\(used.bEnableWavefront)"),
      ("fps", "\(used.fpsNum)/\(used.fpsDenom)"),
      (
        "color",
        "\(used.vui.colorPrimaries)/\(used.vui.transferCharacteristics)/\(used.vui.matrixCoeffs)"
      ), ("range", used.vui.bEnableVideoFullRangeFlag != 0 ? "full" : "limited"),
    ]
    return EncoderParameterReport(
      encoder: "x265 \(X265Encoder.version)", requested: requested, effective: effective)
  }
}

extension PixelFormat {
  var x265ColorSpace: Int32 {
    switch chromaSubsampling {
    case .cs400: X265_CSP_I400
    case .cs420: X265_CSP_I420
    case .cs422: X265_CSP_I422
    case .cs444: X265_CSP_I444
    }
  }
}

#endif
