// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
internal import ColorScience
internal import Host
internal import MediaCore
internal import VideoEncoders

extension PresetKey {
  // Keys of an object are read in this order, which matters: `codec` comes before `profileLevel`,
  // and `range` before `pixelFormat`, because the later key is checked against the earlier one.
  /// Every key of a preset. To add one, add a row here and the property that it sets.
  package static let all =
    general + audioRule + video + shape + conversion + compression + composition

  private static let general: [PresetKey] = [
    .text("$schema", "The schema that an editor checks the preset against.") { _, _, _ in },
    .text(
      PresetChain.key,
      "The preset that this one extends: the name of a preset, or a path relative to this "
        + "file. Objects are merged, keys of this file win, and null removes a key."
    ) { _, _, _ in },
    .text("name", "The preset's name.") {
      (reader, key, settings) throws(TranscodingError) in
      if let name = try reader.string(key) { settings.name = name }
    },
    .text("description", "What the preset is for.") {
      (reader, key, settings) throws(TranscodingError) in
      settings.description = try reader.string(key)
    },
    .choice(
      "container", \.container,
      "The container, if the output's name is made from the source's or has no extension. "
        + "Otherwise the output's extension decides."
    ) { $0 },
    .object("video", "What to do with the video."),
    audioTreatment,
    .object(
      "tracks",
      "Which of the source's tracks of each kind to keep: all, none, or a list of track numbers "
        + "and languages, such as [1, 4] or [\"eng\"]."),
    selection(
      "tracks.video", \.tracks.video,
      "Video tracks. The preset's 'video' applies to the first enabled one. Others are copied."),
    selection(
      "tracks.audio", \.tracks.audio,
      "Audio tracks. The preset's 'audio' says what happens to them."),
    selection(
      "tracks.other", \.tracks.other,
      "Tracks of timed metadata, time code, chapters, text and subtitles, which are copied. "
        + "Timed metadata may contain places, so if 'metadata' is none, timed metadata is "
        + "left out unless its track is listed here."),
    .choice(
      "metadata", \.metadata, usual: .preserve,
      "Whether to keep dates, places and names."),
  ]

  // Positions and sizes are in luma samples. An overlay may begin outside the frame.
  static let sides = 2...VideoDimensions.longestSide
  static let places = 0...VideoDimensions.longestSide
  static let offsets = -VideoDimensions.longestSide...VideoDimensions.longestSide

  private static let video: [PresetKey] = [
    codec,
    profileLevel("video.profileLevel"),
    .integer(
      "video.width", \.video.width, in: sides,
      "The width of frames, in luma samples. Absent: computed from height and the aspect ratio, "
        + "or the source's width if height is absent, too."
    ) { $0 },
    .integer(
      "video.height", \.video.height, in: sides,
      "The height of frames, in luma rows. Absent: computed from width and the aspect ratio, or "
        + "the source's height if width is absent, too."
    ) { $0 },
    .choice(
      "video.scalingMode", \.video.scalingMode, usual: .fit,
      "How to reach width and height. fit keeps the aspect ratio, never enlarges, and swaps "
        + "width and height if the source is portrait and the requested size is landscape, or the "
        + "reverse; resize changes the aspect ratio; resizeAspect keeps the aspect ratio and adds "
        + "black bars; resizeAspectFill keeps it and crops."),
    .choice(
      "video.cleanAperture", \.video.cleanAperture, usual: .keep,
      "For frames with a clean aperture (clap), which is the part of the frame that is meant to be "
        + "seen: keep encodes whole frames and states the aperture in the output; crop encodes "
        + "only that part."),
    .object(
      "video.colorProperties",
      "What the output's colors mean. An untagged source is tagged; a tagged one is converted and "
        + "tagged. Absent: the source's tags are kept. Values are Apple's names, FFmpeg's names or "
        + "H.273 numbers.",
      // All three parts are required. Start from unspecified, so that no part of an older value
      // remains.
      begin: { _, _, settings in settings.video.colorProperties = .unspecified }),
    codePoint(
      "video.colorProperties.colorPrimaries", \.video.statedColor.colorPrimaries, primaries),
    codePoint(
      "video.colorProperties.transferFunction", \.video.statedColor.transferCharacteristics,
      transferFunctions),
    codePoint(
      "video.colorProperties.yCbCrMatrix", \.video.statedColor.matrixCoefficients, matrices),

    .boolean(
      "video.allowWideColor", \.video.allowWideColor, usual: true,
      "Whether wide-gamut and HDR sources keep their colors if there are no colorProperties. "
        + "false: they are converted to BT.709."),
    .object("video.conversion", "How to convert colors, if they are converted."),
    range, chromaLocation, pixelFormat, masteringDisplay,
    .object("video.hdrMetadata", "The dynamic HDR metadata of the output."),
    .choice(
      "video.hdrMetadata.dolbyVision", \.video.hdrMetadata.dolbyVision, usual: .auto,
      "auto: Dolby Vision is kept if it is still true, and otherwise profile 8.4 is computed for "
        + "HLG. 8.1 (for PQ) and 8.4 (for HLG): the source's Dolby Vision is kept if it has this "
        + "profile and is still true; otherwise it is computed. none: no Dolby Vision is written. "
        + "In AV1, 8.1 becomes 10.1, and 8.4 becomes 10.4."),
    .choice(
      "video.hdrMetadata.hdr10Plus", \.video.hdrMetadata.hdr10Plus, usual: .auto,
      "For outputs in PQ. auto: the source's HDR10+ is kept if it is still true; otherwise HDR10+ "
        + "is measured again. measure: HDR10+ is measured in the output's frames. none: no HDR10+ "
        + "is written."),
    .choice(
      "video.hdrMetadata.st2094_50", \.video.hdrMetadata.headroomAdaptiveGain, usual: .auto,
      "auto: the source's curves of ST 2094-50 are kept if colors are not converted. measure "
        + "(for HLG and PQ): each shot gets the curves that the standard derives from its "
        + "brightest light. none: no curves are written."),
    .object(
      "video.compressionProperties",
      "Settings of the encoder. Set at most one of constantRateFactor, quality, averageBitRate "
        + "and lossless."),
    .object(
      "video.composition",
      "What happens to each frame before it is encoded: crop, then scale, then pad, then overlay a "
        + "PNG. If chroma is subsampled, all numbers must be even.",
      begin: { _, _, settings in settings.video.composition = CompositionSettings() }),
  ]

