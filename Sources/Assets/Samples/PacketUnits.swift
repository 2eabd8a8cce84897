package import LibAV
package import NALUnits

/// The NAL units of a track's packets, in the pictures that they belong to.
package struct PacketUnits {
  /// The codec.
  package let codec: NALCodec
  /// The parameter sets and SEI that stand before all packets.
  package let configuration: [NALUnit]

  private let lengthSize: Int?

  /// Whether packets are samples of a movie or Matroska file, and not pieces of a byte stream.
  package var areSamples: Bool { lengthSize != nil }

  /// - Returns: nil for codecs other than H.264 and HEVC.
  package init?(_ track: DemuxedTrack) {
    guard let codec = ["hevc": NALCodec.hevc, "h264": .avc][track.codec.codecName] else {
      return nil
    }
    self.codec = codec
    let record = DecoderConfiguration(track.codec.extradata, codec)
    (configuration, lengthSize) = (record?.units ?? [], record?.lengthSize)
  }

  /// The units of a packet.
  ///
  /// - Returns: `late` are those that belong to the picture of the packet before: out of byte
  ///   streams, what stands behind an end of sequence comes with the next picture, or as a packet
  ///   of its own.
  package func split(_ packet: Packet) -> (late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>) {
    if let lengthSize {
      return ([], NALUnit.split(sample: packet.bytes, lengthSize: lengthSize)[...])
    }
    let units = NALUnit.split(annexB: packet.bytes)[...]
    let late = units.prefix { codec == .hevc && $0.hevcType.followsPicture }
    return (late, units.dropFirst(late.count))
  }
}

extension HEVCNALUnitType {
  /// Whether a unit can stand behind a picture of its access unit only (H.265, 7.4.2.4.4): EOS,
  /// EOB, suffix SEI, and the unspecified types that RPUs are among.
  fileprivate var followsPicture: Bool {
    [36, 37, 40].contains(rawValue) || (56...63).contains(rawValue)
  }
}

extension NALUnit {
  /// A Dolby Vision RPU without the header of its unit and zeros behind it.
  package var dolbyVisionRPU: [UInt8] {
    Array(bytes.dropFirst(2).dropLast(bytes.reversed().prefix { $0 == 0 }.count))
  }
}
