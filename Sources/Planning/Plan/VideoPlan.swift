// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
internal import NALUnits
internal import Reading
package import Settings
package import VideoEncoders

/// What is planned for a video track.
package struct VideoPlan: Sendable {
  /// The track that frames or samples are read from.
  package let track: AssetTrack
  /// The first step: how frames change in shape and time; `nil` if samples are copied.
  package let shape: ShapePlan?
  /// The composition that comes next, if any.
  package let composition: CompositionPlan?
  /// How frames are encoded, or `nil` if samples are copied.
  package let encoding: EncodingPlan?
  /// The HDR metadata of copied samples and their sample entry, or `nil` if frames are encoded.
  package let copiedMetadata: HDRMetadataPlan?
  /// Notices about assumptions and losses.
  let notices: [Notice]

  /// Whether the conversion also reshapes frames of Dolby Vision 5 or 10.0 (applies the mapping in
  /// their RPUs), so that they are converted only once. If there is no conversion, or if frames are
  /// shaped, composed or scaled before it, they are reshaped when they are read.
  package var convertsUnreshaped: Bool {
    guard let encoding, composition == nil, shape?.steps.isEmpty ?? true else { return false }
    let facts = encoding.frameSource.facts
    return facts.isReshaped && encoding.geometry.scaling == nil
      && encoding.conversion.reshaping != nil
      // The conversion is planned for the format of reshaped frames, and a base layer of fewer than
      // 10 bits has a different one.
      && track.video?.format == facts.format
      // A color stated by the user is that of reshaped frames, so reshape before it is used.
      && encoding.signal.tags.signal == facts.tags.signal
  }

  init(
    of track: AssetTrack, settings: VideoSettings, container: FileType,
    options: TranscodeOptions, checkpoint: Pipeline.Checkpoint
  ) throws {
    self.track = track
    var settings = try settings.suited(to: container, copying: track)
    guard settings.codec != nil else {
      (shape, composition, encoding) = (nil, nil, nil)
      let metadata = try Self.copy(track, settings: settings, container: container, options)
        .stated(in: container, copying: track.video?.hdrMetadata)
      copiedMetadata = metadata
      var notices: [Notice] = []
      notices.add(metadata)
      if let fault = track.configurationFault { notices.append(fault) }
      notices.addConflicts(of: track, metadata)
      notices.addCopiedDolbyVision(track, metadata)
      notices.addLostRecord(of: track, metadata, in: container)
      if metadata.convertsRPUs { notices.addDroppedLayer(of: track) }
      if !track.demuxed.spatialElements.isEmpty, let loss = track.spatialLoss {
        notices.append(loss)
      }
      if let span = track.copiedSpan, span.hiddenCount > 0 {
        notices.append(.framesHidden(span.hiddenCount))
      }
      notices.append(contentsOf: ShapePlan.idleSettings(settings))
      notices.add(
        lost: Self.factsLost(copying: track, metadata, in: container), in: container)
      notices.append(contentsOf: Self.meaninglessStatements(copying: track, in: container))
      if metadata.statesAmbientLightInSamplesAlone(in: container) {
        notices.append(.ambientLightInBitstream)
      }
      self.notices = notices
      return
    }
    copiedMetadata = nil
    try settings.codec?.refuse(in: container)
    let (source, found) = try Self.source(track, options, checkpoint)
    if let rate = try options.videoComposition?.frameRate() { settings.frameRate = .exactly(rate) }
    let shape = try ShapePlan(of: source, track: track, settings: settings)
    self.shape = shape
    let (frameSource, lost) = try Self.compose(shape.result, settings: settings, options)
    composition = frameSource.composition
    var options = options
    // The composition has already used the color that the user declared for the source. Its result
    // has its own color.
    if composition != nil { options.sourceColor = nil }
    let encoding = try EncodingPlan(
      of: frameSource, settings: settings, container: container, options: options
    ).fitted(to: track, options: options)
    var notices =
      encoding.hdrMetadata.convertsRPUs ? found.filter { !$0.isAboutLostRPUs } : found
    if encoding.hdrMetadata.convertsRPUs { notices.addDroppedLayer(of: track) }
    notices.append(contentsOf: shape.notices + lost + encoding.notices)
    if options.videoComposition != nil, shape.bars != nil {
      notices.append(
        .settingHasNoEffect("video.crop", because: "the program's composition takes whole frames"))
    }
    notices += ConversionPlan.notices(
      of: [composition?.conversion, encoding.conversion].compactMap { $0 })
    notices.add(
      lost: Self.factsLost(encoding: encoding, of: track, source.facts, in: container),
      in: container)
    if encoding.hdrMetadata.statesAmbientLightInSamplesAlone(in: container) {
      notices.append(.ambientLightInBitstream)
    }
    self.encoding = encoding
    self.notices = notices.map { encoding.becomesSDR ? $0.expectedOfSDR : $0 }
  }

  /// Checks that the samples can be copied, and returns the plan for their HDR metadata.
  private static func copy(
    _ track: AssetTrack, settings: VideoSettings, container: FileType,
    _ options: TranscodeOptions
  ) throws -> HDRMetadataPlan {
    try track.refuseUndescribed()
    try track.refuseEncrypted()
    try track.refuseOtherEntries()
    guard container.holds(track) else {
      let other = container.others.first { $0.holds(track) }
      let advice = other.map { "write .\($0.rawValue), or use" } ?? "use"
      throw TranscodingError(
        .unusableInput, "\(track.refusal(in: container)); \(advice) a preset that encodes it")
    }
    if options.videoComposition != nil || settings.composition != nil {
      throw TranscodingError(
        .invalidSettings, "preset: video.composition needs a video.codec that encodes")
    }
    let plan = try HDRMetadataPlan(copying: track, settings, grafted: options.graftedMetadata)
    try plan.refuseDolbyVision(of: track, in: container)
    // A Matroska file is made from a movie. If the codec has a special form in movies, its track is
    // described anew. A track of any other codec keeps the source's description, which would
    // contradict the samples if HDR metadata changed.
    guard !container.isMovie, !track.demuxed.codec.isChangedByMovies,
      !plan.replaced.isEmpty || plan.dolbyVision != track.video?.hdrMetadata.dolbyVision?.value
    else { return container.statesDolbyVision ? plan : plan.withoutRecord }
    guard plan.replaced.isEmpty else {
      throw TranscodingError(
        .unusableInput,
        "the HDR metadata of \(track.demuxed.codec.codecName) video cannot be changed in "
          + ".\(container.rawValue) without encoding it: write .mp4")
    }
    return plan.withoutRecord
  }

  /// Returns the frames as the source has them. Contradictions become notices, unless `strict`
  /// refuses them.
  private static func source(
    _ track: AssetTrack, _ options: TranscodeOptions, _ checkpoint: Pipeline.Checkpoint
  ) throws -> (FrameSource, [Notice]) {
    let changes = [Notice].otherDescriptions(of: track)
    if options.strict, let change = changes.first {
      throw TranscodingError(refusing: change)
    }
    let source = try FrameSource(track)
    let conflicts = source.facts.hdrMetadata.conflicts
    if options.strict, let conflict = conflicts.first {
      throw TranscodingError(refusing: conflict).of(source.name)
    }
    let unreadable = source.facts.hdrMetadata.unreadable.map(\.notice)
    let others = [
      try source.dolbyVisionSource()?.notice, track.reshapingNotice,
      // If the RPUs have a profile other than 8, a notice above already names the record.
      source.facts.hdrMetadata.holdsProfile8
        ? source.facts.recordConflict : source.facts.hdrMetadata.layerConflict,
      track.spatialLoss,
      track.fieldConflict, track.aspectConflict, track.apertureFault, track.configurationFault,
      try track.hasCaptions(checkpoint: checkpoint) ? .captionsNotCarried : nil,
    ]
    return (source, changes + conflicts + unreadable + others.compactMap { $0 })
  }

  /// Plans the composition, if requested.
  ///
  /// - Returns: the composed frames, or the source itself, and notices about losses.
  private static func compose(
    _ source: FrameSource, settings: VideoSettings, _ options: TranscodeOptions
  ) throws -> (FrameSource, [Notice]) {
    let facts = source.facts
    let seen = Self.seenPart(of: source, settings, options)
    let wanted =
      try options.videoComposition
      ?? settings.composition?.videoComposition(
        frame: facts.size, orientation: Orientation(matrix: source.matrix), seen: seen,
        hasFields: facts.fieldOrder != .progressive)
    guard let wanted else { return (source, []) }
    let tags = SourceTags(facts, sourceColor: options.sourceColor)
    var notices = tags.notices
    let plan = try CompositionPlan(
      wanted, facts: facts, tags: tags, options: settings.conversion)
    if let layout = plan.compositor as? FrameLayout,
      layout.mixesFields(of: facts.size, plan.conversion.target.format.chromaSubsampling)
    {
      notices.append(.fieldsMixed)
    }
    // The frames of a composition have their own shape. They keep the source's clean aperture only
    // if all samples keep their places. If frames are cropped to the aperture, nothing is lost.
    var frameSource = source.composed(by: plan)
    guard let aperture = source.cleanAperture else { return (frameSource, notices) }
    if let seen, settings.cleanAperture == .crop {
      notices.append(.cropped(to: aperture, seen, of: facts.size))
    } else if options.videoComposition == nil, settings.composition?.keepsRaster == true {
      frameSource.cleanAperture = aperture
    } else {
      notices.append(.apertureNotCarried("\(aperture)", in: nil))
    }
    return (frameSource, notices)
  }

  /// Returns the part of the frames that a composition starts from if the settings crop to the
  /// clean aperture or crop black bars. Returns `nil` for the whole frame. Also returns `nil` if
  /// the composition has its own crop.
  private static func seenPart(
    of source: FrameSource, _ settings: VideoSettings, _ options: TranscodeOptions
  ) -> PixelRectangle? {
    guard options.videoComposition == nil, let composition = settings.composition,
      composition.crop == nil
    else { return nil }
    // The output may be 4:2:0, so the part must also suit that subsampling.
    return source.part(
      takenBy: settings,
      subsampling: EncodingPlan.coarser(source.facts.format.chromaSubsampling, .cs420))
  }
}

