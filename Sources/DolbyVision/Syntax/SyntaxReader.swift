// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Reads the elements of a syntax.
struct SyntaxReader: SyntaxCoder {
  private var bits: BitReader

  init(_ bytes: [UInt8]) { bits = BitReader(bytes) }

  var bitPosition: Int { bits.position }

  mutating func u<Value: FixedWidthInteger>(
    _ value: inout Value, _ count: Int, _ element: String
  ) throws(DolbyVisionError) {
    let code = try read(element) { (bits) throws(BitstreamError) in try bits.u(count) }
    // The highest bit is the sign. If it is set, it is repeated in all bits above (two's
    // complement).
    let isNegative = Value.isSigned && count > 0 && code >> UInt64(count - 1) & 1 == 1
    value = Value(truncatingIfNeeded: isNegative ? code | ~0 << UInt64(count) : code)
  }

  mutating func ue<Value: FixedWidthInteger>(
    _ value: inout Value, _ element: String, in range: ClosedRange<Value>
  ) throws(DolbyVisionError) {
    let start = bitPosition
    let code = try read(element) { (bits) throws(BitstreamError) in try bits.ue() }
    guard code <= UInt32.max, let exact = Value(exactly: code), range.contains(exact) else {
      throw .outOfRange(
        element: element, bitPosition: start, observed: Int64(clamping: code),
        expected: Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound))
    }
    value = exact
  }

  mutating func se(_ value: inout Int64, _ element: String) throws(DolbyVisionError) {
    let start = bitPosition
    let code = try read(element) { (bits) throws(BitstreamError) in try bits.se() }
    guard SyntaxWriter.signedCodes.contains(code) else {
      throw .outOfRange(
        element: element, bitPosition: start, observed: code, expected: SyntaxWriter.signedCodes)
    }
    value = code
  }

  mutating func resize<Element>(
    _ list: inout [Element], to count: Int, with blank: Element, _: String
  ) throws(DolbyVisionError) {
    list = Array(repeating: blank, count: count)
  }

  /// Reads whole bytes.
  mutating func bytes(
    _ bytes: inout [UInt8], _ count: Int, _ element: String
  ) throws(DolbyVisionError) {
    // Check this before any memory is used, because a damaged length may ask for gigabytes.
    guard count <= bits.remaining / 8 else {
      throw .unreadable(
        element: element,
        .endOfData(
          bitPosition: bitPosition, wanted: count.multipliedReportingOverflow(by: 8).partialValue,
          available: bits.remaining))
    }
    try resize(&bytes, to: count, with: 0, element)
    for index in bytes.indices { try u(&bytes[index], 8, element) }
  }

  // A group with one block takes at least two bytes. libdovi asks for 56 bits, which is the same
  // limit, because its number includes the checksum and the last byte (40 bits). FFmpeg asks for
  // 49, which include the same 40. That makes no difference, because 9 to 15 bits have no room for
  // a group with a block.
  /// How many bits must be left for a second group of extension blocks.
  static let minimumSecondGroupBits = 16

  /// Whether enough bits are left for a second group. Fewer bits are alignment or other data.
  mutating func hasSecondGroup(_: Bool) -> Bool {
    bits.remaining >= Self.minimumSecondGroupBits
  }

  /// Reads all bytes that are left. The position must be at a byte boundary.
  mutating func rest() -> [UInt8] {
    var bytes: [UInt8] = []
    while let byte = try? bits.u(8) { bytes.append(UInt8(byte)) }
    return bytes
  }

  private mutating func read<Value>(
    _ element: String, _ body: (inout BitReader) throws(BitstreamError) -> Value
  ) throws(DolbyVisionError) -> Value {
    do { return try body(&bits) } catch { throw .unreadable(element: element, error) }
  }
}
