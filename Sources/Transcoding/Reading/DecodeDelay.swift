internal import LibAV
internal import MediaCore

/// Decode times that are not later than presentation times.
///
/// QuickTime has signed composition offsets, and some of its files present pictures before their
/// decode time (`cslg` states by how much). The files that are written here have unsigned ones.
enum DecodeDelay {
  /// What a track's decode times have to be moved back by: zero for most files.
  static func of(trackIndex: Int, path: String) throws -> MediaTime {
    let demuxer = try Demuxer(path: path)
    for track in demuxer.tracks where track.index != trackIndex {
      demuxer.discard(trackIndex: track.index)
    }
    var delay = MediaTime.zero
    while let packet = try demuxer.readPacket() {
      guard let decode = packet.decodeTime, let presentation = packet.presentationTime else {
        continue
      }
      delay = max(delay, decode - presentation)
    }
    return delay
  }
}
