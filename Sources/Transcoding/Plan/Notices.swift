internal import CodePoints
internal import ColorTagging
internal import LibAV
internal import MediaCore

/// Collects what a user should know before the work begins: what is assumed, and what is lost.
struct Notices {
  private(set) var lines: [String] = []

  mutating func add(_ line: String) { lines.append(line) }

  mutating func add(_ conflicts: [TagConflict]) {
    lines += conflicts.map { Self.text($0) }
  }

  /// A conflict in a sentence.
  static func text(_ conflict: TagConflict) -> String {
    "\(conflict.field.rawValue): the \(conflict.winner.rawValue) says "
      + "\(conflict.winningStatement), the \(conflict.loser.rawValue) says "
      + "\(conflict.losingStatement); the \(conflict.winner.rawValue) is believed"
  }

  mutating func add(_ decision: TaggingDecision, source: ColorDescription) {
    if !decision.ignored.isEmpty {
      add(
        "the source states only \(Self.list(decision.ignored)): it counts as untagged, and its "
          + "pixels are not converted")
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

  mutating func addLostTracks(of asset: MediaAsset, kept: [AssetTrack]) {
    let indices = Set(kept.map(\.demuxed.index))
    for track in asset.tracks where !indices.contains(track.demuxed.index) {
      let kind =
        track.demuxed.kind == .other ? track.sampleEntry ?? "data" : track.demuxed.kind.rawValue
      add("track \(track.demuxed.id) (\(kind)) is not carried over")
    }
  }

  mutating func addLostMetadata(of asset: MediaAsset, keeps: Bool) {
    if keeps && asset.movie == nil {
      add("dates and names of this kind of file are not carried over")
    }
  }

  mutating func addLostHDRMetadata(_ metadata: HDRMetadata, output: ColorDescription) {
    // In SDR it would be a lie, so that nobody misses it.
    guard output.transferCharacteristics.isHDR else { return }
    var lost: [String] = []
    if metadata.hasDolbyVisionRPU || metadata.dolbyVision != nil { lost.append("Dolby Vision") }
    if metadata.hasHDR10Plus { lost.append("HDR10+") }
    if metadata.ambientViewingEnvironment != nil { lost.append("the ambient viewing environment") }
    if metadata.masteringDisplay != nil { lost.append("the mastering display") }
    if metadata.contentLightLevel != nil { lost.append("the content light level") }
    if !lost.isEmpty { add("not carried over: \(lost.joined(separator: ", "))") }
  }

  mutating func addPictureChanges(
    source: VideoFacts, format: PixelFormat, geometry: ScaledGeometry,
    codec: VideoTrackFormat.Codec, settings: VideoSettings
  ) {
    if source.format.chromaSubsampling == .cs444 || source.format.chromaSubsampling == .cs422,
      format.chromaSubsampling == .cs420
    {
      add("chroma is reduced from \(source.format.chromaSubsampling.rawValue) to 4:2:0")
    }
    if source.format.bitDepth > 10 && format.bitDepth < source.format.bitDepth {
      add("depth is reduced from \(source.format.bitDepth) to \(format.bitDepth) bits")
    }
    if source.fieldOrder != .progressive {
      if codec == .hevc { add("interlaced pictures are coded as whole frames without saying so") }
      if geometry.scaling != nil { add("interlaced pictures are scaled as whole frames") }
    }
    let isOdd = source.size.width % 2 == 1 || source.size.height % 2 == 1
    if settings.width == nil && settings.height == nil && isOdd && geometry.scaling != nil {
      add(
        "an odd column or row is cut off: \(source.size.width)×\(source.size.height) → "
          + "\(geometry.width)×\(geometry.height)")
    }
  }
}
