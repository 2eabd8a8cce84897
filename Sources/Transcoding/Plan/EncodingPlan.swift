internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Settings
internal import VideoEncoders

/// How pictures are made anew: what they mean, what they become, and what the encoder is told.
struct EncodingPlan: Sendable {
  let codec: VideoTrackFormat.Codec
  /// What the source's signal means, and who says so.
  let tags: SourceTags
  /// The rule of tagging that applies, and the tags.
  let decision: TaggingDecision
  /// What makes the pictures before they are scaled; nil for nothing.
  let composition: CompositionPlan?
  /// How the size changes.
  let geometry: ScaledGeometry
  /// The source's clean aperture where the pictures are cropped to it; nil where they are not.
  let croppedAperture: CleanAperture?
  /// What the sample entry says of the output's shape.
  let shape: PictureShape
  /// The size of the pictures before scaling.
  let sourceSize: VideoDimensions
  /// The pictures as they are decoded, before scaling.
  let source: PictureDescription
  /// How color, range, depth and chroma change.
  let conversion: ConversionPlan
  /// What the encoder is told.
  let encoder: VideoEncoderSettings
  /// The matrix of the output's track header.
  let matrix: [Int32]?
  /// The peak of the display that HLG is for, in cd/m².
  let hlgPeakLuminance: Double
  /// The HDR metadata of the output.
  let hdrMetadata: HDRMetadataPlan

  init(
    _ pictures: PictureSource, settings: VideoSettings, _ options: TranscodeOptions,
    _ notices: inout Notices
  ) throws {
    let facts = pictures.facts
    _ = try pictures.dolbyVision()
    codec = settings.codec == .h264 ? .h264 : .hevc
    sourceSize = facts.size
    composition = pictures.composition
    tags = SourceTags(facts, sourceColor: options.sourceColor, &notices)
    if options.strict, let conflict = tags.conflicts.first {
      throw TranscodingError(refusing: .tagConflict(conflict)).of(pictures.name)
    }
    decision = OutputTags.decide(tags.signal.color, settings: settings, sourceFormat: facts.format)
    notices.add(decision, source: tags.signal.color)
    let format = try OutputFormat.choose(
      settings, source: facts.format, color: decision.output, sourceSize: facts.size)
    (source, conversion) = try Self.plan(
      facts, tags.signal, decision: decision, settings: settings, format: format)
    try OutputFormat.refuseOddSize(settings, format)
    geometry = Self.geometry(
      pictures, settings: settings,
      Self.coarser(facts.format.chromaSubsampling, format.chromaSubsampling))
    var encoder = Self.encoderSettings(
      pictures, settings: settings, signal: conversion.target.signal, format: format, geometry)
    let size = encoder.size
    croppedAperture = geometry.isCropped ? pictures.cleanAperture : nil
    shape = Self.shape(pictures, settings, encoder, geometry)
    matrix = pictures.matrix.flatMap(DisplayMatrix.init)?.scaled(from: facts.size, to: size)
    hdrMetadata = HDRMetadataPlan(
      facts.hdrMetadata,
      pictures: conversion.isIdentity ? geometry.change : .colors,
      from: decision.source, to: decision.output,
      // Where the source's tags go on, so does the way in which it states them.
      fallback: decision.rule == .propagate ? tags.fallbackTransfer : nil, settings: settings,
      encoder: encoder, source: pictures)
    encoder.givesPictures = hdrMetadata.computesRPUs || hdrMetadata.measuresContentLightLevel
    self.encoder = encoder
    hlgPeakLuminance = settings.conversion.hlgPeakLuminance
    try refuseImpossibleMeasurement(settings)
    try checkEncoder()
    notices.add(hdrMetadata)
    notices.addPictureChanges(source: facts, self)
    notices.addIdleChromaLocation(settings, format)
  }

  /// Finds what the encoder would refuse, before anything is done.
  private func checkEncoder() throws {
    do {
      switch codec {
      case .hevc: try X265Encoder.check(encoder)
      case .h264: try X264Encoder.check(encoder)
      }
    } catch {
      throw TranscodingError(planning: error)
    }
  }

