// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
internal import LibAV
internal import Reading

extension MediaAsset {
  /// How many tracks are decoded at a time. Each decoder holds frames in memory, and a file may
  /// have hundreds of tracks.
  private static let groupSize = 8

  /// Decodes some tracks to find damage in them.
  ///
  /// - Parameter concealsDamage: whether damage is counted instead of thrown as an error.
  /// - Returns: the damaged tracks.
  /// - Throws: ``TranscodingError`` if a track is damaged and damage is not concealed, or if a
  ///   decoder lacks memory or threads.
  package func damagedTracks(
    among tracks: [AssetTrack], concealsDamage: Bool, checkpoint: Pipeline.Checkpoint
  ) throws -> [AssetTrack] {
    // Tracks that cannot be decoded cannot be checked, so they count as undamaged.
    let tracks = tracks.filter { !$0.isEncrypted && $0.demuxed.codec.canBeDecoded }
    var damaged: [AssetTrack] = []
    do {
      for start in stride(from: 0, to: tracks.count, by: Self.groupSize) {
        damaged += try damagedTracks(
          in: tracks[start...].prefix(Self.groupSize), concealsDamage: concealsDamage, checkpoint)
      }
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
    return damaged
  }

  private func damagedTracks(
    in group: ArraySlice<AssetTrack>, concealsDamage: Bool, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [AssetTrack] {
    var damaged: [AssetTrack] = []
    var outputs: [TrackReading] = []
    for track in group {
      do {
        outputs.append(
          try TrackReading(track: track, decodes: true, concealsDamage: concealsDamage))
      } catch let error as LibAVError where error.kind == .invalidData && concealsDamage {
        damaged.append(track)
      }
    }
    guard !outputs.isEmpty else { return damaged }
    let reader = try AssetReading(self, for: outputs)
    while try reader.next() != nil { try checkpoint() }
    return damaged + outputs.filter { $0.tally.damagedCount > 0 }.map(\.track)
  }
}
