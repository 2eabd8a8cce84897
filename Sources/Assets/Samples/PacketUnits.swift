// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import LibAV
package import NALUnits

/// The NAL units of a track's packets, in the pictures that they belong to.
package struct PacketUnits {
  /// The codec.
  package let codec: NALCodec
  /// The parameter sets and SEI that stand before all packets.
  package let configuration: [NALUnit]

  private let lengthSize: Int?

  /// True if packets are samples of a movie or Matroska file, and not pieces of a byte stream.
  package var areSamples: Bool { lengthSize != nil }

  /// - Returns: nil for codecs other than H.264 and HEVC.
  package init?(_ track: DemuxedTrack) {
    guard let codec = track.codec.nalCodec else { return nil }
    self.codec = codec
    let record = try? DecoderConfiguration(track.codec.extradata, codec)
    (configuration, lengthSize) = (record?.units ?? [], record?.lengthSize)
  }

  /// The units of a packet.
  ///
  /// - Returns: `late` are those that belong to the frame of the packet before: out of byte
  ///   streams, what stands behind an end of sequence comes with the next frame, or as a packet
  ///   of its own.
  package func split(_ packet: Packet) -> (late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>) {
    if let lengthSize {
      return ([], NALUnit.split(sample: packet.bytes, lengthSize: lengthSize, codec)[...])
    }
    let units = NALUnit.split(annexB: packet.bytes, codec)[...]
    let late = units.prefix(while: \.followsPicture)
    return (late, units.dropFirst(late.count))
  }
}
