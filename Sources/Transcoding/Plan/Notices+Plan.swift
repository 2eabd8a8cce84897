internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Settings
internal import VideoEncoders

extension Notices {
  mutating func add(_ decision: TaggingDecision, source: ColorDescription) {
    if decision.knowsMatrixOnly {
      let others = decision.ignored.isEmpty ? "" : " and \(Self.list(decision.ignored))"
      add(
        "the source states only its matrix, \(source.matrixCoefficients)\(others): Y'CbCr is read "
          + "by the matrix; colorPrimaries and transferFunction count as untagged, and R'G'B' is "
          + "not converted")
    } else if !decision.ignored.isEmpty {
      add(
        "the source states only \(Self.list(decision.ignored)): it counts as untagged, and its "
          + "colors are not converted")
    }
    if !decision.inferred.isEmpty {
      add("not stated by the source but implied by BT.2100: \(Self.list(decision.inferred))")
    }
    if decision.rule == .tagUntaggedSource && decision.output.transferCharacteristics.isHDR {
      add(
        "the source is untagged and becomes \(decision.output.transferCharacteristics) by the "
          + "settings; if it is SDR, say so with --source-color 709")
    }
  }

  private static func list(_ fields: [SignalField]) -> String {
    fields.map(\.rawValue).joined(separator: ", ")
  }

  /// Sample descriptions that mean another color than the first: one sentence each.
  static func otherDescriptions(of track: AssetTrack) -> [String] {
    let colors = track.formatDescriptions.map(\.attachments.signal.color)
    return colors.enumerated().dropFirst().filter { $1 != colors[0] }.map { index, color in
      "sample description \(index + 1) is \(color), the first is \(colors[0]): where pictures "
        + "change from one to the other, the work stops"
    }
  }

  mutating func addLostTracks(of asset: MediaAsset, kept: [AssetTrack]) {
    let indices = Set(kept.map(\.demuxed.index))
    for track in asset.tracks where !indices.contains(track.demuxed.index) {
      let kind =
        track.demuxed.kind == .other
        ? track.sampleEntry ?? "data"
        : track.isEnhancementLayer
          ? "Dolby Vision's enhancement layer" : track.demuxed.kind.rawValue
      add("track \(track.demuxed.id) (\(kind)) is not carried over")
    }
  }

  mutating func addLostMetadata(of asset: MediaAsset, in container: Muxer.Container) {
    guard asset.movie == nil else { return }
    let lost = ContainerMetadata(asset.metadata).lost(in: container)
    guard !lost.isEmpty else { return }
    add("not carried over of what the file says of itself: \(lost.joined(separator: ", "))")
  }

  mutating func add(_ metadata: HDRMetadataPlan) {
    addLost(metadata.lost)
    let values = metadata.staticMetadata.values.sorted {
      type(of: $0).payloadType < type(of: $1).payloadType
    }
    let faults =
      values.map { (type(of: $0).name, $0.faults.first) }
      + [("Dolby Vision metadata (RPU)", metadata.rpuFault)]
    for case (let name, let fault?) in faults {
      add("the source's \(name) is passed on as it is, but cannot be right: \(fault)")
    }
    if let record = metadata.dolbyVision, !metadata.recordFaults.isEmpty {
      add(
        "the source's Dolby Vision record is wrong (\(metadata.recordFaults.joined(separator: ", "))): "
          + "one for its pictures is written, of profile "
          + "\(record.profile).\(record.baseLayerSignalCompatibilityID)")
    }
    if metadata.assumesAmbientViewingEnvironment {
      add("assumed: an ambient viewing environment of 314 lux, D65; the source states none")
    }
  }

  /// What was found out of the RPUs of samples that are copied, and what was not.
  mutating func addCopiedDolbyVision(_ track: AssetTrack, _ metadata: HDRMetadataPlan) {
    guard let source = track.video?.hdrMetadata, source.hasDolbyVisionRPU,
      source.dolbyVision == nil
    else { return }
    if let record = metadata.dolbyVision {
      add(
        "the source has RPUs and no Dolby Vision record: one is written, of profile "
          + "\(record.profile).\(record.baseLayerSignalCompatibilityID)")
    } else {
      let profile = source.dolbyVisionRPU?.profile.map { "profile \($0)" } ?? "an unknown profile"
      add(
        "the samples have Dolby Vision RPUs of \(profile), and the source has no record: none is "
          + "written")
    }
  }

