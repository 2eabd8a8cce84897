// SPDX-License-Identifier: GPL-2.0-or-later
/// Reads the bits of a raw byte sequence payload whose emulation prevention bytes were removed. In
/// each byte, the most significant bit comes first (H.265, 7.2).
package struct BitReader: Sendable {
  private let bytes: [UInt8]

  /// The position of the next bit. The first bit is at 0.
  package private(set) var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bits after ``position``.
  package var remaining: Int { bytes.count * 8 - position }

  /// Reads `u(n)`: an unsigned number of up to 64 bits.
  package mutating func u(_ count: Int) throws(BitstreamError) -> UInt64 {
    precondition((0...64).contains(count), "at most 64 bits can be read at once")
    guard remaining >= count else {
      throw .endOfData(bitPosition: position, wanted: count, available: remaining)
    }
    var value: UInt64 = 0
    var left = count
    while left > 0 {
      let free = 8 - position % 8
      let taken = min(free, left)
      let byte = UInt64(bytes[position / 8])
      // In Swift `<<` binds tighter than `-`, so the mask is one less than a power of two.
      let bits = byte >> UInt64(free - taken) & (1 << UInt64(taken) - 1)
      value = value << UInt64(taken) | bits
      position += taken
      left -= taken
    }
    return value
  }

  /// Reads `u(1)` as a flag.
  package mutating func flag() throws(BitstreamError) -> Bool {
    try u(1) == 1
  }

  /// Reads `ue(v)`: an unsigned Exp-Golomb code (H.265, 9.2).
  package mutating func ue() throws(BitstreamError) -> UInt64 {
    let start = position
    var zeros = 0
    while try u(1) == 0 {
      zeros += 1
      // No value in the standards needs more zeros. In damaged data there may be more zeros than
      // the 64 bits that `u` can read.
      guard zeros <= 32 else { throw .invalidExpGolomb(bitPosition: start) }
    }
    return (1 << UInt64(zeros)) - 1 + (try u(zeros))
  }

  /// Reads `se(v)`: a signed Exp-Golomb code (H.265, 9.2.2).
  package mutating func se() throws(BitstreamError) -> Int64 {
    let code = Int64(try ue())
    return code % 2 == 1 ? (code + 1) / 2 : -(code / 2)
  }

  /// Moves on by `count` bits without reading them.
  package mutating func skip(_ count: Int) throws(BitstreamError) {
    guard count >= 0, remaining >= count else {
      throw .endOfData(bitPosition: position, wanted: count, available: remaining)
    }
    position += count
  }

  /// The number of bits before the trailing bits (`rbsp_trailing_bits`); 0 if all bytes are zero.
  package var contentBitCount: Int {
    // `more_rbsp_data()` looks for the last bit that is 1 (H.265, 7.2). Zero bytes may follow that
    // bit, such as `cabac_zero_words`.
    guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return 0 }
    return last * 8 + 7 - bytes[last].trailingZeroBitCount
  }
}

/// An error while reading bytes or bits.
package enum BitstreamError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data ends inside a value.
  case endOfData(bitPosition: Int, wanted: Int, available: Int)
  /// An Exp-Golomb code with more than 32 leading zeros (H.265, 9.2).
  case invalidExpGolomb(bitPosition: Int)

  /// The error in words, with the bit where it happened.
  package var description: String {
    switch self {
    case .endOfData(let position, let wanted, let available):
      "the data ends early: \(wanted) \(wanted == 1 ? "bit is" : "bits are") needed at bit "
        + "\(position), but \(available) \(available == 1 ? "is" : "are") left"
    case .invalidExpGolomb(let position):
      "an Exp-Golomb code at bit \(position) has more than 32 leading zeros"
    }
  }
}
