// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import ColorConversion
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
package import Settings
package import Shots
package import VideoEncoders

/// Plan for encoding frames: their signal, their size, and the encoder's settings.
package struct EncodingPlan: Sendable {
  package let codec: VideoCodec
  /// The frames that there are.
  package let pictures: PictureSource
  /// Settings of the user for the frames.
  let settings: VideoSettings
  /// Meaning of the source's frames and of the output's, and the conversion between them.
  let signal: SignalPlan
  /// Change of the size.
  let geometry: ScaledGeometry
  /// Settings of the encoder.
  package private(set) var encoder: VideoEncoderSettings
  /// The HDR metadata of the output.
  package let hdrMetadata: HDRMetadataPlan
  /// The shots that the tone curve is fitted to; nil where it is one curve for all.
  package let shots: ShotPlan?
  /// Notices about assumptions and losses.
  package private(set) var notices: [Notice] = []

  /// - Parameter shots: the shots that pictures show, where the tone curve is to be fitted to them.
  package init(
    of pictures: PictureSource, settings: VideoSettings, options: TranscodeOptions,
    shots: ShotPlan? = nil
  ) throws {
    try settings.refuseImpossibleValues()
    self.pictures = pictures
    self.settings = settings
    self.shots = shots
    let facts = pictures.facts
    _ = try pictures.dolbyVision()
    codec = settings.codec ?? .usual
    let tags = SourceTags(facts, sourceColor: options.sourceColor)
    if options.strict, let conflict = tags.conflicts.first {
      throw TranscodingError(refusing: .tagConflict(conflict)).of(pictures.name)
    }
    signal = try Self.signal(
      of: pictures, tags: tags, settings: settings, measuredPeak: shots?.peak)
    let format = signal.conversion.target.format
    try settings.refuseOddSize(in: format)
    geometry = Self.geometry(
      of: pictures, settings: settings,
      subsampling: Self.coarser(facts.format.chromaSubsampling, format.chromaSubsampling))
    var encoder = Self.encoderSettings(
      of: pictures, as: signal.conversion.target, geometry: geometry, settings: settings)
    hdrMetadata = HDRMetadataPlan(
      of: pictures, signal: signal,
      change: Self.change(of: pictures, by: geometry, signal.conversion), settings: settings,
      encoder: encoder)
    encoder.isReproducible = options.isSegmented
    encoder.givesPictures = hdrMetadata.computesRPUs || hdrMetadata.measuresContentLightLevel
    self.encoder = encoder
    try refuseImpossibleMeasurement()
    try checkEncoder()
    notices = allNotices
  }

  /// The plan with an encoder whose pool has so many threads; 0 for as many as there are cores.
  package func withPool(of threads: Int) -> EncodingPlan {
    var plan = self
    plan.encoder.poolThreads = threads
    return plan
  }

  /// The plan with an encoder that begins with a buffer of which a share is full, and that so many
  /// bits fill each second.
  ///
  /// - Parameter level: the level that it states; nil for that of the settings.
  package func withBuffer(start: Double, rate: Double, level: String?) -> EncodingPlan {
    var plan = self
    plan.encoder.setBuffer(start: start, rate: rate)
    plan.encoder.level = level ?? plan.encoder.level
    return plan
  }

  /// The plan with tone curves for the shots of a track, where they are to be fitted.
  func fitted(to track: AssetTrack, options: TranscodeOptions) throws -> EncodingPlan {
    guard conversion.measuresLight, pictures.composition == nil,
      let shots = try options.shots
        ?? ShotPlan(
          of: track, conversion, hlgPeakLuminance: settings.conversion.hlgPeakLuminance)
    else { return self }
    return try EncodingPlan(of: pictures, settings: settings, options: options, shots: shots)
  }

  /// The signal, in the format that the output's color needs.
  private static func signal(
    of pictures: PictureSource, tags: SourceTags, settings: VideoSettings, measuredPeak: Double?
  ) throws -> SignalPlan {
    let facts = pictures.facts
    // The source's chroma location is kept if a composition's frames have no place for one.
    let sourceLocation = pictures.composition?.signal.tags.signal.chromaLocation
    let wanted = WantedSignal(
      color: settings.colorProperties, allowsWideColor: settings.allowWideColor,
      videoFullRangeFlag: settings.videoFullRangeFlag,
      chromaLocation: settings.chromaLocation ?? sourceLocation)
    let subsampling = settings.outputSubsampling(of: pictures)
    let color = wanted.decision(for: tags.signal.color, subsampling).output
    let format = try settings.outputFormat(
      of: facts.format, color: color, subsampling: subsampling)
    do {
      return try SignalPlan(
        of: facts, tags: tags, wanted: wanted, format: format, options: settings.conversion,
        measuredPeak: measuredPeak)
    } catch {
      throw TranscodingError(.unusableInput, "\(error)")
    }
  }

  private var allNotices: [Notice] {
    var notices = Notices(signal.tags.notices)
    notices.add(signal.decision, source: signal.tags.signal.color)
    notices.add(hdrMetadata)
    notices.addPictureChanges(source: pictures.facts, self)
    notices.addIdleChromaLocation(settings, encoder.format)
    return notices.all
  }

  /// Shape of the output's frames, as the sample entry states it.
  package var shape: PictureShape {
    let aperture = settings.cleanAperture == .keep ? pictures.cleanAperture : nil
    return PictureShape(
      cleanAperture: aperture?.moved(by: geometry, from: pictures.facts.size),
      fieldOrder: encoder.fieldOrder, pixelAspectRatio: encoder.sampleAspectRatio)
  }

  /// The matrix of the output's track header.
  package var matrix: [Int32]? {
    pictures.matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: pictures.facts.size, to: encoder.size)
  }

  /// Conversion of color, range, depth and chroma.
  package var conversion: ConversionPlan { signal.conversion }

  /// Change of frames that matters to their metadata. Samples that only lie elsewhere in memory
  /// are the same picture.
  private static func change(
    of pictures: PictureSource, by geometry: ScaledGeometry, _ conversion: ConversionPlan
  ) -> PictureChange {
    guard conversion.isIdentity || conversion.keepsCodeValues else { return .colors }
    let isWithoutBars = geometry.cut != nil && geometry.cut == pictures.withoutBars
    return isWithoutBars ? .bars : geometry.change
  }

  /// Finds refusals of the encoder, before anything is done.
  private func checkEncoder() throws {
    do {
      try codec.encoder.check(encoder)
    } catch {
      let refusal = TranscodingError(planning: error)
      let size = pictures.facts.size
      guard encoder.size != size, refusal.kind == .unusableInput else { throw refusal }
      throw TranscodingError(
        refusal.kind, "its frames of \(size) become \(encoder.size): \(refusal.message)")
    }
  }

  /// Change of the size. The clean aperture, or the area without bars, is cut out where the
  /// settings ask for it.
  private static func geometry(
    of pictures: PictureSource, settings: VideoSettings, subsampling: ChromaSubsampling
  ) -> ScaledGeometry {
    ScaledGeometry(
      source: pictures.facts.size, settings: settings, subsampling: subsampling,
      crop: pictures.part(takenBy: settings, subsampling: subsampling),
      pixels: pictures.sampleAspectRatio, hasFields: pictures.facts.fieldOrder != .progressive)
  }

  package static func coarser(
    _ a: ChromaSubsampling, _ b: ChromaSubsampling
  ) -> ChromaSubsampling {
    a.horizontalShift + a.verticalShift > b.horizontalShift + b.verticalShift ? a : b
  }

  private static func encoderSettings(
    of pictures: PictureSource, as target: PictureDescription, geometry: ScaledGeometry,
    settings: VideoSettings
  ) -> VideoEncoderSettings {
    var encoder = VideoEncoderSettings(
      size: geometry.size, format: target.format, signal: target.signal,
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
    // Frames whose rows were mixed have no fields.
    if geometry.mixesFields { encoder.fieldOrder = .progressive }
    if settings.codec?.encoder.fieldObstacle(encoder) != nil { encoder.fieldOrder = .progressive }
    return encoder
  }
}

extension TaggingDecision {
  /// The rule, for people.
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