extension VideoPlan {
  /// Returns whether user data in a separate track would be false for the output's frames, or is
  /// replaced.
  ///
  /// - Parameter beginning: the first bytes of the user data, which say what kind of data it is.
  func isUntrue(_ beginning: [UInt8]) -> Bool {
    let kind = FrameMetadata.kind(ofUserData: beginning)
    guard let encoding else {
      return kind.map { copiedMetadata?.replaces($0) == true } ?? false
    }
    guard let kind else {
      return RegisteredUserData(payload: beginning).isHDRMetadata && encoding.change == .colors
    }
    let settings = encoding.settings
    return !kind.isTrue(after: encoding.change) || !settings.preserveDynamicHDRMetadata
      || (kind as? any FittedHDRMetadataKind.Type)?.isTaken(by: settings.hdrMetadata) == false
  }
}

extension EncodingPlan {
  /// Whether HDR is converted to SDR.
  fileprivate var becomesSDR: Bool {
    signal.tags.signal.color.transferCharacteristics.isHDR
      && !encoder.signal.color.transferCharacteristics.isHDR
  }
}

extension Notice {
  /// Whether the notice says that only the base layer is taken, or that RPUs are lost.
  fileprivate var isAboutLostRPUs: Bool {
    DolbyVisionRPU.lossCodes.contains(code)
  }

