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
  /// What the pictures mean, what they are to mean, and how they are converted.
  let signal: SignalPlan
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
  /// What the encoder is told.
  let encoder: VideoEncoderSettings
  /// The language as three letters (ISO 639-2); nil where it is not stated.
  let language: String?
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
    let tags = SourceTags(facts, sourceColor: options.sourceColor)
    notices.add(contentsOf: tags.notices)
    if options.strict, let conflict = tags.conflicts.first {
      throw TranscodingError(refusing: .tagConflict(conflict)).of(pictures.name)
    }
    let wanted = WantedSignal(
      color: settings.colorProperties, allowsWideColor: settings.allowWideColor,
      videoFullRangeFlag: settings.videoFullRangeFlag,
      // Where the composition's pictures have no place for it, the source's is kept.
      chromaLocation: settings.chromaLocation ?? composition?.signal.tags.signal.chromaLocation)
    let decision = wanted.decision(for: tags.signal.color, OutputFormat.subsampling(settings))
    notices.add(decision, source: tags.signal.color)
    let format = try OutputFormat.choose(
      settings, source: facts.format, color: decision.output, sourceSize: facts.size)
    do {
      signal = try SignalPlan(
        of: facts, tags: tags, wanted: wanted, format: format, options: settings.conversion)
    } catch {
      throw TranscodingError(.unusableInput, "\(error)")
    }
    try OutputFormat.refuseOddSize(settings, format)
    geometry = Self.geometry(
      pictures, settings: settings,
      Self.coarser(facts.format.chromaSubsampling, format.chromaSubsampling))
    var encoder = Self.encoderSettings(
      pictures, settings: settings, signal: signal.conversion.target.signal, format: format,
      geometry)
    let size = encoder.size
    croppedAperture = geometry.isCropped ? pictures.cleanAperture : nil
    shape = Self.shape(pictures, settings, encoder, geometry)
    language = pictures.language
    matrix = pictures.matrix.flatMap(DisplayMatrix.init)?.scaled(from: facts.size, to: size)
    hdrMetadata = HDRMetadataPlan(
      facts.hdrMetadata,
      pictures: signal.conversion.isIdentity ? geometry.change : .colors,
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

  /// How color, range, depth and chroma change.
  var conversion: ConversionPlan { signal.conversion }

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
  static func fieldObstacle(_ codec: VideoCodec, _ settings: VideoEncoderSettings) -> String? {
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
