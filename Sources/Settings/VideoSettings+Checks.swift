// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorConversion
package import Host
internal import MediaCore
internal import VideoEncoders

extension VideoSettings {
  /// Refuses values that no preset can have, but that a program can set.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  package func refuseImpossibleValues() throws(TranscodingError) {
    if let profileLevel { try refuseOtherCodec(profileLevel, as: "video.profileLevel") }
    try SettingsReader.refuse("video.width", width, outside: PresetKey.sides)
    try SettingsReader.refuse("video.height", height, outside: PresetKey.sides)
    try conversion.refuseImpossibleValues()
    let place = "video.compressionProperties"
    switch rateControl {
    case .constantRateFactor(let factor):
      try SettingsReader.refuse(
        "\(place).constantRateFactor", factor,
        outside: codec?.encoder.rateFactors ?? PresetKey.rateFactors)
    case .quality(let quality):
      try SettingsReader.refuse("\(place).quality", quality, outside: 0...1)
    case .averageBitRate(let rate):
      try SettingsReader.refuse("\(place).averageBitRate", rate, outside: PresetKey.bitRates)
    case .lossless, nil: break
    }
    try SettingsReader.refuse(
      "\(place).maxKeyFrameInterval", maxKeyFrameInterval, outside: PresetKey.keyFrameIntervals)
    try SettingsReader.refuse(
      "\(place).maxKeyFrameIntervalDuration", maxKeyFrameIntervalDuration,
      outside: PresetKey.keyFrameDurations)
    try frameRate.refuseImpossible()
    try refuseImpossibleLimits()
    try refuseSecondCrop()
    try composition?.refuseImpossibleValues()
  }

  /// Refuses to crop twice.
  private func refuseSecondCrop() throws(TranscodingError) {
    guard crop == .auto, composition?.crop != nil else { return }
    throw SettingsReader.error(
      "video.crop", "is 'auto', but video.composition.crop names a part: leave one of them out")
  }

  /// Refuses a profile of another codec.
  ///
  /// - Parameter key: the path of the profile in the settings.
  func refuseOtherCodec(_ value: ProfileLevel, as key: String) throws(TranscodingError) {
    guard value.profile.codec != codec else { return }
    throw SettingsReader.error(
      key,
      "is '\(value)', which is not a profile of '\(codec?.rawValue ?? Self.passthrough)': set it "
        + "to null, or to a profile of this codec")
  }

  /// Refuses impossible combinations.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  func refuseContradictions() throws(TranscodingError) {
    try refuseSecondCrop()
    try refuseImpossibleLimits()
    try refuseMissingProperties()
    try refuseOtherSamples()
    try refuseImpossibleColors()
    try refuseImpossibleHDRMetadata()
    // H.264 can be lossless only in High 4:4:4 Predictive (profile 244). HEVC can be lossless in
    // every profile.
    if rateControl == .lossless, let profile = profileLevel,
      let lossless = codec?.encoder.losslessProfile, profile.profile.name != lossless.name
    {
      throw SettingsReader.error(
        "video.compressionProperties.lossless",
        "needs profile \(lossless.name) (\(lossless.number)), but video.profileLevel is \(profile)")
    }
  }

  /// Refuses properties that the codec's encoder does not have.
  private func refuseMissingProperties() throws(TranscodingError) {
    guard let codec else { return }
    let place = "video.compressionProperties"
    if rateControl != nil, codec.encoder.rateFactors == nil {
      throw SettingsReader.error(
        place, "set a data rate, which '\(codec.rawValue)' does not support")
    }
    if case .constantRateFactor(let factor)? = rateControl,
      let factors = codec.encoder.rateFactors
    {
      try SettingsReader.refuse("\(place).constantRateFactor", factor, outside: factors)
      if codec.encoder.hasWholeRateFactors, factor != factor.rounded() {
        throw SettingsReader.error(
          "\(place).constantRateFactor",
          "is \(SettingsReader.plain(factor)), but \(codec.encoder.name) takes only whole numbers")
      }
    }
    let speeds = codec.encoder.speeds
    // The default speed counts as not chosen, so a codec without speeds may ignore it.
    if speed != VideoEncoderSettings.usualSpeed, !speeds.contains(speed) {
      let known = speeds.isEmpty ? "none" : speeds.joined(separator: ", ")
      throw SettingsReader.error(
        "\(place).speed", "is '\(speed)', but the speeds of '\(codec.rawValue)' are: \(known)")
    }
  }

  /// Refuses a bit depth or chroma subsampling that the profile, the transfer function or the
  /// encoder does not allow.
  private func refuseOtherSamples() throws(TranscodingError) {
    let depth = pixelFormat?.bitDepth ?? profileLevel?.profile.bitDepths.lowerBound
    if let profile = profileLevel?.profile, let format = pixelFormat,
      !profile.bitDepths.contains(format.bitDepth)
        || profile.chromaSubsampling != format.chromaSubsampling
    {
      throw SettingsReader.error(
        "video.pixelFormat", "is \(format), which the profile \(profile.name) does not support")
    }
    // BT.2100 defines HLG and PQ for 10 and 12 bits only. With 8 bits, gradients show bands.
    if let color = colorProperties, color.transferCharacteristics.isHDR,
      (depth ?? codec?.encoder.usualBitDepth ?? 10) < 10
    {
      throw SettingsReader.error(
        "video.colorProperties.transferFunction",
        "is \(color.transferCharacteristics), which needs 10 bits: use 'hevc' with "
          + "HEVC_Main10_AutoLevel, or BT.709 color properties")
    }
    if let encoder = codec?.encoder, let format = pixelFormat,
      !encoder.bitDepths.contains(format.bitDepth)
    {
      let depths = encoder.bitDepths.map(String.init).joined(separator: " or ")
      throw SettingsReader.error(
        "video.pixelFormat",
        "is \(format), but \(encoder.name) encodes \(depths) bits: use x420 for 10 bits, or the "
          + "codec 'hevc'")
    }
  }
}

