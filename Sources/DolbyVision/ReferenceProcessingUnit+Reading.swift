// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension ReferenceProcessingUnit {
  /// `rpu_nal_prefix`, the first byte of the payload.
  static let prefix: UInt8 = 0x19
  /// The byte that ends the payload.
  static let finalByte: UInt8 = 0x80

  // Type 62 (UNSPEC62), layer 0, temporal sublayer 0 (H.265, 7.3.1.2).
  /// The header of the NAL units that carry an RPU in HEVC.
  static let nalUnitHeader: [UInt8] = [0x7C, 0x01]

  // The shortest unit has the prefix, one byte of data, four bytes of checksum and the final byte.
  /// The size of the shortest unit in bytes.
  static let minimumByteCount = 7

  /// Reads a NAL unit of HEVC: `7C 01 19 … 80`, with emulation prevention.
  package init(hevcNALUnit bytes: [UInt8]) throws(DolbyVisionError) {
    // Only the type is compared, because the layer and the sublayer do not affect the content.
    guard let first = bytes.first, first >> 1 == Self.nalUnitHeader[0] >> 1, bytes.count > 2 else {
      throw .notAnRPU(expected: Self.nalUnitHeader, observed: Array(bytes.prefix(2)))
    }
    try self.init(payload: Array(bytes.dropFirst(2)).withoutEmulationPrevention)
  }

  /// Reads a payload: `19 … 80`, without emulation prevention.
  package init(payload: [UInt8]) throws(DolbyVisionError) {
    // Some software keeps the zeros that a byte stream may have after a NAL unit (H.265, B.2).
    let end = payload.count - payload.reversed().prefix { $0 == 0 }.count
    guard payload.first == Self.prefix else {
      throw .notAnRPU(expected: [Self.prefix], observed: Array(payload.prefix(1)))
    }
    guard end >= Self.minimumByteCount else {
      throw .tooShort(expected: Self.minimumByteCount, observed: end)
    }
    guard payload[end - 1] == Self.finalByte else {
      throw .invalidFinalByte(observed: payload[end - 1])
    }
    // Verify the checksum first, so that any damage is reported as damage, and not as a strange
    // value of some element in the middle.
    try Self.verifyChecksum(payload[..<end])

    // The same function reads and writes, so reading starts from values that it overwrites.
    self.init(
      mapping: .previous(id: 0), displayManagement: nil, trailingZeroCount: payload.count - end)
    var reader = SyntaxReader(Array(payload[..<(end - 5)]))
    var first = Self.prefix
    try reader.u(&first, 8, "rpu_nal_prefix")
    try code(&reader)
    try reader.alignment(&alignmentBits, "rpu_alignment_zero_bit")
    dataBeforeChecksum = reader.rest()
  }

  /// Throws if the checksum does not match. The checksum covers all bytes after the prefix and
  /// before the checksum.
  private static func verifyChecksum(_ bytes: ArraySlice<UInt8>) throws(DolbyVisionError) {
    let stated = bytes.suffix(5).dropLast().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let computed = Self.checksum(of: bytes.dropFirst().dropLast(5))
    guard computed == stated else { throw .invalidChecksum(computed: computed, stated: stated) }
  }
}
