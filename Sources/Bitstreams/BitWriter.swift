// SPDX-License-Identifier: GPL-2.0-or-later
/// Writes bits for ``BitReader``. In each byte, the most significant bit comes first.
package struct BitWriter: Sendable {
  /// The bytes so far. Unwritten bits of the last byte are 0.
  package private(set) var bytes: [UInt8] = []
  /// The number of bits so far.
  package private(set) var bitCount = 0

  package init() {}

  /// Writes `u(n)`: the lowest `count` bits of a number. `count` is at most 64.
  package mutating func u(_ value: UInt64, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if bitCount % 8 == 0 { bytes.append(0) }
      let isSet = value >> UInt64(bit) & 1 == 1
      if isSet { bytes[bytes.count - 1] |= 0x80 >> UInt8(bitCount % 8) }
      bitCount += 1
    }
  }

  /// Writes `u(1)` from a flag.
  package mutating func flag(_ value: Bool) { u(value ? 1 : 0, 1) }

  /// Writes `ue(v)`: an unsigned Exp-Golomb code (H.265, 9.2), for numbers below 2³².
  package mutating func ue(_ value: UInt32) {
    let code = UInt64(value) + 1
    let length = 64 - code.leadingZeroBitCount
    u(0, length - 1)
    u(code, length)
  }

  /// Copies any number of bits out of a reader.
  package mutating func copy(_ count: Int, from reader: inout BitReader) throws(BitstreamError) {
    var left = count
    while left > 0 {
      // The reader gives at most 64 bits at once.
      let step = min(left, 64)
      u(try reader.u(step), step)
      left -= step
    }
  }

  /// Writes `rbsp_trailing_bits`: a single 1, since the rest of the last byte is 0 already.
  package mutating func trailingBits() { u(1, 1) }
}
