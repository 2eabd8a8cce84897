// SPDX-License-Identifier: GPL-2.0-or-later
/// Start codes between NAL units, and emulation prevention: bytes of value 3 that keep start codes
/// from occurring inside a NAL unit (H.264, 7.4.1; H.265, 7.4.2).
extension [UInt8] {
  /// The payload without its emulation prevention bytes.
  package var withoutEmulationPrevention: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var zeros = 0
    for byte in self {
      // The syntax drops every 3 after two zeros, whatever byte follows it (H.265, 7.3.1.1). So a 3
      // at the very end is dropped as well.
      if zeros >= 2 && byte == 3 {
        // The zeros before a dropped 3 must not count again for the next 3.
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
    // Few payloads need more than one such byte in 64, so the array seldom has to grow.
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
    // A NAL unit must not end in zeros (H.265, 7.4.2): they would run into the next start code.
    // Only `cabac_zero_words` end a payload in zeros. Each has two, so no payload ends in just one.
    if zeros >= 2 { result.append(3) }
    return result
  }

  /// Where start codes (0, 0, 1) begin, in order (H.264 and H.265, B.1.1).
  package var startCodes: [Int] {
    var places: [Int] = []
    var last = 2
    while last < count {
      // All bytes of a code except the last are 0. So if this byte is not 0, the next code ends at
      // least three bytes later.
      if self[last] == 1, self[last - 1] == 0, self[last - 2] == 0 { places.append(last - 2) }
      last += self[last] == 0 ? 1 : 3
    }
    return places
  }
}
