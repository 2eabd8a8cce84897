// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import NALUnits
internal import OBUs

/// Removes units from the packets for a decoder: RPUs and enhancement layers of Dolby Vision, and
/// the units of AV1 that decoders ignore.
struct UnreadUnits {
  // FFmpeg's decoders parse RPUs, too. An RPU that is damaged, or of a kind that FFmpeg does not
  // know, then counts as an error of the frame, although the frame is whole. No decoder of FFmpeg
  // uses an enhancement layer. Units of reserved types count as errors as well.

  /// Returns where a packet has such units.
  private let places: (Span<UInt8>) -> [Range<Int>]

  /// - Returns: `nil` if the codec has no such units, or if its configuration cannot be read.
  init?(_ codec: CodecParameters) {
    if codec.isAV1 {
      places = { OBU.unread(in: $0) }
      return
    }
    guard let nalCodec = codec.nalCodec, nalCodec.carriesDolbyVision else { return nil }
    var lengthSize: Int?
    // Raw byte streams may have no parameter sets before their packets.
    if !codec.extradata.isEmpty {
      let configuration = try? DecoderConfiguration(codec.extradata, nalCodec)
      guard let configuration else { return nil }
      lengthSize = configuration.lengthSize
    }
    places = { [lengthSize] packet in
      guard let lengthSize else { return NALUnit.dolbyVision(annexB: packet) }
      return NALUnit.dolbyVision(sample: packet, lengthSize: lengthSize)
    }
  }

  /// Returns a packet without such units. Packets that have none are not copied.
  func removed(from packet: Packet) throws(LibAVError) -> Packet {
    let found = packet.withBytes(places)
    return found.isEmpty ? packet : try packet.removing(found)
  }
}