  private static let conversion: [PresetKey] = [
    .choice(
      "video.conversion.toneMapping", \.video.conversion.toneMapping, usual: .auto,
      "How to map HDR to SDR, to linear light in integers, or to HDR with a lower peak: auto uses "
        + "a curve fitted to the highlights of each shot for SDR, and spline for other outputs; "
        + "none puts hdrReferenceWhite at SDR white and clips brighter light; "
        + "\(ConversionOptions.ToneMapping.curveSummary); bt2446a, "
        + "bt2446b and bt2446c are the methods of BT.2446, for SDR only; authored applies the "
        + "ST 2094-50 curves that each frame carries, for the output's headroom (0 stops for SDR)."
    ).withChangeableDefault,
    .choice(
      "video.conversion.shots", \.video.conversion.shots, usual: .auto,
      "Whether toneMapping auto adapts its curve to each shot when the output is SDR. auto: each "
        + "shot gets a curve that fits its light, measured in some of its frames. off: one curve "
        + "serves the whole clip, based on the peak that the source states."
    ).withChangeableDefault,
    .number(
      "video.conversion.sourcePeak", \.video.conversion.sourcePeak,
      in: ConversionOptions.sourcePeaks,
      "The brightest light of a PQ source, in cd/m². If it is set, one tone curve serves the whole "
        + "clip. Absent: the peak that the source states (1000 if it states none) or the peak that "
        + "is measured in the frames, whichever is higher."
    ) { $0 }.withChangeableDefault,
    .choice(
      "video.conversion.toneMappingNorm", \.video.conversion.toneMappingNorm, usual: .blend,
      "How to compute, from a color, the number that the tone curve maps: blend goes from "
        + "luminance for gray to the largest component for fully saturated colors."
    ).withChangeableDefault,
    .number(
      "video.conversion.highlightDetail", \.video.conversion.highlightDetail,
      in: ConversionOptions.highlightDetails, usual: 0,
      "How much of the local contrast that highlights lose in tone mapping is restored, from 0 to "
        + "1. A filter that preserves edges is used. For toneMapping auto and spline."
    ) { $0 }.withChangeableDefault,
    .choice(
      "video.conversion.inverseToneMapping", \.video.conversion.inverseToneMapping,
      usual: ConversionOptions.InverseToneMapping.none,
      "How to map SDR to HDR: none puts SDR white at hdrReferenceWhite; bt2446a expands highlights "
        + "to 1000 cd/m² for PQ or to hlgPeakLuminance for HLG, but not beyond headroom; bt2446c "
        + "is one fixed curve."),
    .choice(
      "video.conversion.gamutMapping", \.video.conversion.gamutMapping, usual: .perceptual,
      "How to bring colors into the output's gamut: perceptual compresses the distance of each "
        + "component from the largest one."
    ).withChangeableDefault,
    .choice(
      "video.conversion.dither", \.video.conversion.dither, usual: .ordered,
      "How to hide rounding to fewer bits: with a fixed pattern of blue noise (ordered), or with "
        + "error diffusion, which uses one thread."
    ).withChangeableDefault,
    .number(
      "video.conversion.hlgPeakLuminance", \.video.conversion.hlgPeakLuminance,
      in: ConversionOptions.peakLuminances, usual: ConversionOptions.usualPeakLuminance,
      "The peak luminance of the display for which HLG is meant, in cd/m². If hdrReferenceWhite "
        + "is not set, diffuse white is at 75 % of HLG for any peak."
    ) { $0 }.withChangeableDefault,
    .choice(
      "video.conversion.hlgSurround", \.video.conversion.hlgSurround, usual: .reference,
      "The surround for which HLG's system gamma is computed. reference: 5 cd/m². source: the "
        + "source's ambient viewing environment, if it is plausible (0.1 to 100 000 lux); "
        + "otherwise 5 cd/m²."),
    .number(
      "video.conversion.hdrReferenceWhite", \.video.conversion.hdrReferenceWhite,
      in: ConversionOptions.referenceWhites,
      "The luminance of diffuse white in HDR, in cd/m², at most hlgPeakLuminance. Absent: for "
        + "conversions between HLG and SDR, the luminance of 75 % HLG at hlgPeakLuminance (203 at "
        + "1000, 101 at 400); otherwise 203."
    ) { $0 },
    .number(
      "video.conversion.headroom", \.video.conversion.headroom, in: ConversionOptions.headrooms,
      "How many times brighter than diffuse white an HDR output may be. Absent: as bright as its "
        + "transfer function allows. With toneMapping authored, frames look as their author "
        + "intended for this headroom (2 is one stop)."
    ) { $0 },
    .choice(
      "video.conversion.sdrReading", \.video.conversion.sdrReading, usual: .bt1886,
      "Which curve relates SDR signals of the BT.709 family to light. bt1886: a display's gamma of "
        + "2.4. quickTime: gamma 1.961, with which Apple's players show files tagged 1-1-1. scene: "
        + "the camera's curve, so HLG and SDR are converted into each other through the light of "
        + "the scene, without any display."),
  ]

