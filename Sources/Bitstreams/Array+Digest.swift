// SPDX-License-Identifier: GPL-2.0-or-later
extension [UInt8] {
  /// A hash of the bytes. Different bytes practically always have different hashes.
  package var digest: UInt64 {
    // This is 2⁶⁴ divided by the golden ratio, an odd number whose multiples spread evenly. The
    // hash has to be fast: to compare two files, every byte of both is hashed.
    let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
    var digest = UInt64(count) &* prime
    var index = 0
    while index < count {
      var word: UInt64 = 0
      for place in index..<Swift.min(index + 8, count) { word = word << 8 | UInt64(self[place]) }
      digest = (digest ^ word) &* prime
      digest ^= digest >> 29
      index += 8
    }
    return digest
  }
}
