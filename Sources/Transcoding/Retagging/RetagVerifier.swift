internal import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Reads back a file whose tags were changed.
struct RetagVerifier {
  let changes: TagChanges
  let source: FileByteSource
  let patches: BytePatches

  /// How many samples of a track are compared byte by byte.
  private static let compared = 64
  /// How many bytes of each.
  private static let comparedBytes = 1 << 16

  /// - Returns: what is not as promised; nil if all is.
  func fault(in path: String, source movie: Movie) throws -> String? {
    let output = try FileByteSource(path: path)
    let written = try Movie(output)
    guard written.tracks.count == movie.tracks.count else { return "a track is missing" }
    for (old, new) in zip(movie.tracks, written.tracks) where old.box.isTrackOfThisFile {
      guard try hasSameSamples(old, new, output) else {
        return "the samples of track \(old.header.trackID ?? 0) are not those of the source"
      }
    }
    return nil
  }

  private func hasSameSamples(
    _ old: Movie.Track, _ new: Movie.Track, _ output: FileByteSource
  ) throws -> Bool {
    // A track without samples may come without their tables.
    guard let before = try? SampleTable(old.box) else { return old.box == new.box }
    let after = try SampleTable(new.box)
    guard before.count == after.count, before.chunks.count == after.chunks.count else {
      return false
    }
    // Chunks, where there are too many samples to list: a day of sound.
    let isLong = before.count > 1 << 24
    let oldRanges = isLong ? before.chunks : before.ranges
    let newRanges = isLong ? after.chunks : after.ranges
    let step = max(oldRanges.count / Self.compared, 1)
    for (index, (old, new)) in zip(oldRanges, newRanges).enumerated() {
      guard Int64(new.count) == Int64(old.count) + (try patches.growth(in: old)) else {
        return false
      }
      guard index % step == 0 || index == oldRanges.count - 1 else { continue }
      // Of samples that nothing was changed in, the beginning tells whether they are the same.
      let length = patches.touches(old) ? old.count : min(old.count, Self.comparedBytes)
      let bytes = patches.apply(
        to: try source.read(at: old.lowerBound, count: length), at: old)
      guard try output.read(at: new.lowerBound, count: bytes.count) == bytes else { return false }
    }
    return true
  }

  /// Whether a track says now what was asked for.
  func hasTags(_ track: AssetTrack, _ facts: VideoFacts) -> Bool {
    let changes = changes.resolved(for: facts.claims)
    return facts.claims.allSatisfy { claim in
      let isFromParameterSet = [.bitstream, .sampleEntry].contains(claim.source)
      guard claim.source == .container || (isFromParameterSet && track.hasParameterSets) else {
        return true
      }
      var wanted = claim.signal
      changes.apply(to: &wanted)
      if claim.source == .container {
        wanted.chromaLocation = claim.signal.chromaLocation
        // `nclc` has no range.
        if claim.signal.videoFullRangeFlag == nil { wanted.videoFullRangeFlag = nil }
      }
      return wanted == claim.signal
    }
  }

  /// Which place of static HDR metadata does not say what was asked for: a sentence; nil if all do.
  func metadataFault(_ track: AssetTrack, _ facts: VideoFacts) -> String? {
    let stored = facts.bitstream?.configurationSEI ?? []
    let messages = stored + (facts.bitstream?.sampleSEI ?? [])
    for change in changes.metadata {
      let boxes = (track.box?.sampleEntries ?? []).map { entry in
        entry.boxes.filter { $0.type == change.box }.map(\.fields)
      }
      guard boxes.allSatisfy({ $0 == (change.payload.map { [$0] } ?? []) }) else {
        return "its box '\(change.box)' is another"
      }
      let payloads = messages.filter { $0.payloadType == change.payloadType }.map(\.payload)
      let isStored = stored.contains { $0.payloadType == change.payloadType }
      guard payloads.allSatisfy({ $0 == change.payload }),
        isStored || change.payload == nil || facts.bitstream?.codec != .hevc
      else { return "its SEI \(change.payloadType) is another" }
    }
    return nil
  }

  /// HDR metadata that is kept beside a color that is not HDR.
  func leftovers(_ facts: VideoFacts) -> [String] {
    if changes.color == nil, changes.metadata.contains(where: { $0.payload != nil }),
      !facts.tags.signal.color.transferCharacteristics.isHDR
    {
      return ["the color is not HDR, for which HDR metadata says nothing"]
    }
    guard let color = changes.color, !color.transferCharacteristics.isHDR else { return [] }
    let names = facts.hdrMetadata.names
    return names.isEmpty
      ? [] : ["kept, although the color is not HDR now: \(names.joined(separator: ", "))"]
  }

  /// What bitstreams that are not changed say otherwise.
  static func notices(_ track: AssetTrack, _ facts: VideoFacts) -> [String] {
    track.hasParameterSets
      ? [] : facts.tags.conflicts.map { "not changed: \(Notices.text($0))" }
  }
}

extension AssetTrack {
  /// Whether the sample entry has the parameter sets of H.264 or HEVC, which are changed.
  fileprivate var hasParameterSets: Bool {
    SampleEntryRetagger.configurations.contains { box?.sampleEntries.first?.payload($0.box) != nil }
  }
}