extension ConversionOptions {
  /// Refuses values that no preset can have, but that a program can set.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  package func refuseImpossibleValues() throws(TranscodingError) {
    let place = "video.conversion"
    try SettingsReader.refuse(
      "\(place).highlightDetail", highlightDetail, outside: Self.highlightDetails)
    try SettingsReader.refuse(
      "\(place).hlgPeakLuminance", hlgPeakLuminance, outside: Self.peakLuminances)
    try SettingsReader.refuse(
      "\(place).hdrReferenceWhite", hdrReferenceWhite, outside: Self.referenceWhites)
    try SettingsReader.refuse("\(place).headroom", headroom, outside: Self.headrooms)
    try SettingsReader.refuse("\(place).sourcePeak", sourcePeak, outside: Self.sourcePeaks)
  }
}

extension CompositionSettings {
  /// Refuses values that no preset can have, but that a program can set.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  fileprivate func refuseImpossibleValues() throws(TranscodingError) {
    let place = "video.composition"
    let sizes = [("crop", crop?.size), ("scale", scale), ("pad", pad)]
    for (name, size) in sizes {
      try SettingsReader.refuse("\(place).\(name).width", size?.width, outside: PresetKey.sides)
      try SettingsReader.refuse("\(place).\(name).height", size?.height, outside: PresetKey.sides)
    }
    try SettingsReader.refuse("\(place).crop.x", crop?.x, outside: PresetKey.places)
    try SettingsReader.refuse("\(place).crop.y", crop?.y, outside: PresetKey.places)
    try SettingsReader.refuse("\(place).overlay.x", overlay?.x, outside: PresetKey.offsets)
    try SettingsReader.refuse("\(place).overlay.y", overlay?.y, outside: PresetKey.offsets)
    try SettingsReader.refuse("\(place).overlay.opacity", overlay?.opacity, outside: 0...1)
  }
}

extension FrameRateSetting {
  fileprivate func refuseImpossible() throws(TranscodingError) {
    let rate: FrameRate
    switch self {
    case .source: return
    case .exactly(let wanted), .atMost(let wanted): rate = wanted
    }
    try SettingsReader.refuse("video.frameRate", rate.framesPerSecond, outside: Self.range)
  }
}

extension TranscodeSettings {
  /// Refuses values that no preset can have, but that a program can set.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  package func refuseImpossibleValues() throws(TranscodingError) {
    try audio.refuseImpossibleValues()
    // If frames are copied, the settings for encoding do not apply.
    if video.codec != nil { try video.refuseImpossibleValues() }
  }
}

extension AudioSettings {
  /// Refuses values that no preset can have, but that a program can set.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  fileprivate func refuseImpossibleValues() throws(TranscodingError) {
    for (number, rule) in rules.enumerated() {
      let place = "audio[\(number)]"
      if let language = rule.language, !AudioRule.isLanguage(language) {
        throw SettingsReader.error("\(place).language", AudioRule.problem(ofLanguage: language))
      }
      try SettingsReader.refuse("\(place).bitRate", rule.bitRate, outside: AudioRule.bitRates)
      try SettingsReader.refuse(
        "\(place).sampleRate", rule.sampleRate, outside: AudioRule.sampleRates)
      try rule.refuseContradictions(at: place)
    }
  }
}

extension SettingsReader {
  /// Refuses a number outside a range. Accepts `nil`.
  fileprivate static func refuse(
    _ path: String, _ value: Double?, outside range: ClosedRange<Double>
  ) throws(TranscodingError) {
    if let value { try refuse(path, value, outside: range) }
  }

  /// Refuses a whole number outside a range. Accepts `nil`.
  fileprivate static func refuse(
    _ path: String, _ value: Int?, outside range: ClosedRange<Int>
  ) throws(TranscodingError) {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    try refuse(path, value.map(Double.init), outside: bounds)
  }
}

extension VideoSettings {
  package static let contentLightLevelKey = "video.compressionProperties.contentLightLevel"
  package static let masteringDisplayKey = "video.masteringDisplay"
  package static let dolbyVisionKey = "video.hdrMetadata.dolbyVision"
  package static let hdr10PlusKey = "video.hdrMetadata.hdr10Plus"
  package static let headroomAdaptiveGainKey = "video.hdrMetadata.st2094_50"

