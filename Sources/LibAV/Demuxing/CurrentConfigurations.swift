// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Follows the configurations that the packets of a file's tracks are decoded with.
///
/// The configuration may change within a track: a movie can have several sample entries, and FLV
/// can contain several configuration records. libavformat states the new configuration only with
/// the first packet after a change.
struct CurrentConfigurations {
  private struct Track {
    /// `nil` if samples have no lengths before NAL units.
    var lengths: LengthSizes?
    /// The configuration that the file stated last; `nil` if it is still that of the track.
    var current: [UInt8]?
  }

  /// The tracks by index.
  private var tracks: [Int: Track]

  init(_ demuxed: [DemuxedTrack]) {
    tracks = Dictionary(
      demuxed.map { ($0.index, Track(lengths: LengthSizes($0.codec))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns a packet from the demuxer with its configuration. All samples of a track get lengths
  /// of the same size before their NAL units.
  ///
  /// - Throws: ``LibAVError`` if a NAL unit is too long for that size.
  mutating func stated(with packet: Packet) throws(LibAVError) -> Packet {
    let index = packet.trackIndex
    if let new = packet.takeNewConfiguration() {
      var track = tracks[index] ?? Track()
      // If the new configuration cannot be read, keep the old one. The new one would spoil the
      // packets after it.
      track.current = track.lengths == nil ? new : track.lengths?.take(new) ?? track.current
      tracks[index] = track
    }
    guard let track = tracks[index] else { return packet }
    var stated = try track.lengths?.equalized(packet) ?? packet
    stated.configuration = track.current
    return stated
  }
}

extension Packet {
  /// Removes and returns the configuration that libavformat states for this packet and those after
  /// it; returns `nil` if there is none. The packet must not be shared.
  fileprivate func takeNewConfiguration() -> [UInt8]? {
    var size = 0
    let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
    guard let data = unsafe data, size > 0 else { return nil }
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: size))
    // Remove it, because muxers would use it, too. What muxers are told is decided elsewhere.
    unsafe candela_remove_packet_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA)
    return bytes
  }
}