  // The schema has a single range for all codecs, which has to contain the range of every encoder.
  static let rateFactors = VideoCodec.all.compactMap { $0.encoder.rateFactors }.reduce(0...0) {
    min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
  }
  static let bitRates = 1_000...2_000_000_000
  static let keyFrameIntervals = 1...100_000
  static let keyFrameDurations = 0.01...86_400

  private static let compression: [PresetKey] = [
    PresetKey(
      path: "video.compressionProperties.constantRateFactor", values: .number(rateFactors),
      usual: .number(X265Encoder.usualRateFactor),
      summary: "The encoder's constant quality; lower is better. HEVC and H.264 take 0 to 51. AV1 "
        + "takes whole numbers from 1 to 63, of which "
        + "\(SVTAV1Encoder.usualRateFactor.text(decimals: 0)) is the default.",
      group: "the data rate"
    ) { (reader, key, settings) throws(TranscodingError) in
      let factors = settings.video.codec?.encoder.rateFactors ?? rateFactors
      guard let factor = try reader.number(key, in: factors) else { return }
      settings.video.rateControl = .constantRateFactor(factor)
    }.withChangeableDefault,
    .number(
      "video.compressionProperties.quality", \.video.rateControl, in: 0...1, group: "the data rate",
      "Constant quality on Apple's scale: the rate factor is 44 − 32 × quality, or for AV1 "
        + "62 − 48 × quality."
    ) { .quality($0) },
    PresetKey(
      path: "video.compressionProperties.averageBitRate", values: .integer(bitRates),
      summary: "The average bit rate, in bits a second.", group: "the data rate"
    ) { (reader, key, settings) throws(TranscodingError) in
      let rate = try reader.integer(key, in: bitRates)
      settings.video.rateControl = rate.map { .averageBitRate($0) }
    },
    PresetKey(
      path: "video.compressionProperties.lossless", values: .boolean, usual: .bool(false),
      summary: "Whether decoding gives back exactly the pixels that were encoded.",
      group: "the data rate"
    ) { (reader, key, settings) throws(TranscodingError) in
      if try reader.bool(key) == true { settings.video.rateControl = .lossless }
    },
    speed,
    .integer(
      "video.compressionProperties.maxKeyFrameInterval", \.video.maxKeyFrameInterval,
      in: keyFrameIntervals,
      "The largest number of frames from one sync sample to the next. Absent: the encoder's "
        + "default."
    ) { $0 },
    .number(
      "video.compressionProperties.maxKeyFrameIntervalDuration",
      \.video.maxKeyFrameIntervalDuration, in: keyFrameDurations,
      "The longest time from one sync sample to the next, in seconds. It is converted to a number "
        + "of frames at the average rate. If maxKeyFrameInterval is set, too, the smaller number "
        + "wins."
    ) { $0 },
    dataRateLimits,
    .boolean(
      "video.compressionProperties.allowFrameReordering", \.video.allowFrameReordering,
      usual: true, "Whether to use B frames."),
    .choice(
      "video.compressionProperties.hdrMetadataInsertionMode", \.video.hdrMetadataInsertionMode,
      usual: .auto,
      "Whether to make HDR metadata for HDR outputs. auto: Dolby Vision is kept, or profile 8.4 is "
        + "computed for HLG. If the output is HLG and the source states no ambient viewing "
        + "environment, one is assumed. none: no Dolby Vision is written, and nothing is assumed. "
        + "In both modes, the source's static HDR metadata, HDR10+ and ST 2094-50 are kept if they "
        + "are still true."),
    .boolean(
      "video.compressionProperties.preserveDynamicHDRMetadata", \.video.preserveDynamicHDRMetadata,
      usual: true, "Whether to use the source's dynamic HDR metadata."),
    contentLightLevel,
    profileLevel("video.compressionProperties.profileLevel"),
    encoderOptions,
  ]

