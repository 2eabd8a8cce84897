/// CRC-32/MPEG-2 (ISO/IEC 13818-1, annex A): polynomial 04C11DB7, initially all ones, neither
/// reflected nor inverted.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in
      sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
    }
  }

  /// The check sum of bytes.
  static func checkSum(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(UInt32.max) { sum, byte in
      sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
    }
  }
}
