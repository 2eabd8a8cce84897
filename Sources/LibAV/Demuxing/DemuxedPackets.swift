// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

package struct DemuxedPackets {
  package let demuxer: Demuxer
  /// The indices of the tracks that are still wanted.
  private var tracks: Set<Int>

  /// Reads the packets of an open file from which no packet has been read yet. `tracks` has the
  /// indices of the tracks to read; `nil` means all.
  package init(_ demuxer: Demuxer, of tracks: Set<Int>? = nil) {
    self.demuxer = demuxer
    self.tracks = tracks ?? Set(demuxer.tracks.map(\.index))
    for track in demuxer.tracks where !self.tracks.contains(track.index) {
      demuxer.discard(trackIndex: track.index)
    }
  }

  /// Opens a file to read its packets.
  ///
  /// - Parameters:
  ///   - tracks: the indices of the tracks to read; `nil` for all.
  ///   - probing: whether to look in the bitstreams for facts that the container does not have.
  package init(
    path: String, of tracks: Set<Int>? = nil, probing: Bool = true
  ) throws(LibAVError) {
    self.init(try Demuxer(path: path, probing: probing), of: tracks)
  }

  package static func isEmpty(path: String) throws(LibAVError) -> Bool {
    var packets = try DemuxedPackets(path: path, probing: false)
    return try packets.next() == nil
  }

  /// Skips the rest of a track.
  package mutating func end(_ track: Int) {
    tracks.remove(track)
    demuxer.discard(trackIndex: track)
  }

  /// Returns the next packet, or `nil` at the end of the file or once all tracks have ended.
  package mutating func next() throws(LibAVError) -> Packet? {
    while !tracks.isEmpty, let packet = try demuxer.readPacket() {
      // Packets of unwanted tracks still come, because libavformat read some of them while probing
      // and finds some tracks only later.
      if tracks.contains(packet.trackIndex) { return packet }
    }
    return nil
  }
}