  mutating func addLost(_ names: [String]) {
    if !names.isEmpty { add("not carried over: \(names.joined(separator: ", "))") }
  }

  /// A gamma without a number has a place in QuickTime movies alone.
  mutating func addLostGamma(_ transfer: TransferCharacteristics, in container: Muxer.Container) {
    guard transfer.gamma != nil, container != .mov else { return }
    addLost(["the transfer function, \(transfer), for which only .mov has a place"])
  }

  /// What conversions assume, and what was set and does nothing in any of them.
  mutating func add(_ conversions: [ConversionPlan]) {
    add(contentsOf: conversions.flatMap(\.assumptions))
    guard let last = conversions.last else { return }
    let others = conversions.dropLast().map { Set($0.idleOptions.map(\.name)) }
    let idle = last.idleOptions.filter { option in
      others.allSatisfy { $0.contains(option.name) }
    }
    add(contentsOf: idle.map { "video.conversion.\($0)" })
  }

  mutating func addIdleChromaLocation(_ settings: VideoSettings, _ format: PixelFormat) {
    guard settings.chromaLocation != nil, format.chromaSubsampling != .cs420 else { return }
    add(
      "video.chromaLocation has no effect: the output is \(format.chromaSubsampling.rawValue), and "
        + "only that of 4:2:0 can be stated")
  }

  mutating func addPictureChanges(source: VideoFacts, _ plan: EncodingPlan) {
    let format = plan.encoder.format
    if source.hasAlpha { add("the pictures' opacity is left out") }
    if source.format.layout == .halfRGBA,
      !plan.conversion.target.signal.color.matrixCoefficients.isSpecified
    {
      add("no matrix is stated: R'G'B' becomes Y'CbCr by the usual one for its primaries")
    }
    if source.format.chromaSubsampling.isFiner(than: format.chromaSubsampling) {
      add("chroma is reduced to \(format.chromaSubsampling.rawValue)")
    }
    if source.format.bitDepth > 10 && format.bitDepth < source.format.bitDepth {
      add("depth is reduced from \(source.format.bitDepth) to \(format.bitDepth) bits")
    }
    if source.fieldOrder != .progressive { addFieldChanges(plan) }
    addCut(source, plan)
  }

  private mutating func addFieldChanges(_ plan: EncodingPlan) {
    let codec: VideoCodec = plan.codec == .hevc ? .hevc : .h264
    if let obstacle = EncodingPlan.fieldObstacle(codec, plan.encoder) {
      add("interlaced pictures are coded as whole frames without saying so: \(obstacle)")
    }
    if plan.geometry.isResizing {
      add("interlaced pictures are scaled as whole frames: fields mix")
    }
  }

  mutating func addCrop(
    to aperture: CleanAperture, _ part: PixelRectangle, of size: VideoDimensions
  ) {
    add(
      "the pictures are cropped to their clean aperture, \(aperture): \(part.size) "
        + "from \(part.x), \(part.y) of \(size); "
        + "video.cleanAperture 'keep' keeps them whole")
  }

  private mutating func addCut(_ source: VideoFacts, _ plan: EncodingPlan) {
    let geometry = plan.geometry
    if let aperture = plan.croppedAperture, let part = geometry.scaling?.source {
      addCrop(to: aperture, part, of: source.size)
      return
    }
    let isCut =
      source.size.width - geometry.size.width == 1 || source.size.height - geometry.size.height == 1
    if isCut && geometry.scaling != nil {
      add(
        "an odd column or row is cut off: \(source.size) → "
          + "\(geometry.size)")
    }
  }

  mutating func addEditRates(of asset: MediaAsset) {
    let entries = asset.movie?.tracks.flatMap { $0.editList?.entries ?? [] } ?? []
    if entries.contains(where: { $0.mediaRate != 0x1_0000 && $0.mediaRate != 0 }) {
      add("an edit plays faster or slower than its media, which is not kept")
    }
  }
}

extension ChromaSubsampling {
  /// Whether there are more chroma samples than another has, but not none.
  fileprivate func isFiner(than other: ChromaSubsampling) -> Bool {
    self != .cs400
      && horizontalShift + verticalShift < other.horizontalShift + other.verticalShift
  }
}
