// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// The packets of some of a file's tracks, in the order of the file.
///
/// The demuxer leaves out the others where it can. It gives those that it read while it probed all
/// the same, and those of tracks that it finds only later: they are left out here.
package struct DemuxedPackets {
  package let demuxer: Demuxer
  /// The indices of the tracks whose packets are still wanted.
  private var tracks: Set<Int>

  /// The packets of a file that was not read from before, of all tracks unless some are named by
  /// their indices.
  package init(_ demuxer: Demuxer, of tracks: Set<Int>? = nil) {
    self.demuxer = demuxer
    self.tracks = tracks ?? Set(demuxer.tracks.map(\.index))
    for track in demuxer.tracks where !self.tracks.contains(track.index) {
      demuxer.discard(trackIndex: track.index)
    }
  }

  /// The same of a file at a path.
  ///
  /// - Parameter probing: as for `Demuxer`.
  package init(
    path: String, of tracks: Set<Int>? = nil, probing: Bool = true
  ) throws(LibAVError) {
    self.init(try Demuxer(path: path, probing: probing), of: tracks)
  }

  /// True if a file holds no packet.
  package static func isEmpty(path: String) throws(LibAVError) -> Bool {
    var packets = try DemuxedPackets(path: path, probing: false)
    return try packets.next() == nil
  }

  /// Leaves out the rest of a track, of which enough is known.
  package mutating func end(_ track: Int) {
    tracks.remove(track)
    demuxer.discard(trackIndex: track)
  }

  /// The next packet. There is none at the end of the file, nor once all tracks have ended.
  package mutating func next() throws(LibAVError) -> Packet? {
    while !tracks.isEmpty, let packet = try demuxer.readPacket() {
      if tracks.contains(packet.trackIndex) { return packet }
    }
    return nil
  }
}
