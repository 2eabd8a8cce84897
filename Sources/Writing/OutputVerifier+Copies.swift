// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading

// Some decoders return nothing for their first packets. After this many packets without a result,
// no result is expected any more.
private let patience = 32

/// Checks that a copy can be decoded if its source can be decoded. Of video, only the first frame
/// is decoded, and of audio, only the first samples.
extension OutputVerifier {
  /// Returns notices about copies that cannot be decoded, or whose frames differ from the source's
  /// in size or pixel format.
  ///
  /// - Parameter pairs: tracks of an output, each with the track that its samples come from.
  static func faults(
    ofCopies pairs: [(copy: AssetTrack, origin: AssetTrack)], checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    // Even if a copy has every byte of its samples, it may lack something else that its decoder
    // needs, such as parameter sets in the sample entry.
    let pictures = pairs.filter { $0.origin.demuxed.kind == .video }
    let sounds = pairs.filter { $0.origin.demuxed.kind == .audio }
    var assets: [String: MediaAsset] = [:]
    return try pictures.compactMap { try pictureFault($0, &assets, checkpoint) }
      + soundFaults(sounds, checkpoint)
  }

  private static func pictureFault(
    _ pair: (copy: AssetTrack, origin: AssetTrack), _ assets: inout [String: MediaAsset],
    _ checkpoint: Pipeline.Checkpoint
  ) throws -> Notice? {
    guard let wanted = pair.origin.video else { return nil }
    guard let found = pair.copy.video else {
      return try isDecoded(pair.origin, &assets, checkpoint) ? .firstFrameUndecodable : nil
    }
    // The size may change within a source, so the first frame of a copied part may differ from the
    // first frame of the source.
    guard pair.origin.span == nil else { return nil }
    if found.size != wanted.size {
      return .otherStatement("the frames' size", "\(found.size)", promised: "\(wanted.size)")
    }
    guard found.format != wanted.format else { return nil }
    return .otherStatement(
      "the frames' pixel format", "\(found.format)", promised: "\(wanted.format)")
  }

  /// Whether a frame of the copied part can be decoded from the source. If all of the source was
  /// copied, the answer is true: the source's first frame has already been decoded.
  private static func isDecoded(
    _ track: AssetTrack, _ assets: inout [String: MediaAsset], _ checkpoint: Pipeline.Checkpoint
  ) throws -> Bool {
    // The source's first frame may be fine while the copied part is damaged. That would not be the
    // copy's fault.
    guard track.span != nil else { return true }
    try checkpoint()
    do {
      let output = try TrackReading(track: track, decodes: true, concealsDamage: true)
      let asset = try assets[track.path] ?? MediaAsset(opening: track.path)
      assets[track.path] = asset
      return try AssetReading(asset, for: [output]).next() != nil
    } catch {
      return false
    }
  }

  private static func soundFaults(
    _ pairs: [(copy: AssetTrack, origin: AssetTrack)], _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    let silent = try undecoded(pairs.map(\.copy), checkpoint)
    guard !silent.isEmpty else { return [] }
    let doubted = pairs.filter { silent.contains($0.copy.demuxed.index) }
    // Most copies can be decoded, so decode the source only if a copy cannot be decoded.
    let silentSources = try undecoded(doubted.map(\.origin), checkpoint)
    return doubted.filter { !silentSources.contains($0.origin.demuxed.index) }
      .map { .audioUndecodable($0.copy.demuxed.index + 1) }
  }

  /// Returns the indices of the tracks whose first packets cannot be decoded.
  private static func undecoded(
    _ tracks: [AssetTrack], _ checkpoint: Pipeline.Checkpoint
  ) throws -> Set<Int> {
    guard let path = tracks.first?.path else { return [] }
    let demuxer = try Demuxer(path: path)
    var decoders: [Int: AudioDecoder] = [:]
    for track in tracks {
      let index = track.demuxed.index
      guard demuxer.tracks.indices.contains(index) else { continue }
      decoders[index] = try? AudioDecoder(track: demuxer.tracks[index])
    }
    var silent = Set(tracks.map(\.demuxed.index))
    var counts: [Int: Int] = [:]
    var packets = DemuxedPackets(demuxer, of: Set(decoders.keys))
    while let packet = try? packets.next() {
      try checkpoint()
      let index = packet.trackIndex
      guard let decoder = decoders[index] else { continue }
      counts[index, default: 0] += 1
      try? decoder.send(packet)
      let isHeard = (try? decoder.receive()) != nil
      if isHeard { silent.remove(index) }
      if isHeard || counts[index, default: 0] >= patience {
        decoders[index] = nil
        packets.end(index)
      }
    }
    return silent
  }
}
