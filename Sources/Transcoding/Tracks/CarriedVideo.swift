// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV

/// The tracks of video that are taken over beside encoded frames. They are decoded once, and a
/// damaged one is left out: an output with encoded frames is whole in all of its tracks.
struct CarriedVideo {
  private let asset: MediaAsset
  private var outputs: [AssetReaderTrackOutput] = []
  /// The tracks that cannot even be opened.
  private var unreadable: [AssetTrack] = []

  /// - Parameter concealsDamage: true if damage is counted; false if it is an error.
  /// - Throws: where a decoder cannot be opened for lack of memory or threads.
  init(_ tracks: [AssetTrack], of asset: MediaAsset, concealsDamage: Bool) throws {
    self.asset = asset
    for track in tracks {
      do {
        outputs.append(
          try AssetReaderTrackOutput(track: track, decodes: true, concealsDamage: concealsDamage))
      } catch let error as LibAVError where error.operation == .findingDecoder {
        // Nobody here can tell whether it is damaged.
        continue
      } catch let error as LibAVError where error.kind == .invalidData && concealsDamage {
        unreadable.append(track)
      }
    }
  }

  /// True if there is nothing to decode.
  var isEmpty: Bool { outputs.isEmpty }

  /// Decodes all of the tracks.
  ///
  /// - Throws: ``TranscodingError`` for damage that is not to be concealed.
  func decode(checkpoint: Pipeline.Checkpoint) throws {
    do {
      let reader = try AssetReader(asset: asset, outputs: outputs)
      while try reader.nextSample() != nil { try checkpoint() }
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  /// The tracks that are damaged; known when all are decoded.
  var damagedTracks: [AssetTrack] {
    unreadable + outputs.filter { $0.damagedCount > 0 }.map(\.track)
  }
}