  private static let primaries = ["ITU_R_709_2", "EBU_3213", "SMPTE_C", "ITU_R_2020", "P3_D65"]
  private static let transferFunctions = [
    "ITU_R_709_2", "SMPTE_240M_1995", "ITU_R_2100_HLG", "SMPTE_ST_2084_PQ",
  ]
  private static let matrices = ["ITU_R_709_2", "ITU_R_601_4", "ITU_R_2020"]

  private static let composition: [PresetKey] = [
    .object(
      "video.composition.colorProperties",
      "The working space: the color of frames during composition. Absent: the source's color.",
      begin: { _, _, settings in settings.video.layout.colorProperties = .unspecified }),
    codePoint(
      "video.composition.colorProperties.colorPrimaries", \.video.layout.statedColor.colorPrimaries,
      primaries),
    codePoint(
      "video.composition.colorProperties.transferFunction",
      \.video.layout.statedColor.transferCharacteristics, transferFunctions),
    codePoint(
      "video.composition.colorProperties.yCbCrMatrix",
      \.video.layout.statedColor.matrixCoefficients, matrices),

    .object("video.composition.crop", "The part of the frame to keep."),
    .integer("video.composition.crop.x", \.video.layout.part.x, in: places, usual: 0) { $0 },
    .integer("video.composition.crop.y", \.video.layout.part.y, in: places, usual: 0) { $0 },
    side("crop.width", \.video.layout.part.width), side("crop.height", \.video.layout.part.height),
    .object("video.composition.scale", "The size to scale the frame to, after cropping."),
    side("scale.width", \.video.layout.scaled.width),
    side("scale.height", \.video.layout.scaled.height),
    .object(
      "video.composition.pad",
      "The size of the black canvas on which the frame is centered, after scaling."),
    side("pad.width", \.video.layout.padded.width),
    side("pad.height", \.video.layout.padded.height),
    .object(
      "video.composition.overlay",
      "A still image to lay over the frame, converted to the frame's color."),
    .text(
      "video.composition.overlay.file", missing: "set it to the path of a PNG file",
      "The path of a PNG file."
    ) { (reader, key, settings) throws(TranscodingError) in
      if let file = try reader.string(key) { settings.video.layout.laidOver.file = file }
    },
    .integer(
      "video.composition.overlay.x", \.video.layout.laidOver.x, in: offsets, usual: 0
    ) { $0 },
    .integer(
      "video.composition.overlay.y", \.video.layout.laidOver.y, in: offsets, usual: 0
    ) { $0 },
    .number(
      "video.composition.overlay.opacity", \.video.layout.laidOver.opacity, in: 0...1, usual: 1
    ) { $0 },
  ]

  private static func side(
    _ name: String, _ property: Place<Int>
  ) -> PresetKey {
    .integer(
      "video.composition.\(name)", property, in: sides,
      missing: "a size needs a width and a height"
    ) { $0 }
  }
}
