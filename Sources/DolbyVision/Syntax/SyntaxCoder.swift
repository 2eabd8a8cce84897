// SPDX-License-Identifier: GPL-2.0-or-later
/// Reads values from bits, or writes them. Here, to "code" a value means to read or to write it.
protocol SyntaxCoder {
  // A structure lists its elements once, in the order of the standard's syntax table, in a function
  // that is generic over this protocol. Reader and writer can then never differ.

  /// The position of the next bit.
  var bitPosition: Int { get }

  /// Codes `u(n)`, or `i(n)` for a signed type.
  mutating func u<Value: FixedWidthInteger>(
    _ value: inout Value, _ count: Int, _ element: String
  ) throws(DolbyVisionError)

  /// Codes `ue(v)` of at most 32 bits, within a range.
  mutating func ue<Value: FixedWidthInteger>(
    _ value: inout Value, _ element: String, in range: ClosedRange<Value>
  ) throws(DolbyVisionError)

  /// Codes `se(v)` of at most 32 bits.
  mutating func se(_ value: inout Int64, _ element: String) throws(DolbyVisionError)

  /// Gives a list its length when reading; checks the length when writing.
  mutating func resize<Element>(
    _ list: inout [Element], to count: Int, with blank: Element, _ element: String
  ) throws(DolbyVisionError)

  /// Codes whole bytes at any bit position.
  mutating func bytes(
    _ bytes: inout [UInt8], _ count: Int, _ element: String
  ) throws(DolbyVisionError)

  /// Returns whether the extension blocks of CM v4.0 follow. A reader decides by the number of bits
  /// that are left, and a writer by `isPresent`.
  mutating func hasSecondGroup(_ isPresent: Bool) -> Bool
}

extension SyntaxCoder {
  /// Codes a flag as `u(1)`.
  mutating func flag(_ value: inout Bool, _ element: String) throws(DolbyVisionError) {
    var bit: UInt8 = value ? 1 : 0
    try u(&bit, 1, element)
    value = bit == 1
  }

  /// Codes `ue(v)` without a limit other than 32 bits.
  mutating func ue(_ value: inout UInt32, _ element: String) throws(DolbyVisionError) {
    try ue(&value, element, in: 0...UInt32.max)
  }

  /// Codes a list of fixed length, each value as `u(n)`.
  mutating func list<Value: FixedWidthInteger>(
    _ values: inout [Value], of count: Int, bits: Int, _ element: String
  ) throws(DolbyVisionError) {
    try resize(&values, to: count, with: 0, element)
    for index in values.indices { try u(&values[index], bits, element) }
  }

  /// Codes an optional element as `u(n)`.
  mutating func optional<Value: FixedWidthInteger>(
    _ value: inout Value?, _ count: Int, _ element: String, isPresent: Bool
  ) throws(DolbyVisionError) {
    var values = value.map { [$0] } ?? []
    try list(&values, of: isPresent ? 1 : 0, bits: count, element)
    value = values.first
  }

  /// Codes the bits up to the next byte. They should all be 0.
  mutating func alignment(_ bits: inout UInt8, _ element: String) throws(DolbyVisionError) {
    // The bits are kept instead of skipped, because some writers do not leave zeros there, and
    // writing must give the same bytes.
    try u(&bits, (8 - bitPosition % 8) % 8, element)
  }
}

/// The syntax of one level of extension block.
protocol LevelSyntax: Hashable, Sendable {
  /// `ext_block_level`.
  static var level: UInt8 { get }
  /// Any value. Reading overwrites it.
  static var blank: Self { get }
  /// `ext_block_length`: the block's length in bytes.
  var length: Int { get }

  /// Codes the elements of a block of the given length.
  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError)
}

extension LevelSyntax {
  /// Reads a payload. Returns `nil` if writing the result would not give the same bytes.
  init?(payload: [UInt8]) {
    var (content, reader) = (Self.blank, SyntaxReader(payload))
    // A block with unusual padding or an unusual length would lose them, so it is kept as bytes.
    guard (try? content.code(&reader, length: payload.count)) != nil,
      (try? content.payload()) == payload
    else { return nil }
    self = content
  }

  /// Returns the elements, with zeros up to the next byte.
  func payload() throws(DolbyVisionError) -> [UInt8] {
    var (content, writer) = (self, SyntaxWriter())
    try content.code(&writer, length: length)
    return writer.bytes
  }
}