  /// The keys whose values state or measure metadata that only HDR has.
  private var statedHDRMetadata: [StatedMetadata] {
    var stated: [StatedMetadata] = []
    switch contentLightLevel {
    case .source, .unstated: break
    case .measure: stated.append((Self.contentLightLevelKey, "measure", Self.isMeasured))
    case .stated(let level):
      stated.append((Self.contentLightLevelKey, level.text, \.carriesHDRMetadata))
    }
    if case .stated(let display) = masteringDisplay {
      stated.append((Self.masteringDisplayKey, display.text, \.carriesHDRMetadata))
    }
    if hdrMetadata.dolbyVision.transferCharacteristics != nil {
      stated.append(
        (
          Self.dolbyVisionKey, hdrMetadata.dolbyVision.rawValue,
          { $0.carriesDolbyVision && Self.isMeasured(in: $0) }
        ))
    }
    if hdrMetadata.hdr10Plus == .measure {
      stated.append((Self.hdr10PlusKey, "measure", Self.isMeasured))
    }
    if hdrMetadata.headroomAdaptiveGain == .measure {
      // This metadata is measured in the source's frames, so the encoder need not return decoded
      // ones.
      stated.append((Self.headroomAdaptiveGainKey, "measure", \.carriesHDRMetadata))
    }
    return stated
  }

  /// A key, its value, and whether a codec can have the metadata.
  private typealias StatedMetadata = (
    key: String, value: String, isPossible: (VideoCodec) -> Bool
  )

  private static func isMeasured(in codec: VideoCodec) -> Bool {
    // Metadata describes what a decoder shows, so it is measured in decoded frames, which the
    // encoder has to return.
    codec.carriesHDRMetadata && codec.encoder.returnsDecodedFrames
  }

  /// Whether the settings state or measure metadata that only HDR has.
  package var statesHDRMetadata: Bool { !statedHDRMetadata.isEmpty }

  /// Refuses HDR metadata that the codec cannot carry.
  private func refuseImpossibleHDRMetadata() throws(TranscodingError) {
    // If frames are copied, `codec` is `nil`. The source's codec decides then, so refuse nothing
    // here.
    for (key, value, isPossible) in statedHDRMetadata where codec.map(isPossible) == false {
      let names = VideoCodec.all.filter(isPossible).map { "'\($0.rawValue)'" }
      throw SettingsReader.error(
        key, "is '\(value)', which needs the codec \(names.joined(separator: " or "))")
    }
    if hdrMetadata.dolbyVision.transferCharacteristics != nil, hdrMetadataInsertionMode == .none {
      throw SettingsReader.error(
        Self.dolbyVisionKey,
        "is '\(hdrMetadata.dolbyVision.rawValue)', but hdrMetadataInsertionMode is 'none': leave "
          + "one of them out")
    }
    if let color = colorProperties { try refuseHDRMetadata(of: color) }
  }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the settings state or measure
  ///   metadata that an output of this color cannot have.
  package func refuseHDRMetadata(of output: ColorDescription) throws(TranscodingError) {
    let transfer = output.transferCharacteristics
    if !transfer.isHDR, let (key, value, _) = statedHDRMetadata.first {
      throw SettingsReader.error(
        key,
        "is '\(value)', but the output is \(output), not HLG or PQ: this metadata is only for HDR")
    }
    let mode = hdrMetadata.dolbyVision
    if let needed = mode.transferCharacteristics, needed != transfer {
      throw SettingsReader.error(
        Self.dolbyVisionKey,
        "is '\(mode.rawValue)', which is for \(needed), not for \(output)")
    }
    if hdrMetadata.hdr10Plus == .measure, transfer != .pq {
      throw SettingsReader.error(
        Self.hdr10PlusKey,
        "is 'measure', but the output is \(output): HDR10+ is for \(TransferCharacteristics.pq)")
    }
  }

  /// Refuses colors that no frame of the output can have.
  private func refuseImpossibleColors() throws(TranscodingError) {
    guard let color = colorProperties else { return }
    func refuse(_ key: String, _ problem: String) -> TranscodingError {
      SettingsReader.error(SettingsReader.join("video.colorProperties", key), problem)
    }
    let isReserved =
      color.colorPrimaries.name == nil || color.transferCharacteristics.name == nil
      || color.matrixCoefficients.name == nil
    if isReserved || !color.isComplete {
      throw refuse("", "are \(color): each of the three needs a value that H.273 defines")
    }
    // Identity means R'G'B', which has no chroma to subsample (H.273, 8.3).
    if color.matrixCoefficients == .identity,
      (pixelFormat?.chromaSubsampling ?? profileLevel?.profile.chromaSubsampling) != .cs444
    {
      throw refuse("yCbCrMatrix", "is \(color.matrixCoefficients), R'G'B', which needs 4:4:4")
    }
    // ICtCp is defined only for the curves of HLG and PQ (BT.2100, table 7).
    if color.matrixCoefficients == .iCtCp && !color.transferCharacteristics.isHDR {
      throw refuse("yCbCrMatrix", "is \(color.matrixCoefficients), which is only for HLG and PQ")
    }
  }
}
