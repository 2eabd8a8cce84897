// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX265
internal import CodePoints
internal import MediaCore

/// The parameters of one x265 encoder.
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
    if treeUnit < 64 { try set("ctu", "\(treeUnit)") }
    try setRate(settings)
    setSignal(settings)
    try settings.checkOptions(for: "x265")
    for (name, value) in settings.options.sorted(by: { $0.key < $1.key }) {
      try set(name, value)
    }
    if settings.size.width < 64 {
      // The AVX code of x265 3.5's CU tree writes behind its rows where they are short: heap
      // corruption, seen with 33 to 48 samples.
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
    // Parameter sets stand in the sample entry alone (ISO/IEC 14496-15, `hvc1`); samples have
    // start codes for the muxer to replace.
    unsafe pointer.pointee.bRepeatHeaders = 0
    unsafe pointer.pointee.bAnnexB = 1
    unsafe pointer.pointee.bEmitInfoSEI = 0
    unsafe pointer.pointee.bEnableAccessUnitDelimiters = 0
    if settings.fieldOrder != .progressive {
      // `frame_field_info_present_flag`; the messages themselves x265 3.5 leaves out without HRD.
      unsafe pointer.pointee.pictureStructure = settings.fieldOrder == .topFirst ? 3 : 4
    }
  }

  private func setRate(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    switch settings.rateControl {
    case .constantRateFactor(let factor): try set("crf", "\(factor)")
    case .averageBitRate(let bits): try set("bitrate", "\(max(bits / 1000, 1))")
    case .lossless: try set("lossless", "1")
    }
    if let interval = settings.maxKeyFrameInterval { try set("keyint", "\(interval)") }
    if !settings.allowFrameReordering { try set("bframes", "0") }
    if settings.isReproducible {
      // x265 3.5 gives other samples from run to run with three frame threads and more; and how its
      // lookahead divides frames depends on the number of threads. With a buffer, what a row may
      // take depends on those that are done, of this frame and of the one before.
      let isFree = settings.buffer == nil
      let threads = [("frame-threads", isFree ? "2" : "1"), ("wpp", isFree ? "1" : "0")]
      for (name, value) in threads + [("lookahead-slices", "0")] {
        try set(name, value)
      }
    }
    setPool(settings)
    if let level = settings.level { try set("level-idc", level) }
  }

  /// Threads, which are no part of what was asked for: they depend on the machine.
  private func setPool(_ settings: VideoEncoderSettings) {
    // x265 3.5's lookahead searches motion in another order where its pool has 4 threads or more,
    // which gives other samples with all speeds that try many B frames. In a pool of its own it
    // has as many everywhere, and the frames' pool may have any number.
    let lookahead = settings.isReproducible ? Self.lookaheadThreads : 0
    if lookahead > 0 {
      _ = unsafe api.param_parse(pointer, "lookahead-threads", "\(lookahead)")
    }
    if settings.poolThreads > 0 {
      // x265 takes the lookahead's threads from these, half of them at most.
      _ = unsafe api.param_parse(pointer, "pools", "\(settings.poolThreads + lookahead)")
    }
  }

  /// Threads of a lookahead that gives the same samples on every machine: fewer than 4.
  private static let lookaheadThreads = 3

  /// The VUI; every field that is not set stays out of the bitstream.
  private func setSignal(_ settings: VideoEncoderSettings) {
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

  /// A code point, or 2, "unspecified", for one that x265 3.5 refuses: those after its last, and 3,
  /// which is reserved in all three tables.
  private static func known(_ point: some CodePoint, upTo last: UInt8) -> Int32 {
    point.rawValue == 3 || point.rawValue > last ? 2 : Int32(point.rawValue)
  }

  /// Returns the parameters that were asked for, and those that the opened encoder uses.
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
      ("wpp", "\(used.bEnableWavefront)"), ("level-idc", "\(used.levelIdc)"),
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
