// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Settings
internal import VideoEncoders

extension Array where Element == Notice {
  mutating func add(_ decision: TaggingDecision, source: ColorDescription) {
    if decision.knowsMatrixOnly {
      append(.onlyMatrixStated(source.matrixCoefficients, ignored: decision.ignored))
    } else if !decision.ignored.isEmpty {
      append(.incompleteTagsIgnored(decision.ignored))
    }
    if !decision.inferred.isEmpty { append(.tagsInferred(decision.inferred)) }
    if decision.rule == .tagUntaggedSource && decision.output.transferCharacteristics.isHDR {
      append(.untaggedBecomesHDR(decision.output.transferCharacteristics))
    }
  }

  /// Returns notices about sample descriptions whose color differs from that of the first one.
  static func otherDescriptions(of track: AssetTrack) -> [Notice] {
    let colors = track.formatDescriptions.map(\.extensions.signal.color)
    return colors.enumerated().dropFirst().filter { $1 != colors[0] }.map { index, color in
      .otherSampleDescription(index + 1, color, first: colors[0])
    }
  }

  /// - Parameter keepsCovers: whether a movie's cover art is kept with its metadata.
  mutating func addLostTracks(of asset: MediaAsset, kept: [AssetTrack], keepsCovers: Bool) {
    let indices = Set(kept.map(\.demuxed.index))
    for track in asset.tracks where !indices.contains(track.demuxed.index) {
      // A movie's cover art is part of its metadata and only looks like a track to the demuxer.
      let isCover = track.demuxed.kind == .artwork && track.box == nil && asset.movie != nil
      if isCover && keepsCovers { continue }
      let kind =
        track.isEnhancementLayer
        ? "Dolby Vision's enhancement layer"
        : track.kindName + (track.isUndescribed ? " without a sample description" : "")
      append(.trackNotCarried(track.demuxed.id, kind: kind))
    }
  }

  /// Adds notices about sample tables of copied tracks, if the output has no place for them.
  mutating func addLostStatements(ofSamples tracks: [AssetTrack], isPart: Bool) {
    for track in tracks {
      guard let table = track.box?.box.first("mdia", "minf", "stbl") else { continue }
      // If only a part is copied, sample numbers shift, so every table that counts samples is lost.
      let lost = isPart ? table.sampleStatements : table.unmovableStatements
      if !lost.isEmpty { append(.sampleTablesNotCarried(track.demuxed.id, lost)) }
    }
  }

  /// Adds a notice about boxes that describe the content of the movie file and are lost.
  mutating func addLostBoxes(of asset: MediaAsset, in container: FileType) throws {
    guard let movie = asset.movie else { return }
    let boxes = try Movie.descriptions(besideMovieIn: asset.path)
    let lost =
      boxes.lost.map { "\($0)" } + movie.lostMetadata
      // `kept` boxes are copied into movies only.
      + (!container.isMovie ? boxes.kept.map { "\($0.type)" } : [])
    if !lost.isEmpty { append(.statementsNotCarried(lost)) }
  }

  mutating func addLostMetadata(of asset: MediaAsset, in container: FileType) {
    guard asset.movie == nil, container.isMovie else { return }
    let lost = ContainerMetadata(asset.metadata).lost(in: container)
    let facts = asset.facts.filter { fact in
      fact.key == .statement && fact.subject.map(lost.contains) ?? false
    }
    add(lost: facts.sorted { ($0.subject ?? "") < ($1.subject ?? "") }, in: container)
  }

  mutating func add(_ metadata: HDRMetadataPlan) {
    let values = metadata.staticMetadata.values.sorted {
      type(of: $0).payloadType < type(of: $1).payloadType
    }
    let faults =
      values.map { (type(of: $0).name, type(of: $0).key, $0.faults.first?.text) }
      + FrameMetadata.kinds.map { ($0.sampleName, $0.sampleKey, metadata.keptFaults[.init($0)]) }
    for case (let name, let key, let fault?) in faults {
      append(.metadataImplausible(name, key: key, fault))
    }
    if let record = metadata.dolbyVision, !metadata.recordFaults.isEmpty {
      append(.recordCorrected(metadata.recordFaults, profile: record.profileText))
    }
    if let display = metadata.assumedDisplay { append(.masteringDisplayAssumed(display)) }
    if metadata.assumesAmbientViewingEnvironment { append(.ambientLightAssumed) }
    if let reason = metadata.reasonForNewRPUs { append(.rpusComputed(because: reason)) }
  }

