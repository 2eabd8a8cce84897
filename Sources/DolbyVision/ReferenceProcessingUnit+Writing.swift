// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension ReferenceProcessingUnit {
  /// Returns the HEVC NAL unit: `7C 01 19 … 80`, with emulation prevention, in layer 0 and the
  /// first temporal sublayer.
  package func hevcNALUnit() throws(DolbyVisionError) -> [UInt8] {
    // The checksum is computed before emulation prevention is inserted. The zeros after the unit
    // belong to the byte stream, so they come last and need no emulation prevention.
    Self.nalUnitHeader + (try payloadWithoutZeros()).withEmulationPrevention + trailingZeros
  }

  /// Returns the payload: `19 … 80`, without emulation prevention.
  package func payload() throws(DolbyVisionError) -> [UInt8] {
    try payloadWithoutZeros() + trailingZeros
  }

  private var trailingZeros: [UInt8] { Array(repeating: 0, count: max(trailingZeroCount, 0)) }

  private func payloadWithoutZeros() throws(DolbyVisionError) -> [UInt8] {
    var (unit, writer, first) = (self, SyntaxWriter(), Self.prefix)
    try writer.u(&first, 8, "rpu_nal_prefix")
    try unit.code(&writer)
    try writer.alignment(&unit.alignmentBits, "rpu_alignment_zero_bit")
    try writer.bytes(
      &unit.dataBeforeChecksum, dataBeforeChecksum.count, "data before rpu_data_crc32")
    // Other readers would misread a unit that fails this check, without reporting an error.
    try verifySecondGroup(writer)
    let checksum = Self.checksum(of: writer.bytes.dropFirst())
    return writer.bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
      + [Self.finalByte]
  }

  /// Throws if readers would overlook the second group of extension blocks, or would see one that
  /// does not exist.
  private func verifySecondGroup(_ writer: SyntaxWriter) throws(DolbyVisionError) {
    // No flag announces this group. Readers decide by the number of bits that are left, so a short
    // group would be overlooked, and other data could be mistaken for such a group.
    guard let data = displayManagement, let start = writer.secondGroupPosition else { return }
    let isSeen = writer.bitPosition - start >= SyntaxReader.minimumSecondGroupBits
    guard isSeen == (data.cmv40 != nil) else {
      throw .inconsistent(
        isSeen
          ? "the data before the checksum would be read as blocks of CM v4.0"
          : "the blocks of CM v4.0 are so short that readers would overlook them")
    }
  }
}

extension ReferenceProcessingUnit {
  private static let checksumTable: [UInt32] = (0..<256).map { index in
    // Every frame has a unit. Without the table, its checksum would be computed bit by bit, which
    // is slow.
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in
      sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
    }
  }

  /// Computes CRC-32/MPEG-2 (ISO/IEC 13818-1, annex A): polynomial 04C11DB7, initially all ones,
  /// neither reflected nor inverted.
  static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(UInt32.max) { sum, byte in
      sum << 8 ^ checksumTable[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
    }
  }
}
