// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
internal import LibAV
internal import Reading

/// The video tracks that are copied in addition to the one that is encoded.
package struct CarriedVideo {
  // An output with encoded frames promises that none of its tracks is damaged. So copied tracks are
  // decoded once, and damaged ones are left out.

  private let asset: MediaAsset
  private let tracks: [AssetTrack]
  private let concealsDamage: Bool
  /// The damaged tracks, once all are decoded.
  package private(set) var damagedTracks: [AssetTrack] = []

  /// How many tracks are decoded at a time. Each decoder holds frames in memory, and a file may
  /// have hundreds of tracks.
  private static let groupSize = 8

  /// - Parameter concealsDamage: whether damage is counted instead of thrown as an error.
  package init(_ tracks: [AssetTrack], of asset: MediaAsset, concealsDamage: Bool) {
    self.asset = asset
    // Tracks that cannot be decoded cannot be checked. They are copied all the same.
    self.tracks = tracks.filter { !$0.isEncrypted && $0.demuxed.codec.canBeDecoded }
    self.concealsDamage = concealsDamage
  }

  /// Whether there is nothing to decode.
  package var isEmpty: Bool { tracks.isEmpty }

  /// Decodes all of the tracks.
  ///
  /// - Throws: ``TranscodingError`` if a track is damaged and damage is not concealed, or if a
  ///   decoder lacks memory or threads.
  package mutating func decode(checkpoint: Pipeline.Checkpoint) throws {
    do {
      for start in stride(from: 0, to: tracks.count, by: Self.groupSize) {
        try decode(tracks[start...].prefix(Self.groupSize), checkpoint)
      }
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  private mutating func decode(
    _ group: ArraySlice<AssetTrack>, _ checkpoint: Pipeline.Checkpoint
  ) throws {
    var outputs: [TrackReading] = []
    for track in group {
      do {
        outputs.append(
          try TrackReading(track: track, decodes: true, concealsDamage: concealsDamage))
      } catch let error as LibAVError where error.kind == .invalidData && concealsDamage {
        damagedTracks.append(track)
      }
    }
    guard !outputs.isEmpty else { return }
    let reader = try AssetReading(asset, for: outputs)
    while try reader.next() != nil { try checkpoint() }
    damagedTracks += outputs.filter { $0.tally.damagedCount > 0 }.map(\.track)
  }
}
