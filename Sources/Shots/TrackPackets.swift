// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

/// The packets of a track, or of the part of it that is wanted, in the order of the file.
struct TrackPackets {
  private let demuxer: Demuxer
  private let track: AssetTrack

  init(_ track: AssetTrack) throws {
    self.track = track
    demuxer = try Demuxer(path: track.path)
    demuxer.discardOthers(than: track.demuxed.index)
  }

  /// The next packet, and its time of presentation in seconds of the track's media timeline; nil at
  /// the end, and where damage begins, of which those tell who read the whole.
  mutating func next() throws -> (packet: Packet, time: Double)? {
    while let packet = try? demuxer.readPacket() {
      try Task.checkCancellation()
      guard packet.trackIndex == track.demuxed.index, !packet.isEmpty,
        let time = packet.presentationTime ?? packet.decodeTime
      else { continue }
      guard let span = track.span else { return (packet, time.seconds) }
      if packet.isSync, time > span.lastDecoded { return nil }
      if time >= span.start { return (packet, time.seconds) }
    }
    return nil
  }
}
