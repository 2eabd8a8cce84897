// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
internal import LibAV
internal import Reading

/// The tracks of video that are taken over beside encoded frames. They are decoded once, and a
/// damaged one is left out: an output with encoded frames is whole in all of its tracks.
package struct CarriedVideo {
  private let asset: MediaAsset
  private let tracks: [AssetTrack]
  private let concealsDamage: Bool
  /// The tracks that are damaged; known when all are decoded.
  package private(set) var damagedTracks: [AssetTrack] = []

  /// Number of tracks that are decoded at a time: each decoder has frames in memory, and a file may
  /// have hundreds of tracks.
  private static let groupSize = 8

  /// - Parameter concealsDamage: true if damage is counted; false if it is an error.
  package init(_ tracks: [AssetTrack], of asset: MediaAsset, concealsDamage: Bool) {
    self.asset = asset
    // Nobody here can tell whether one without a decoder is damaged.
    self.tracks = tracks.filter { !$0.isEncrypted && $0.demuxed.codec.canBeDecoded }
    self.concealsDamage = concealsDamage
  }

  /// True if there is nothing to decode.
  package var isEmpty: Bool { tracks.isEmpty }

  /// Decodes all of the tracks.
  ///
  /// - Throws: ``TranscodingError`` for damage that is not to be concealed, and where a decoder
  ///   cannot be opened for lack of memory or threads.
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
