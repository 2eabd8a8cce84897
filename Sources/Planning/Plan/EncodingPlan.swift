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

/// How frames are encoded: their signal, their size, and the encoder's settings.
package struct EncodingPlan: Sendable {
  package let codec: VideoCodec
  /// The frames to encode.
  package let pictures: PictureSource
  /// The user's settings for video.
  let settings: VideoSettings
  /// The signal of the source and of the output, and the conversion between them.
  let signal: SignalPlan
  let geometry: ScaledGeometry
  /// The encoder's settings, derived from all the above.
  package private(set) var encoder: VideoEncoderSettings
  /// The HDR metadata of the output.
  package let hdrMetadata: HDRMetadataPlan
  /// The shots that tone curves are fitted to, or `nil` for a single curve.
  package let shots: ShotPlan?
  /// Notices about assumptions and losses.
  package private(set) var notices: [Notice] = []

  /// - Parameter shots: the shots found in the frames, if tone curves are fitted to them.
  package init(
    of pictures: PictureSource, settings: VideoSettings, options: TranscodeOptions,
    shots: ShotPlan? = nil
  ) throws {
    try settings.refuseImpossibleValues()
    self.pictures = pictures
    self.settings = settings
    self.shots = shots
    let facts = pictures.facts
    // Only for its errors: some profiles of Dolby Vision cannot be converted at all.
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
      // Sizes must suit the source's chroma and the output's, since scaling may come before or
      // after the conversion.
      subsampling: Self.coarser(facts.format.chromaSubsampling, format.chromaSubsampling))
    var encoder = Self.encoderSettings(
      of: pictures, as: signal.conversion.target, geometry: geometry, settings: settings)
    hdrMetadata = HDRMetadataPlan(
      of: pictures, signal: signal,
      change: Self.change(of: pictures, by: geometry, signal.conversion), settings: settings,
      encoder: encoder)
    // Segments may be encoded on different machines, and must not depend on processor or threads.
    encoder.isReproducible = options.isSegmented
    // RPUs and light levels are measured in the frames that the stream will show.
    encoder.givesPictures = hdrMetadata.computesRPUs || hdrMetadata.measuresContentLightLevel
    self.encoder = encoder
    try refuseImpossibleMeasurement()
    try checkEncoder()
    notices = allNotices
  }

  /// Returns the plan with a number of encoder threads, or 0 for one for each core.
  package func withPool(of threads: Int) -> EncodingPlan {
    var plan = self
    plan.encoder.poolThreads = threads
    return plan
  }

  /// Returns the plan with a buffer that starts filled to a share and is filled at this bit rate.
  ///
  /// - Parameter level: the level to declare, or `nil` for the settings'.
  package func withBuffer(start: Double, rate: Double, level: String?) -> EncodingPlan {
    var plan = self
    plan.encoder.setBuffer(start: start, rate: rate)
    plan.encoder.level = level ?? plan.encoder.level
    return plan
  }

  /// Returns the plan with tone curves fitted to a track's shots, if they should be.
  func fitted(to track: AssetTrack, options: TranscodeOptions) throws -> EncodingPlan {
    // Composed frames have another light than the track's, so they keep one curve.
    guard conversion.measuresLight, pictures.composition == nil,
      let shots = try options.shots
        ?? ShotPlan(
          of: track, conversion, hlgPeakLuminance: settings.conversion.hlgPeakLuminance)
    else { return self }
    return try EncodingPlan(of: pictures, settings: settings, options: options, shots: shots)
  }

  /// Plans the signal, in the format that the output's color needs.
  private static func signal(
    of pictures: PictureSource, tags: SourceTags, settings: VideoSettings, measuredPeak: Double?
  ) throws -> SignalPlan {
    let facts = pictures.facts
    // A composition in 4:4:4 has no chroma location. If the output is 4:2:0 again, the source's
    // applies.
    let sourceLocation = pictures.composition?.signal.tags.signal.chromaLocation
    let wanted = WantedSignal(
      color: settings.colorProperties, allowsWideColor: settings.allowWideColor,
      videoFullRangeFlag: settings.videoFullRangeFlag,
      chromaLocation: settings.chromaLocation ?? sourceLocation)
    // The format depends on the output's color (HDR needs 10 bits) and the plan on the format, so
    // the color is decided first.
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

  /// The shape of the output's frames for the sample entry.
  package var shape: PictureShape {
    let aperture = settings.cleanAperture == .keep ? pictures.cleanAperture : nil
    return PictureShape(
      cleanAperture: aperture?.moved(by: geometry, from: pictures.facts.size),
      fieldOrder: encoder.fieldOrder, pixelAspectRatio: encoder.sampleAspectRatio)
  }

  /// The matrix for the output's track header.
  package var matrix: [Int32]? {
    pictures.matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: pictures.facts.size, to: encoder.size)
  }

  package var conversion: ConversionPlan { signal.conversion }

  /// Returns what the change of frames means for their metadata.
  private static func change(
    of pictures: PictureSource, by geometry: ScaledGeometry, _ conversion: ConversionPlan
  ) -> PictureChange {
    // Samples that only lie elsewhere in memory are the same image. Anything else changes the
    // light.
    guard conversion.isIdentity || conversion.keepsCodeValues else { return .colors }
    let isWithoutBars = geometry.cut != nil && geometry.cut == pictures.withoutBars
    return isWithoutBars ? .bars : geometry.change
  }

  /// Asks the encoder whether it takes the settings, before anything is done.
  private func checkEncoder() throws {
    do {
      try codec.encoder.check(encoder)
    } catch {
      let refusal = TranscodingError(planning: error)
      let size = pictures.facts.size
      // If the size was changed by settings, the error has to say where it comes from.
      guard encoder.size != size, refusal.kind == .unusableInput else { throw refusal }
      throw TranscodingError(
        refusal.kind, "its frames of \(size) become \(encoder.size): \(refusal.message)")
    }
  }

  /// Plans the size. The clean aperture, or the area without bars, is cut out if asked for.
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
    encoder.maxKeyFrameInterval = settings.keyFrameInterval(
      at: encoder.frameRate.framesPerSecond)
    encoder.allowFrameReordering = settings.allowFrameReordering
    encoder.profile = settings.profileLevel?.profile.encoderName
    encoder.level = settings.profileLevel?.level
    encoder.options = settings.encoderOptions.merging(settings.dataRateOptions) { own, _ in own }
    encoder.fieldOrder = pictures.facts.fieldOrder
    // Once rows of both fields are mixed, there are no fields to declare.
    if geometry.mixesFields { encoder.fieldOrder = .progressive }
    // Some encoders cannot code fields of this kind; `fieldsNotStated` says so.
    if settings.codec?.encoder.fieldObstacle(encoder) != nil { encoder.fieldOrder = .progressive }
    return encoder
  }
}

extension TaggingDecision {
  /// The rule as text.
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
