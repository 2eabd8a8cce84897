// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Follows the configurations that the packets of a file's tracks are decoded with.
///
/// The configuration may change within a track: a movie can have several sample entries, and FLV
/// can contain several configuration records. libavformat states the new configuration only with
/// the first packet after a change.
struct CurrentConfigurations {
  /// The sizes of the lengths before NAL units, by track index. Tracks without such lengths are
  /// left out.
  private var lengths: [Int: LengthSizes] = [:]
  /// The configurations that the file stated last, by track index. A track is left out if its own
  /// configuration still holds.
  private var current: [Int: [UInt8]] = [:]

  init(_ tracks: [DemuxedTrack]) {
    for track in tracks { lengths[track.index] = LengthSizes(track.codec) }
  }

  /// Returns a packet from the demuxer with its configuration. All samples of a track get lengths
  /// of the same size before their NAL units.
  ///
  /// - Throws: ``LibAVError`` if a NAL unit is too long for that size.
  mutating func stated(with packet: Packet) throws(LibAVError) -> Packet {
    let index = packet.trackIndex
    if let new = packet.takeNewConfiguration() {
      // If the new configuration cannot be read, keep the old one. The new one would spoil the
      // packets after it.
      let usable = lengths[index] == nil ? new : lengths[index]?.take(new)
      current[index] = usable ?? current[index]
    }
    var stated = try lengths[index]?.equalized(packet) ?? packet
    stated.configuration = current[index]
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
