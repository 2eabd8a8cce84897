// SPDX-License-Identifier: GPL-2.0-or-later
/// The bytes that keep a start code from occurring inside a NAL unit (H.264, 7.4.1; H.265, 7.4.2).
extension [UInt8] {
  /// The payload without its emulation prevention bytes.
  package var withoutEmulationPrevention: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var zeros = 0
    for byte in self {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// The payload with the emulation prevention bytes that it needs.
  package var withEmulationPrevention: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + count / 64)
    var zeros = 0
    for byte in self {
      if zeros >= 2 && byte <= 3 {
        result.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    // A payload that ends in two zeros would run into a following start code.
    if zeros >= 2 { result.append(3) }
    return result
  }
}
