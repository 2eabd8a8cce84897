// SPDX-License-Identifier: GPL-2.0-or-later

extension Packet {
  /// Samples a second of Opus, whatever the input of the encoder had.
  static let opusSampleRate = 48_000

  /// Samples of a packet of Opus, at 48 000 a second; at most 5760 (120 ms). Packets of one track
  /// may have different lengths: the table of contents at their head says it (RFC 6716, 3.1); of
  /// several streams, that of the first. Nil for a packet that breaks off or that states a length
  /// that is not allowed.
  var opusSampleCount: Int? {
    let bytes = bytes
    guard let first = bytes.first else { return nil }
    let frameCount: Int
    switch first & 3 {
    case 0: frameCount = 1
    case 1, 2: frameCount = 2
    default:
      guard bytes.count > 1 else { return nil }
      frameCount = Int(bytes[1] & 0x3F)
    }
    let sampleCount = frameCount * Self.opusFrameLength(configuration: first >> 3)
    return (1...5760).contains(sampleCount) ? sampleCount : nil
  }

  /// Samples of a frame of Opus, by the number of its configuration, 0 to 31 (RFC 6716, table 2).
  private static func opusFrameLength(configuration: UInt8) -> Int {
    switch configuration {
    case 0..<12: [480, 960, 1920, 2880][Int(configuration) & 3]
    case 12..<16: [480, 960][Int(configuration) & 1]
    default: [120, 240, 480, 960][Int(configuration) & 3]
    }
  }
}
