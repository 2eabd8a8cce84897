// SPDX-License-Identifier: GPL-2.0-or-later
/// SHA-256 (FIPS 180-4) of bytes that arrive piece by piece.
struct SHA256 {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  /// Bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  // For each of the first 64 primes, these are the first 32 bits of its cube root's fractional part
  // (FIPS 180-4 4.2.2). The initial state above comes from the square roots of the first eight
  // primes in the same way (5.3.3).
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]

  /// Adds bytes to what the digest covers.
  mutating func add(_ bytes: some Collection<UInt8>) {
    count += UInt64(bytes.count)
    rest += bytes
    let blocks = rest.count / 64
    guard blocks > 0 else { return }
    var words = [UInt32](repeating: 0, count: 64)
    for block in 0..<blocks { compress(at: block * 64, &words) }
    // Remove all blocks at once, because each removal from the front moves the rest.
    rest.removeFirst(blocks * 64)
  }

  private mutating func compress(at start: Int, _ words: inout [UInt32]) {
    for index in 0..<16 {
      let place = start + 4 * index
      words[index] =
        UInt32(rest[place]) << 24 | UInt32(rest[place + 1]) << 16 | UInt32(rest[place + 2]) << 8
        | UInt32(rest[place + 3])
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = Self.turned(early, 7) ^ Self.turned(early, 18) ^ early >> 3
      let second = Self.turned(late, 17) ^ Self.turned(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let first = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
      let one = h &+ first &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
      let second = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
      let two = second &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ one)
      (d, c, b, a) = (c, b, a, one &+ two)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The digest of all bytes so far: 32 bytes.
  var digest: [UInt8] {
    var copy = self
    // Padding (FIPS 180-4 5.1.1) fills the last block: a 1 bit, 0 bits, and the length in bits.
    let zeros = (119 - Int(count % 64)) % 64
    let bits = count * 8
    let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    copy.add([0x80] + [UInt8](repeating: 0, count: zeros) + length)
    return copy.state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// The digest as 64 hexadecimal digits.
  var text: String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the digest of some bytes as text.
  static func text(of bytes: some Collection<UInt8>) -> String {
    var hash = SHA256()
    hash.add(bytes)
    return hash.text
  }
}
