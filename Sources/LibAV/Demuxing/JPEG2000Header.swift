// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// The main header of a JPEG 2000 codestream (ISO/IEC 15444-1, A.5.1).
enum JPEG2000Header {
  /// The markers that every codestream begins with: `SOC` and `SIZ`.
  private static let beginning: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
  /// Bytes before the codestream that a file format may add.
  private static let longestWrapping = 1024
  /// Bytes of the codestream up to `Rsiz`, that field among them.
  private static let length = 8

  /// True if blocks may be coded by the high-throughput part (ISO/IEC 15444-15): bit 14 of `Rsiz`
  /// says that there is a marker `CAP`, which only that part has.
  static func isHighThroughput(_ bytes: [UInt8]) -> Bool {
    let last = min(bytes.count - length, longestWrapping)
    guard last >= 0,
      let start = (0...last).first(where: { bytes[$0..<$0 + 4].elementsEqual(beginning) })
    else { return false }
    return bytes[start + 6] & 0x40 != 0
  }
}

extension CodecParameters {
  /// True if this FFmpeg's decoder knows the kind of frame that a packet holds: before 6.1 it makes
  /// gray of High-Throughput JPEG 2000, whose header says so. The container does not: its sample
  /// entry and its codec are those of JPEG 2000.
  package func isKnown(_ packet: Packet) -> Bool {
    guard codecName == "jpeg2000", candela_decodes_htj2k() == 0 else { return true }
    return !JPEG2000Header.isHighThroughput(packet.bytes)
  }
}
