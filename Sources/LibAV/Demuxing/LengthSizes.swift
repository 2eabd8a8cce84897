// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import MediaCore
internal import NALUnits

/// Changes the samples of a track so that all lengths before NAL units have the size that the
/// track's configuration states.
///
/// The configuration may change within a track: a movie can have several sample entries, and FLV
/// can contain several records. Each entry or record states the size of the length before each NAL
/// unit (`lengthSizeMinusOne`; ISO/IEC 14496-15, 5.3.3 and 8.3.3). After the sizes are made equal,
/// one configuration is enough to split the samples into units.
struct LengthSizes {
  private struct Track {
    let codec: NALCodec
    /// The size of a length in bytes, as the track's configuration states it.
    let wanted: Int
    /// The size of a length in bytes, in the samples that are being read.
    var stored: Int
    /// The configuration of the samples that are being read, with the wanted size; `nil` if it is
    /// still the first one.
    var changed: [UInt8]?
  }

  /// The tracks whose samples have a length before each NAL unit, by index.
  private var tracks: [Int: Track] = [:]

  init(_ demuxed: [DemuxedTrack]) {
    for track in demuxed {
      guard let codec = track.codec.nalCodec,
        let size = (try? DecoderConfiguration(track.codec.extradata, codec))?.lengthSize
      else { continue }
      tracks[track.index] = Track(codec: codec, wanted: size, stored: size)
    }
  }

  /// Returns a packet whose lengths have the size that its track's configuration states.
  ///
  /// - Throws: ``LibAVError`` if a NAL unit is too long for that size.
  mutating func equalized(_ packet: Packet) throws(LibAVError) -> Packet {
    let index = packet.trackIndex
    guard var track = tracks[index] else { return packet }
    var isChange = false
    if var record = packet.newConfiguration.flatMap({ try? track.codec.record.init($0) }) {
      track.stored = record.lengthSize
      // Decoders take over the new configuration, so it has to state the same size.
      record.lengthSize = track.wanted
      track.changed = record.bytes
      tracks[index] = track
      isChange = true
    }
    let equal = try resized(packet, track)
    // Only the first packet after a change has the new configuration. Readers may skip that packet,
    // but they begin with a sync sample.
    if let changed = track.changed, isChange || packet.isSync {
      try equal.setNewConfiguration(changed)
    }
    return equal
  }

  private func resized(_ packet: Packet, _ track: Track) throws(LibAVError) -> Packet {
    guard track.stored != track.wanted else { return packet }
    let sample = Self.resized(packet.bytes, from: track.stored, to: track.wanted)
    guard let sample else {
      throw LibAVError(
        "av_read_frame", candela_averror_invaliddata(),
        context: "a NAL unit is too long for the first configuration of track "
          + "\(packet.trackIndex + 1)")
    }
    return try packet.replacing(sample)
  }

  /// Returns a sample whose lengths have another size; `nil` if a unit is too long for it. A last
  /// unit that is cut off stays cut off.
  private static func resized(_ sample: [UInt8], from old: Int, to new: Int) -> [UInt8]? {
    let longest = 1 << (8 * new) - 1
    var (result, rest) = ([UInt8](), sample[...])
    while rest.count >= old {
      let length = rest.prefix(old).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(old)
      guard length <= longest || length > rest.count else { return nil }
      let stated = min(length, longest)
      result += (0..<new).reversed().map { UInt8(truncatingIfNeeded: stated >> (8 * $0)) }
      result += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    return result + rest
  }
}

extension Packet {
  /// The configuration that applies from this packet on; `nil` if it is still the one before.
  package var newConfiguration: [UInt8]? {
    var size = 0
    let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
    guard let data = unsafe data, size > 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: data, count: size))
  }

  /// Returns the same data with a configuration that applies from this packet on.
  package func stating(newConfiguration bytes: [UInt8]) throws(LibAVError) -> Packet {
    let copy = try moved(by: .zero)
    try copy.setNewConfiguration(bytes)
    return copy
  }

  /// Replaces the configuration that applies from this packet on. The packet must not be shared.
  fileprivate func setNewConfiguration(_ bytes: [UInt8]) throws(LibAVError) {
    let data = unsafe av_packet_new_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, bytes.count)
    let memory = try unsafe allocated(data, "av_packet_new_side_data")
    for (index, byte) in bytes.enumerated() { unsafe memory[index] = byte }
  }
}
