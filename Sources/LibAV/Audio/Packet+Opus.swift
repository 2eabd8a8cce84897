// SPDX-License-Identifier: GPL-2.0-or-later

extension Packet {
  /// The sample rate of Opus in Hz. It does not depend on the rate of the encoder's input.
  static let opusSampleRate = 48_000

  /// The number of samples in a packet of Opus at 48 kHz, which is at most 5760 (120 ms). It is
  /// computed from the packet's first two bytes (RFC 6716, 3.1 and 3.2). `nil` if the packet is
  /// truncated or declares a length that is not allowed.
  var opusSampleCount: Int? {
    let bytes = bytes
    guard let first = bytes.first else { return nil }
    // Packets of one track may differ in length, so each packet is read. If a packet has several
    // streams, all are as long as the first.
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

  /// Returns the number of samples in a frame with a configuration from 0 to 31 (RFC 6716, table
  /// 2).
  private static func opusFrameLength(configuration: UInt8) -> Int {
    switch configuration {
    case 0..<12: [480, 960, 1920, 2880][Int(configuration) & 3]
    case 12..<16: [480, 960][Int(configuration) & 1]
    default: [120, 240, 480, 960][Int(configuration) & 3]
    }
  }
}