  /// The notice, turned into a mere note if it is about HDR metadata. A user who asks for SDR
  /// expects to lose that metadata.
  fileprivate var expectedOfSDR: Notice {
    code == "metadataNotCarried" ? Notice(code, severity: .note, arguments, text) : self
  }
}

extension VideoSettings {
  /// Returns the settings for a container. If it has no place for the record of Dolby Vision,
  /// encoded frames get no RPUs.
  ///
  /// - Parameter track: the track whose samples are copied if no codec encodes them.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the settings ask for Dolby Vision,
  ///   but the container has no place for its record.
  package func suited(
    to container: FileType, copying track: AssetTrack? = nil
  ) throws -> VideoSettings {
    guard !container.statesDolbyVision else { return self }
    guard hdrMetadata.dolbyVision.transferCharacteristics == nil else {
      let others = container.others.filter {
        $0.statesDolbyVision && $0.holds(codec, copying: track)
      }
      throw TranscodingError(
        .invalidSettings,
        ".\(container.rawValue) has no place for the record of Dolby Vision; write "
          + FileType.names(of: others))
    }
    var settings = self
    // RPUs without a record are of no use to players. Copied frames keep theirs, because copies are
    // not changed without need.
    if codec != nil { settings.hdrMetadata.dolbyVision = .none }
    return settings
  }
}

extension HDRMetadataPlan {
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if copied frames get RPUs or cannot be
  ///   shown without them, but a container has no place for the record of Dolby Vision.
  package func refuseDolbyVision(of track: AssetTrack, in container: FileType) throws {
    guard !container.statesDolbyVision else { return }
    let source = track.video.flatMap { DolbyVisionSource($0.hdrMetadata) }
    let getsRPUs = replaces(DolbyVisionRPU.self) && dolbyVision != nil
    guard getsRPUs || track.video?.reshaped != nil || source?.obstacle != nil else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(track.demuxed.id): its frames need the record of Dolby Vision, for which "
        + ".\(container.rawValue) has no place; write "
        + FileType.names(
          of: container.others.filter { $0.statesDolbyVision && $0.holds(track) }))
  }
}

extension VideoCodec {
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if a container cannot store the
  ///   codec.
  package func refuse(in container: FileType) throws {
    let others = FileType.all.filter { $0.holds(codec: rawValue) }
    // If no container can store the codec, libavformat does not know the codec, and the reason is
    // not this container.
    guard !others.isEmpty, !others.contains(container) else { return }
    let taken = Self.all.filter { container.holds(codec: $0.rawValue) }.map(\.rawValue)
    // A user who chose a container that supports a single codec probably cares more about the
    // container than about the codec, so also suggest the codec that it supports.
    let advice = taken.count == 1 ? ", or encode it as \(taken.joined())" : ""
    throw TranscodingError(
      .invalidSettings,
      "\(container.refusal(ofVideo: rawValue)); write \(FileType.names(of: others))\(advice)")
  }
}
