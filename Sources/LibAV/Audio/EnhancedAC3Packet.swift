// SPDX-License-Identifier: GPL-2.0-or-later

/// The heads of the frames in a packet of Enhanced AC-3 (ATSC A/52, annex E.2.3.1), which say how long
/// the packet is: frames have 256 to 1536 samples.
struct EnhancedAC3Packet {
  /// Samples of the packet.
  let sampleCount: Int

  /// - Parameter bytes: the whole packet.
  /// - Returns: nil for a packet that breaks off or that is of another codec.
  init?(_ bytes: [UInt8]) {
    var (start, blocks) = (0, 0)
    while start < bytes.count {
      guard bytes.count - start > 5, bytes[start] == 0x0B, bytes[start + 1] == 0x77,
        bytes[start + 5] >> 3 > 10
      else { return nil }
      // Dependent frames, and those of other programs, are heard beside the first one.
      let (kind, stream) = (bytes[start + 2] >> 6, bytes[start + 2] >> 3 & 7)
      if kind != 1, stream == 0 { blocks += Self.blockCount(bytes[start + 4]) }
      start += (Int(bytes[start + 2] & 7) << 8 | Int(bytes[start + 3])) * 2 + 2
    }
    sampleCount = blocks * 256
    guard blocks > 0 else { return nil }
  }

  /// Blocks of a frame, by the byte that has codes of its sample rate and their number.
  private static func blockCount(_ codes: UInt8) -> Int {
    codes >> 6 == 3 ? 6 : [1, 2, 3, 6][Int(codes >> 4 & 3)]
  }
}
