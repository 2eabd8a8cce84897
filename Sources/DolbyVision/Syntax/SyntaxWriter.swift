// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Writes the elements of a syntax. Refuses values that do not fit.
struct SyntaxWriter: SyntaxCoder {
  /// The numbers that `se(v)` can write in a code of 32 bits.
  static let signedCodes = -Int64(Int32.max)...Int64(Int32.max)

  private var bits = BitWriter()
  private(set) var bitPosition = 0
  /// Where the extension blocks of CM v4.0 begin or would begin, in bits; `nil` until the writer
  /// gets there.
  private(set) var secondGroupPosition: Int?

  /// The bytes written so far, with zeros for the missing bits of the last byte.
  var bytes: [UInt8] { bits.bytes }

  mutating func u<Value: FixedWidthInteger>(
    _ value: inout Value, _ count: Int, _ element: String
  ) throws(DolbyVisionError) {
    let range = Self.numbers(of: count, isSigned: Value.isSigned)
    guard let number = Int64(exactly: value), range.contains(number) else {
      throw .outOfRange(
        element: element, bitPosition: bitPosition, observed: Int64(clamping: value),
        expected: range)
    }
    put(UInt64(truncatingIfNeeded: number), count)
  }

  mutating func ue<Value: FixedWidthInteger>(
    _ value: inout Value, _ element: String, in range: ClosedRange<Value>
  ) throws(DolbyVisionError) {
    guard range.contains(value), let code = UInt32(exactly: value) else {
      throw .outOfRange(
        element: element, bitPosition: bitPosition, observed: Int64(clamping: value),
        expected: Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound))
    }
    bits.ue(code)
    // An Exp-Golomb code begins with as many zeros as there are bits after its first 1.
    bitPosition += 2 * (63 - (UInt64(code) + 1).leadingZeroBitCount) + 1
  }

  mutating func se(_ value: inout Int64, _ element: String) throws(DolbyVisionError) {
    guard Self.signedCodes.contains(value) else {
      throw .outOfRange(
        element: element, bitPosition: bitPosition, observed: value, expected: Self.signedCodes)
    }
    // H.265, 9.2.2: positive numbers have the odd codes, the others the even ones.
    var code = UInt32(value > 0 ? 2 * value - 1 : -2 * value)
    try ue(&code, element)
  }

  mutating func resize<Element>(
    _ list: inout [Element], to count: Int, with _: Element, _ element: String
  ) throws(DolbyVisionError) {
    guard list.count == count else {
      throw .inconsistent(
        "the number of values of \(element) is \(list.count), but must be \(count)")
    }
  }

  mutating func hasSecondGroup(_ isPresent: Bool) -> Bool {
    secondGroupPosition = bitPosition
    return isPresent
  }

  mutating func bytes(
    _ bytes: inout [UInt8], _ count: Int, _ element: String
  ) throws(DolbyVisionError) {
    try resize(&bytes, to: count, with: 0, element)
    for byte in bytes { put(UInt64(byte), 8) }
  }

  private mutating func put(_ value: UInt64, _ count: Int) {
    bits.u(value, count)
    bitPosition += count
  }

  /// Returns the range of the numbers that fit into `count` bits, at most 32.
  private static func numbers(of count: Int, isSigned: Bool) -> ClosedRange<Int64> {
    guard isSigned, count > 0 else { return 0...(1 << Int64(count)) - 1 }
    return -(1 << Int64(count - 1))...(1 << Int64(count - 1)) - 1
  }
}