  private static func plan(
    _ facts: VideoFacts, _ signal: SignalDescription, decision: TaggingDecision,
    settings: VideoSettings, format: PixelFormat
  ) throws -> (PictureDescription, ConversionPlan) {
    let source = PictureDescription(
      facts,
      signal: SignalDescription(
        color: decision.source, videoFullRangeFlag: signal.videoFullRangeFlag,
        chromaLocation: signal.chromaLocation))
    // The full range of R'G'B' says nothing of the Y'CbCr that is made of it.
    let becomesYCbCr = facts.isRGB && decision.output.matrixCoefficients != .identity
    let target = PictureDescription(
      signal: SignalDescription(
        color: decision.output,
        videoFullRangeFlag: settings.videoFullRangeFlag
          ?? (becomesYCbCr ? false : signal.videoFullRangeFlag),
        chromaLocation: format.chromaSubsampling == .cs420
          ? settings.chromaLocation ?? signal.chromaLocation : nil),
      format: format)
    do {
      return (source, try ConversionPlan(from: source, to: target, options: settings.conversion))
    } catch {
      throw TranscodingError(.unusableInput, "\(error)")
    }
  }

  /// The clean aperture is cut out where the settings ask for that.
  private static func geometry(
    _ pictures: PictureSource, settings: VideoSettings, _ subsampling: ChromaSubsampling
  ) -> ScaledGeometry {
    let aperture = settings.cleanAperture == .crop ? pictures.cleanAperture : nil
    return ScaledGeometry(
      source: pictures.facts.size, settings: settings, subsampling: subsampling,
      crop: aperture?.samples(of: pictures.facts, subsampling: subsampling))
  }

  private static func shape(
    _ pictures: PictureSource, _ settings: VideoSettings, _ encoder: VideoEncoderSettings,
    _ geometry: ScaledGeometry
  ) -> PictureShape {
    // Fields of H.264 are coded as such, and its pictures say so.
    let fields = settings.codec == .hevc ? encoder.fieldOrder : .progressive
    let aperture = settings.cleanAperture == .keep ? pictures.cleanAperture : nil
    return PictureShape(
      cleanAperture: aperture?.moved(by: geometry, from: pictures.facts.size),
      fieldOrder: fields, pixelAspectRatio: encoder.sampleAspectRatio)
  }

  static func coarser(
    _ a: ChromaSubsampling, _ b: ChromaSubsampling
  ) -> ChromaSubsampling {
    a.horizontalShift + a.verticalShift > b.horizontalShift + b.verticalShift ? a : b
  }

  private static func encoderSettings(
    _ pictures: PictureSource, settings: VideoSettings, signal: SignalDescription,
    format: PixelFormat, _ geometry: ScaledGeometry
  ) -> VideoEncoderSettings {
    var encoder = VideoEncoderSettings(
      size: geometry.size, format: format, signal: signal,
      timescale: pictures.timescale, frameRate: pictures.frameRate)
    encoder.sampleAspectRatio = geometry.sampleAspectRatio(
      pictures.sampleAspectRatio, source: pictures.facts.size)
    if let rate = settings.rateControl { encoder.rateControl = rate }
    encoder.speed = settings.speed
    encoder.maxKeyFrameInterval = settings.maxKeyFrameInterval
    encoder.allowFrameReordering = settings.allowFrameReordering
    encoder.profile = settings.profileLevel?.profile.encoderName
    encoder.level = settings.profileLevel?.level
    encoder.options = settings.encoderOptions
    encoder.fieldOrder = pictures.facts.fieldOrder
    // Frames whose rows were mixed have no fields that HEVC could name.
    if settings.codec == .hevc && geometry.mixesRows { encoder.fieldOrder = .progressive }
    if fieldObstacle(settings.codec, encoder) != nil { encoder.fieldOrder = .progressive }
    return encoder
  }
}

extension EncodingPlan {
  /// Why interlaced pictures are coded as whole frames; nil where fields can be told.
  static func fieldObstacle(
    _ codec: VideoCodec, _ settings: VideoEncoderSettings
  ) -> X264Encoder.FieldObstacle? {
    codec == .hevc ? nil : X264Encoder.fieldObstacle(settings)
  }
}

extension TaggingDecision {
  /// The rule in a sentence.
  var explanation: String {
    switch rule {
    case .tagUntaggedSource where knowsMatrixOnly:
      "color properties are set, the source is untagged but for its matrix: it is tagged, R'G'B' "
        + "stays as it is"
    case .tagUntaggedSource:
      "color properties are set, the source is untagged: it is tagged, pixels stay as they are"
    case .convertTaggedSource:
      "color properties are set, the source is tagged: it is converted where the meaning differs"
    case .propagate: "no color properties are set: the source's tags are kept"
    case .leaveUntagged: "no color properties are set, the source is untagged: so is the output"
    }
  }
}
