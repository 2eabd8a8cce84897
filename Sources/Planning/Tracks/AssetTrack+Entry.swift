// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import ISOBMFF
internal import LibAV
package import MediaCore
internal import Reading

extension AssetTrack {
  /// The sample entry that a copy of the track keeps as it is; nil for a track that has none or
  /// several, and for codecs whose configuration is written anew.
  ///
  /// libavformat has one codec for all forms of uncompressed frames, and would choose an entry by
  /// that; and it has no words for what an entry says beside the codec's configuration.
  package var keptEntry: Box? {
    guard let box else { return quickTimeEntry }
    let entries = box.box.first("mdia", "minf", "stbl", "stsd")?.children ?? []
    guard entries.count == 1, let entry = entries.first, !isEncrypted else { return nil }
    switch demuxed.kind {
    case .video: return demuxed.codec.nalCodec == nil ? entry : nil
    case .audio: return demuxed.codec.isAMR ? entry : TabledAudio.sampleEntry(of: box)
    case .artwork, .other: return nil
    }
  }

  /// The sample entry that a Matroska file has of a codec of QuickTime's; nil for other tracks.
  private var quickTimeEntry: Box? {
    guard demuxed.kind == .video, let entry = Box(videoEntry: demuxed.codec.extradata) else {
      return nil
    }
    // Some writers leave zeros in the place of all numbers.
    let hasSize = entry.fields[24..<28].contains { $0 != 0 }
    return hasSize && demuxed.codecTag == entry.type.rawValue.byteSwapped ? entry : nil
  }
}

extension FileType {
  /// True if samples of a track can be stored as they are.
  package func holds(_ track: AssetTrack) -> Bool {
    let keepsEntry = !isMovie || track.box != nil
    return holds(track.demuxed, entry: keepsEntry ? track.keptEntry?.bytes : nil)
  }
}