  /// Adds notices about RPUs in copied samples, if the source has no Dolby Vision record or a wrong
  /// one.
  mutating func addCopiedDolbyVision(_ track: AssetTrack, _ metadata: HDRMetadataPlan) {
    guard let source = track.video?.hdrMetadata else { return }
    if let conflict = source.layerConflict { return append(conflict) }
    guard source.frames.has(DolbyVisionRPU.self) else { return }
    guard source.dolbyVision == nil else {
      // RPUs that are removed or made anew no longer contradict the record. If RPUs are converted,
      // `addDroppedLayer` reports the contradiction.
      let keepsRPUs = !metadata.endsDolbyVisionOfSource || metadata.completesRPUs
      if keepsRPUs, !metadata.convertsRPUs, let conflict = track.video?.recordConflict {
        append(conflict)
      }
      return
    }
    if let record = metadata.dolbyVision {
      append(.recordAdded(profile: record.profileText))
    } else if !metadata.replaces(DolbyVisionRPU.self) {
      append(.recordMissing(profile: source.dolbyVisionRPU?.profile))
    }
  }

  /// Adds a notice if copied samples keep their RPUs but lose the record, because the container has
  /// no place for it.
  mutating func addLostRecord(
    of track: AssetTrack, _ metadata: HDRMetadataPlan, in container: FileType
  ) {
    guard !container.statesDolbyVision, !metadata.replaces(DolbyVisionRPU.self),
      let record = track.video?.hdrMetadata.dolbyVision?.value
    else { return }
    append(.recordNotCarried(profile: record.profileText, in: container))
  }

  /// Adds notices about contradictions in the source's metadata, if samples are copied and some of
  /// their metadata is replaced. Static metadata that is replaced is left out, because it can no
  /// longer contradict anything.
  mutating func addConflicts(of track: AssetTrack, _ metadata: HDRMetadataPlan) {
    guard !metadata.replaced.isEmpty, let source = track.video?.hdrMetadata else { return }
    let statics = metadata.replaced.filter { $0.dynamicKind == nil }.map(\.key)
    append(
      contentsOf: source.conflicts.filter { conflict in
        !statics.contains { $0 == conflict.arguments["metadata"] }
      })
  }

  /// Adds notices about Dolby Vision that becomes 8.1 without its enhancement layer.
  mutating func addDroppedLayer(of track: AssetTrack) {
    guard let dualLayer = track.dualLayerDolbyVision else { return }
    append(.enhancementLayerDropped(dualLayer.layer))
    if let conflict = track.video?.hdrMetadata.profileConflict { append(conflict) }
  }

  mutating func addIdleChromaLocation(_ settings: VideoSettings, _ format: PixelFormat) {
    guard settings.chromaLocation != nil, format.chromaSubsampling != .cs420 else { return }
    append(
      .settingHasNoEffect(
        "video.chromaLocation",
        because: "the output is \(format.chromaSubsampling.rawValue), and only 4:2:0 has a chroma "
          + "location to state"))
  }

  /// Adds a notice if the settings ask for fewer bits than any video needs.
  mutating func addLowRate(_ settings: VideoSettings, _ encoder: VideoEncoderSettings) {
    let size = encoder.size
    let pixels =
      Double(size.width) * Double(size.height) * encoder.frameRate.framesPerSecond
    guard pixels > 0, let (key, bitRate) = settings.lowestRate,
      bitRate < pixels * Self.leastBitsPerPixel
    else { return }
    append(.rateTooLow(key, bitRate))
  }

