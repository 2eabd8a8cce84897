// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import LibAV
package import NALUnits

/// Splits a track's packets into NAL units and assigns them to frames.
package struct PacketUnits {
  package let codec: NALCodec
  /// The parameter sets and SEI that come before all packets.
  package let configuration: [NALUnit]

  private let lengthSize: Int?

  /// Whether packets are samples of a movie or Matroska file, and not pieces of a byte stream.
  package var areSamples: Bool { lengthSize != nil }

  /// - Returns: `nil` unless the codec is H.264 or HEVC.
  package init?(_ track: DemuxedTrack) {
    guard let codec = track.codec.nalCodec else { return nil }
    self.codec = codec
    let record = try? DecoderConfiguration(track.codec.extradata, codec)
    (configuration, lengthSize) = (record?.units ?? [], record?.lengthSize)
  }

  /// Returns the units of a sample of a movie or Matroska file; nothing for byte streams.
  ///
  /// - Parameter size: the size of the lengths before units; `nil` for the size that the track's
  ///   configuration states.
  package func split(sample: [UInt8], lengthSize size: Int? = nil) -> [NALUnit] {
    lengthSize.map { NALUnit.split(sample: sample, lengthSize: size ?? $0, codec) } ?? []
  }

  /// Returns the units of a packet.
  ///
  /// - Returns: in `late`, the units that belong to the previous packet's frame.
  package func split(_ packet: Packet) -> (late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>) {
    if let lengthSize {
      return ([], NALUnit.split(sample: packet.bytes, lengthSize: lengthSize, codec)[...])
    }
    let units = NALUnit.split(annexB: packet.bytes, codec)[...]
    // libavformat cuts a byte stream at the end of a sequence. Units after that end, such as an
    // RPU, come with the next frame or as a separate packet.
    let late = units.prefix(while: \.followsPicture)
    return (late, units.dropFirst(late.count))
  }
}
