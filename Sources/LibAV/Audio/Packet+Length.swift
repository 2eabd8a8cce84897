// SPDX-License-Identifier: GPL-2.0-or-later

/// Samples of a packet of audio, of each channel, by its own head: containers do not state how long
/// the packets of these codecs are.
extension Packet {
  /// Samples of Enhanced AC-3, whose frames have 256 to 1536 (ATSC A/52, annex E.2.3.1); nil for a
  /// packet that breaks off or that is of another codec. There is one frame in it, or several.
  var enhancedAC3SampleCount: Int? {
    let bytes = bytes
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
    return blocks > 0 ? blocks * 256 : nil
  }

  /// Blocks of a frame, by the byte that has the codes of its sample rate and of their number.
  private static func blockCount(_ codes: UInt8) -> Int {
    codes >> 6 == 3 ? 6 : [1, 2, 3, 6][Int(codes >> 4 & 3)]
  }

  /// Samples of WavPack (WavPack 4 & 5 Binary File / Block Format, 2.0), whose blocks are of the
  /// same ones, each of other channels; nil for a packet that breaks off or is of another codec.
  var wavPackSampleCount: Int? {
    let bytes = bytes
    guard bytes.count >= 24, bytes.starts(with: Array("wvpk".utf8)) else { return nil }
    let count = bytes[20..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
    // At most a few seconds.
    return (1...1 << 24).contains(count) ? count : nil
  }
}
