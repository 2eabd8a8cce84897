// SPDX-License-Identifier: GPL-2.0-or-later
/// Reads big-endian numbers and runs of bytes.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]

  /// The position of the next byte.
  package private(set) var position: Int

  package init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    // The position may come from a field of a file. If it is out of range, use the nearest position
    // in range instead of trapping.
    self.position = min(max(position, 0), bytes.count)
  }

  /// The number of bytes after ``position``.
  package var remaining: Int { bytes.count - position }

  /// Reads an unsigned big-endian number that is as wide as its type.
  package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
    _: Value.Type = Value.self
  ) throws(BitstreamError) -> Value {
    let count = Value.bitWidth / 8
    guard remaining >= count else { throw missing(count) }
    var value: Value = 0
    for index in position..<position + count {
      value = value << 8 | Value(truncatingIfNeeded: bytes[index])
    }
    position += count
    return value
  }

  /// Reads the next `count` bytes.
  package mutating func bytes(_ count: Int) throws(BitstreamError) -> [UInt8] {
    guard count >= 0, remaining >= count else { throw missing(count) }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  package mutating func rest() -> [UInt8] {
    defer { position = bytes.count }
    return Array(bytes[position...])
  }

  /// Moves on by `count` bytes without reading them.
  package mutating func skip(_ count: Int) throws(BitstreamError) {
    guard count >= 0, remaining >= count else { throw missing(count) }
    position += count
  }

  private func missing(_ count: Int) -> BitstreamError {
    .endOfData(
      bitPosition: position * 8,
      // A count from a file may be so large that its number of bits overflows. Only the message
      // uses that number.
      wanted: max(count, 0).multipliedReportingOverflow(by: 8).partialValue,
      available: remaining * 8)
  }
}

/// Collects big-endian numbers and runs of bytes.
package struct ByteWriter: Sendable {
  /// The bytes appended so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends a big-endian number that is as wide as its type.
  package mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Value(truncatingIfNeeded: shift)))
    }
  }

  package mutating func append(_ more: [UInt8]) {
    bytes += more
  }
}
