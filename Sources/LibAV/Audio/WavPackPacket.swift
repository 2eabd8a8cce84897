// SPDX-License-Identifier: GPL-2.0-or-later

/// The head of a packet of WavPack (WavPack 4 & 5 Binary File / Block Format, 2.0), which says how
/// long the packet is. Containers state no length of it.
struct WavPackPacket {
  /// Samples of the packet, of each channel; a packet has at most a few seconds.
  let sampleCount: Int

  /// - Parameter bytes: the packet; its blocks are of the same samples, each of other channels.
  /// - Returns: nil for a packet that breaks off or that is of another codec.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 24, bytes.starts(with: Array("wvpk".utf8)) else { return nil }
    sampleCount = bytes[20..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard (1...1 << 24).contains(sampleCount) else { return nil }
  }
}
