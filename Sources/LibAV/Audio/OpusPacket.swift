// SPDX-License-Identifier: GPL-2.0-or-later

/// The head of a packet of Opus (RFC 6716, 3.1): the table of contents, which says how long the
/// packet is. Packets of one track may have different lengths.
struct OpusPacket {
  /// Samples a second, whatever the input of the encoder had.
  static let sampleRate = 48_000

  /// Samples of the packet, at 48 000 a second; at most 5760 (120 ms).
  let sampleCount: Int

  /// - Parameter bytes: the first bytes of the packet; of several streams, those of the first.
  /// - Returns: nil for a packet that breaks off or that states a length that is not allowed.
  init?(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return nil }
    let frameCount: Int
    switch first & 3 {
    case 0: frameCount = 1
    case 1, 2: frameCount = 2
    default:
      guard bytes.count > 1 else { return nil }
      frameCount = Int(bytes[1] & 0x3F)
    }
    sampleCount = frameCount * Self.frameLength(configuration: first >> 3)
    guard (1...5760).contains(sampleCount) else { return nil }
  }

  /// Samples of a frame, by the number of its configuration, 0 to 31 (RFC 6716, table 2).
  private static func frameLength(configuration: UInt8) -> Int {
    switch configuration {
    case 0..<12: [480, 960, 1920, 2880][Int(configuration) & 3]
    case 12..<16: [480, 960][Int(configuration) & 1]
    default: [120, 240, 480, 960][Int(configuration) & 3]
    }
  }
}
