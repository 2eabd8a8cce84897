// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

extension AssetTrack {
  /// Whether samples in the middle of the track may need a different configuration than the first
  /// ones. The demuxer knows their configuration only if it reads everything before them.
  package var mayChangeConfiguration: Bool {
    // FLV can have configuration records between samples. In a movie, each sample names its entry,
    // but libavformat states an entry only when the entry changes. It never states a change that it
    // came upon while it was probing the file.
    box.map { $0.sampleEntries.count > 1 } ?? demuxed.mayBeReconfigured
  }

  /// Returns the track with the configuration and the sample entry of the first copied sample. If
  /// only a part is copied, they may differ from those of the file's first sample.
  ///
  /// - Throws: ``LibAVError`` if the file cannot be read.
  package func asCopied() throws -> AssetTrack {
    guard mayChangeConfiguration, [.video, .audio].contains(demuxed.kind) else { return self }
    var packets = try TrackPackets(self, decodes: false, endsAtDamage: true)
    while let packet = try packets.next() {
      if needsForCopy(packet) { return try beginning(with: packet) }
    }
    return self
  }

  /// Whether a copy needs a packet. If only a part is copied, a ``PacketFilter`` must have let the
  /// packet pass.
  func needsForCopy(_ packet: Packet) -> Bool {
    // Frames may refer to each other, so all of them are kept. Audio is kept from a little
    // before an edit to the edit's end.
    guard demuxed.kind == .audio, let time = packet.presentationTimeStamp else { return true }
    let end = time + packet.duration + TrackReading.preroll
    guard demuxed.codec.isPCM else { return timeline.presents(from: time, to: end) }
    // A table of PCM samples counts them without gaps. So the samples between two edits cannot be
    // left out.
    let start = timeline.edits.compactMap(\.mediaStart).min()
    return start.map { $0 < end } ?? false && timeline.mediaEnd.map { time < $0 } ?? true
  }
}
