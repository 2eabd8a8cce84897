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
  package let frameSource: FrameSource
  /// The user's settings for video.
  let settings: VideoSettings
  /// The kind of file to write.
  private let container: FileType
  /// The signal of the source and of the output, and the conversion between them.
  let signal: SignalPlan
  let geometry: ScaledGeometry
  /// What happens to the source's frames.
  let change: FrameChange
  /// The encoder's settings, derived from all the above.
  package internal(set) var encoder: VideoEncoderSettings
  /// The HDR metadata of the output.
  package let hdrMetadata: HDRMetadataPlan
  /// The shots that tone curves or gain curves are fitted to, or `nil` for a single curve.
  package let shots: ShotPlan?
  /// Notices about assumptions and losses.
  package private(set) var notices: [Notice] = []

  /// - Parameters:
  ///   - container: the kind of file to write.
  ///   - shots: the shots found in the frames, if curves are fitted to them.
  package init(
    of frameSource: FrameSource, settings: VideoSettings, container: FileType,
    options: TranscodeOptions, shots: ShotPlan? = nil
  ) throws {
    try settings.refuseImpossibleValues()
    self.frameSource = frameSource
    self.settings = settings
    self.container = container
    self.shots = shots
    let facts = frameSource.facts
    // Some profiles of Dolby Vision cannot be converted. This call throws for them, and its result
    // is not needed.
    _ = try frameSource.dolbyVisionSource()
    codec = settings.codec ?? .usual
    let tags = SourceTags(facts, sourceColor: options.sourceColor)
    if options.strict, let conflict = tags.conflicts.first {
      throw TranscodingError(refusing: .tagConflict(conflict)).of(frameSource.name)
    }
    let plain = try Self.signal(
      of: frameSource, tags: tags, settings: settings, measuredPeak: nil)
    // If shots are known only because gain curves need them, their peak does not matter here.
    signal =
      plain.conversion.measuresLight
      ? try Self.signal(
        of: frameSource, tags: tags, settings: settings, measuredPeak: shots?.peak) : plain
    let format = signal.conversion.target.format
    try settings.refuseOddSize(in: format)
    geometry = Self.geometry(
      of: frameSource, settings: settings,
      // Sizes must suit the source's chroma and the output's, because scaling may come before or
      // after the conversion.
      subsampling: Self.coarser(facts.format.chromaSubsampling, format.chromaSubsampling))
    var encoder = Self.encoderSettings(
      of: frameSource, as: signal.conversion.target, geometry: geometry, settings: settings)
    change = Self.change(of: frameSource, by: geometry, signal.conversion)
    hdrMetadata = HDRMetadataPlan(
      of: frameSource, signal: signal, change: change, settings: settings, encoder: encoder
    ).stated(in: container)
    // Segments may be encoded on different machines, so the result must not depend on the processor
    // or the number of threads.
    encoder.isReproducible = options.isSegmented
    // RPUs, HDR10+ and light levels are measured in the frames that decoders will show.
    encoder.returnsDecodedFrames = hdrMetadata.needsDecodedFrames
    self.encoder = encoder
    try refuseImpossibleHDRMetadata()
    try checkEncoder()
    notices = allNotices
  }

  /// Returns the plan with the given number of encoder threads. 0 means one thread for each core.
  package func withPool(of threads: Int) -> EncodingPlan {
    var plan = self
    plan.encoder.poolThreads = threads
    return plan
  }

  /// Returns the plan with tone curves or gain curves for a track's shots, if the settings ask for
  /// that.
  func fitted(to track: AssetTrack, options: TranscodeOptions) throws -> EncodingPlan {
    try refuseUnmeasurableHeadroom()
    guard conversion.measuresLight || hdrMetadata.measuresHeadroom,
      // The light of composed frames differs from the track's, so they keep one curve.
      frameSource.composition == nil, options.looksForShots,
      let shots = try options.shots
        ?? ShotPlan(
          of: track, conversion, hlgPeakLuminance: settings.conversion.hlgPeakLuminance)
    else { return self }
    return try EncodingPlan(
      of: frameSource, settings: settings, container: container, options: options, shots: shots)
  }

  /// Plans the signal, in the format that the output's color needs.
  private static func signal(
    of frameSource: FrameSource, tags: SourceTags, settings: VideoSettings, measuredPeak: Double?
  ) throws -> SignalPlan {
    let facts = frameSource.facts
    // A composition in 4:4:4 has no chroma location. If the output is 4:2:0 again, the source's
    // location applies.
    let sourceLocation = frameSource.composition?.signal.tags.signal.chromaLocation
    let wanted = RequestedSignal(
      color: settings.colorProperties, allowsWideColor: settings.allowWideColor,
      videoFullRangeFlag: settings.videoFullRangeFlag,
      chromaLocation: settings.chromaLocation ?? sourceLocation)
    // The plan depends on the format. The format depends on the output's color, because HDR needs
    // 10 bits. So decide the color first.
    let subsampling = settings.outputSubsampling(of: frameSource)
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
    var notices = signal.tags.notices
    notices.add(signal.decision, source: signal.tags.signal.color)
    notices.add(hdrMetadata)
    notices.addFrameChanges(source: frameSource.facts, self)
    notices.addIdleChromaLocation(settings, encoder.format)
    notices.addLowRate(settings, encoder)
    return notices
  }

  /// Notices about what the conversion assumes, and about its options that have no effect.
  package var conversionNotices: [Notice] { ConversionPlan.notices(of: [conversion]) }

  /// The shape of the output's frames for the sample entry.
  package var shape: FrameShape {
    let aperture = settings.cleanAperture == .keep ? frameSource.cleanAperture : nil
    return FrameShape(
      cleanAperture: aperture?.moved(by: geometry, from: frameSource.facts.size),
      fieldOrder: encoder.fieldOrder, pixelAspectRatio: encoder.sampleAspectRatio)
  }

  /// The matrix for the output's track header.
  package var matrix: [Int32]? {
    frameSource.matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: frameSource.facts.size, to: encoder.size)
  }

  package var conversion: ConversionPlan { signal.conversion }

  /// Returns how frames change, which decides which of their metadata is still true.
  private static func change(
    of frameSource: FrameSource, by geometry: ScaledGeometry, _ conversion: ConversionPlan
  ) -> FrameChange {
    // If samples only move in memory, the image stays the same. Anything else changes the light.
    guard conversion.isIdentity || conversion.keepsCodeValues else { return .colors }
    let isWithoutBars = geometry.cut != nil && geometry.cut == frameSource.withoutBars
    return isWithoutBars ? .bars : geometry.change
  }

  /// Asks the encoder whether it accepts the settings, before anything is done.
  private func checkEncoder() throws {
    do {
      try codec.encoder.check(encoder)
    } catch {
      let refusal = TranscodingError(planning: error)
      let size = frameSource.facts.size
      // If settings changed the size, the error has to say what size the frames had before.
      guard encoder.size != size, refusal.kind == .unusableInput else { throw refusal }
      throw TranscodingError(
        refusal.kind, "its frames of \(size) become \(encoder.size): \(refusal.message)")
    }
  }

  /// Plans the size. Frames are cropped to the clean aperture, or to the area without bars, if the
  /// settings ask for that.
  private static func geometry(
    of frameSource: FrameSource, settings: VideoSettings, subsampling: ChromaSubsampling
  ) -> ScaledGeometry {
    ScaledGeometry(
      source: frameSource.facts.size, settings: settings, subsampling: subsampling,
      crop: frameSource.part(takenBy: settings, subsampling: subsampling),
      pixels: frameSource.sampleAspectRatio, hasFields: frameSource.facts.fieldOrder != .progressive
    )
  }

  package static func coarser(
    _ a: ChromaSubsampling, _ b: ChromaSubsampling
  ) -> ChromaSubsampling {
    a.horizontalShift + a.verticalShift > b.horizontalShift + b.verticalShift ? a : b
  }

  private static func encoderSettings(
    of frameSource: FrameSource, as target: FrameDescription, geometry: ScaledGeometry,
    settings: VideoSettings
  ) -> VideoEncoderSettings {
    var encoder = VideoEncoderSettings(
      size: geometry.size, format: target.format, signal: target.signal,
      timescale: frameSource.timescale, frameRate: frameSource.frameRate)
    encoder.sampleAspectRatio = geometry.sampleAspectRatio(
      frameSource.sampleAspectRatio, source: frameSource.facts.size)
    let library = (settings.codec ?? .usual).encoder
    encoder.rateControl =
      settings.rateControl?.resolved(for: library)
      ?? .constantRateFactor(library.usualRateFactor)
    encoder.speed = settings.speed
    encoder.maxKeyFrameInterval = settings.keyFrameInterval(
      at: encoder.frameRate.framesPerSecond)
    encoder.allowFrameReordering = settings.allowFrameReordering
    encoder.profile = settings.profileLevel?.profile.encoderName
    encoder.level = settings.profileLevel?.level
    encoder.options = settings.encoderOptions.merging(settings.dataRateOptions) { own, _ in own }
    encoder.fieldOrder = frameSource.facts.fieldOrder
    // Once rows of both fields are mixed, there are no fields to declare.
    if geometry.mixesFields { encoder.fieldOrder = .progressive }
    // Some encoders cannot code these frames as fields. The notice `fieldsNotStated` says so.
    if settings.codec?.encoder.fieldObstacle(encoder) != nil { encoder.fieldOrder = .progressive }
    return encoder
  }
}

extension TaggingDecision {
  /// The rule as text.
  var explanation: String {
    switch rule {
    case .tagUntaggedSource where knowsMatrixOnly:
      "color properties are set, and the source is untagged except for its matrix: the output is "
        + "tagged with the color properties, and R'G'B' does not change"
    case .tagUntaggedSource:
      "color properties are set, and the source is untagged: the output is tagged with them, "
        + "and pixels do not change"
    case .convertTaggedSource:
      "color properties are set, and the source is tagged: it is converted if its tags mean "
        + "something else"
    case .propagate: "no color properties are set: the source's tags are kept"
    case .leaveUntagged:
      "no color properties are set, and the source is untagged: the output is untagged, too"
    }
  }
}
