// SPDX-License-Identifier: GPL-2.0-or-later

/// Reads the number of samples in an audio packet from the packet's header, for codecs whose
/// containers do not state this number.
extension Packet {
  /// The number of samples of each channel in a packet of Enhanced AC-3; `nil` if the packet is
  /// truncated or has another codec. A packet contains one frame or several, each with 256 to 1536
  /// samples (ATSC A/52, annex E.2.3.1).
  var enhancedAC3SampleCount: Int? {
    let bytes = bytes
    var (start, blocks) = (0, 0)
    while start < bytes.count {
      guard bytes.count - start > 5, bytes[start] == 0x0B, bytes[start + 1] == 0x77,
        // The bitstream identification is 11 to 16 in Enhanced AC-3 and at most 10 in plain AC-3.
        bytes[start + 5] >> 3 > 10
      else { return nil }
      // Dependent frames, and frames of other programs, play at the same time as the first frame,
      // so they do not make the packet longer.
      let (kind, stream) = (bytes[start + 2] >> 6, bytes[start + 2] >> 3 & 7)
      if kind != 1, stream == 0 { blocks += Self.blockCount(bytes[start + 4]) }
      // `frmsiz` is the number of 16-bit words minus one.
      start += (Int(bytes[start + 2] & 7) << 8 | Int(bytes[start + 3])) * 2 + 2
    }
    return blocks > 0 ? blocks * 256 : nil
  }

  /// Returns the number of blocks in a frame, from the byte that codes the sample rate and the
  /// number of blocks.
  private static func blockCount(_ codes: UInt8) -> Int {
    // At a reduced sample rate, a frame always has six blocks. The bits that otherwise code the
    // number of blocks then code the rate.
    codes >> 6 == 3 ? 6 : [1, 2, 3, 6][Int(codes >> 4 & 3)]
  }

  /// The number of samples of each channel in a packet of WavPack (WavPack 4 & 5 Binary File /
  /// Block Format, 2.0); `nil` if the packet is truncated or has another codec.
  var wavPackSampleCount: Int? {
    let bytes = bytes
    guard bytes.count >= 24, bytes.starts(with: Array("wvpk".utf8)) else { return nil }
    // The first block is enough, because the other blocks of a packet only add channels to the same
    // samples.
    let count = bytes[20..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
    // A packet lasts a few seconds at most. A number larger than this limit comes from damage.
    return (1...1 << 24).contains(count) ? count : nil
  }
}