  // For 1920×1080 at 30 frames per second, this is 124 kbit/s. Even talking heads that hardly move
  // need more.
  private static var leastBitsPerPixel: Double { 0.002 }

  mutating func addFrameChanges(source: VideoFacts, _ plan: EncodingPlan) {
    let format = plan.encoder.format
    let sourceFormat = plan.frameSource.originalFormat
    if source.format.layout.isRGBA,
      !plan.conversion.target.signal.color.matrixCoefficients.isSpecified
    {
      append(.matrixAssumed)
    }
    if sourceFormat.chromaSubsampling.isFiner(than: format.chromaSubsampling) {
      append(.chromaReduced(to: format.chromaSubsampling))
    }
    if sourceFormat.chromaSubsampling == .cs400, format.chromaSubsampling != .cs400 {
      append(.chromaAdded(to: format.chromaSubsampling))
    }
    // Going from 10 bits to 8 is usual for SDR and gets no notice.
    if source.format.bitDepth > 10 && format.bitDepth < source.format.bitDepth {
      append(.depthReduced(from: source.format.bitDepth, to: format.bitDepth))
    }
    if source.fieldOrder != .progressive { addFieldChanges(plan) }
    addCut(source, plan)
    if let wanted = plan.geometry.unreachedSize {
      append(.sizeNotReached(wanted, by: plan.geometry.size))
    }
  }

  private mutating func addFieldChanges(_ plan: EncodingPlan) {
    if let obstacle = plan.codec.encoder.fieldObstacle(plan.encoder) {
      append(.fieldsNotStated(because: obstacle))
    }
    if plan.geometry.mixesFields { append(.fieldsMixed) }
  }

  private mutating func addCut(_ source: VideoFacts, _ plan: EncodingPlan) {
    let geometry = plan.geometry
    if geometry.isCropped {
      if plan.settings.cleanAperture == .crop, let aperture = plan.frameSource.cleanAperture,
        let part = geometry.scaling?.source
      {
        append(.cropped(to: aperture, part, of: source.size))
      }
      return
    }
    // An odd side loses exactly one column or row. A difference of more than one comes from scaling
    // that the settings ask for.
    let isCut =
      source.size.width - geometry.size.width == 1 || source.size.height - geometry.size.height == 1
    if isCut && geometry.scaling != nil { append(.oddSideCut(source.size, to: geometry.size)) }
  }

  mutating func addEditRates(of asset: MediaAsset) {
    let entries = asset.movie?.tracks.flatMap { $0.editList?.entries ?? [] } ?? []
    // Rates are 16.16 fixed point. 1 is normal speed, and 0 means a dwell, which is kept.
    if entries.contains(where: { $0.mediaRate != 0x1_0000 && $0.mediaRate != 0 }) {
      append(.editRateNotKept)
    }
  }
}

extension ConversionPlan {
  /// Returns notices about what conversions assume, and about options that have no effect in any
  /// conversion.
  static func notices(of conversions: [ConversionPlan]) -> [Notice] {
    let assumptions = conversions.flatMap(\.assumptions)
    // An option that has no effect in one conversion may matter in another.
    guard let last = conversions.last else { return assumptions }
    func key(_ option: Notice) -> String? { option.arguments["key"] }
    let others = conversions.dropLast().map { Set($0.idleOptions.map(key)) }
    return assumptions
      + last.idleOptions.filter { option in others.allSatisfy { $0.contains(key(option)) } }
  }
}

extension AssetTrack {
  /// The kind of media as text. For data, it is the sample entry or the codec.
  package var kindName: String {
    demuxed.kind == .other
      ? sampleEntry ?? demuxed.codec.nameIfKnown ?? "data" : demuxed.kind.rawValue
  }
}

extension ChromaSubsampling {
  /// Returns whether there are more chroma samples than in another subsampling. Gray has no chroma
  /// samples.
  fileprivate func isFiner(than other: ChromaSubsampling) -> Bool {
    // Gray has no chroma to lose, although its shifts are as small as those of 4:4:4.
    self != .cs400
      && horizontalShift + verticalShift < other.horizontalShift + other.verticalShift
  }
}
