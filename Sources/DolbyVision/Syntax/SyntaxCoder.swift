// SPDX-License-Identifier: GPL-2.0-or-later
/// One direction of a syntax: reading values from bits, or writing them.
///
/// A structure lists its elements once, in the order of the standard's syntax table, in a function
/// that is generic over this; so what is written is what is read.
protocol SyntaxCoder {
  /// The position of the next bit.
  var bitPosition: Int { get }

  /// `u(n)`, and `i(n)` where the type is signed.
  mutating func u<Value: FixedWidthInteger>(
    _ value: inout Value, _ count: Int, _ element: String
  ) throws(DolbyVisionError)

  /// `ue(v)`: a code of 32 bits at most, within a range.
  mutating func ue<Value: FixedWidthInteger>(
    _ value: inout Value, _ element: String, in range: ClosedRange<Value>
  ) throws(DolbyVisionError)

  /// `se(v)`: a code of 32 bits at most.
  mutating func se(_ value: inout Int64, _ element: String) throws(DolbyVisionError)

  /// Gives a list its length where it is read, and checks it where it is written.
  mutating func resize<Element>(
    _ list: inout [Element], to count: Int, with blank: Element, _ element: String
  ) throws(DolbyVisionError)

  /// Whole bytes, at any position.
  mutating func bytes(
    _ bytes: inout [UInt8], _ count: Int, _ element: String
  ) throws(DolbyVisionError)

  /// True if the extension blocks of CM v4.0 follow: by the remaining bits in reading, and by
  /// `isPresent` in writing.
  mutating func hasSecondGroup(_ isPresent: Bool) -> Bool
}

extension SyntaxCoder {
  /// `u(1)`.
  mutating func flag(_ value: inout Bool, _ element: String) throws(DolbyVisionError) {
    var bit: UInt8 = value ? 1 : 0
    try u(&bit, 1, element)
    value = bit == 1
  }

  /// `ue(v)` of any value of a type.
  mutating func ue(_ value: inout UInt32, _ element: String) throws(DolbyVisionError) {
    try ue(&value, element, in: 0...UInt32.max)
  }

  /// `u(n)` for each value of a list of fixed length.
  mutating func list<Value: FixedWidthInteger>(
    _ values: inout [Value], of count: Int, bits: Int, _ element: String
  ) throws(DolbyVisionError) {
    try resize(&values, to: count, with: 0, element)
    for index in values.indices { try u(&values[index], bits, element) }
  }

  /// `u(n)` for an element that is there or not.
  mutating func optional<Value: FixedWidthInteger>(
    _ value: inout Value?, _ count: Int, _ element: String, isPresent: Bool
  ) throws(DolbyVisionError) {
    var values = value.map { [$0] } ?? []
    try list(&values, of: isPresent ? 1 : 0, bits: count, element)
    value = values.first
  }

  /// Bits up to the next byte, which should be 0.
  mutating func alignment(_ bits: inout UInt8, _ element: String) throws(DolbyVisionError) {
    try u(&bits, (8 - bitPosition % 8) % 8, element)
  }
}

/// A level's syntax.
protocol LevelSyntax: Hashable, Sendable {
  /// `ext_block_level`.
  static var level: UInt8 { get }
  /// Any value, to be read over.
  static var blank: Self { get }
  /// `ext_block_length` of this block, in bytes.
  var length: Int { get }

  /// The elements of a block of some length.
  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError)
}

extension LevelSyntax {
  /// Reads a payload; nil where this level would not write it just so.
  init?(payload: [UInt8]) {
    var (content, reader) = (Self.blank, SyntaxReader(payload))
    guard (try? content.code(&reader, length: payload.count)) != nil,
      (try? content.payload()) == payload
    else { return nil }
    self = content
  }

  /// The payload: the elements, and zeros up to the next byte.
  func payload() throws(DolbyVisionError) -> [UInt8] {
    var (content, writer) = (self, SyntaxWriter())
    try content.code(&writer, length: length)
    return writer.bytes
  }
}
