// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Why a reference processing unit or a configuration record cannot be read or written.
///
/// In a record, bit positions count from its start. In a unit, they count from the first byte,
/// which is 0x19, with emulation prevention bytes removed.
package enum DolbyVisionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data is not a reference processing unit, because it begins with other bytes.
  case notAnRPU(expected: [UInt8], observed: [UInt8])
  /// The data is shorter than the shortest unit.
  case tooShort(expected: Int, observed: Int)
  /// The last byte, apart from zeros at the end, is not 0x80.
  case invalidFinalByte(observed: UInt8)
  /// The checksum does not match the data.
  case invalidChecksum(computed: UInt32, stated: UInt32)
  /// The data ends inside an element, or an element has an invalid code.
  case unreadable(element: String, BitstreamError)
  /// An element's value is out of range or does not fit into its bits.
  case outOfRange(
    element: String, bitPosition: Int, observed: Int64, expected: ClosedRange<Int64>)
  /// An element has a value for which no syntax was published.
  case unsupported(element: String, bitPosition: Int, observed: Int64)
  /// A configuration record ends inside one of its fields.
  case unreadableRecord(BitstreamError)
  /// The values to write contradict each other.
  case inconsistent(String)

  /// Says what is wrong and where.
  package var description: String {
    switch self {
    case .notAnRPU(let expected, let observed):
      "it is not a Dolby Vision RPU: it begins with \(hex(observed)) instead of \(hex(expected))"
    case .tooShort(let expected, let observed):
      "the RPU has \(observed) \(observed == 1 ? "byte" : "bytes") but needs at least \(expected)"
    case .invalidFinalByte(let observed):
      "the RPU ends with \(hex([observed])) instead of 80"
    case .invalidChecksum(let computed, let stated):
      "the RPU's CRC-32 is \(hex(stated)), but its data gives \(hex(computed))"
    case .unreadable(let element, let error):
      "the RPU cannot be read at \(element): \(error)"
    case .outOfRange(let element, let position, let observed, let expected):
      "\(element) at bit \(position) of the RPU is \(observed); expected \(expected.lowerBound) to "
        + "\(expected.upperBound)"
    case .unsupported(let element, let position, let observed):
      "\(element) at bit \(position) of the RPU is \(observed), which is not supported"
    case .unreadableRecord(let error):
      "the configuration record cannot be read: \(error)"
    case .inconsistent(let reason):
      "the RPU cannot be written: \(reason)"
    }
  }
}

/// Formats bytes as hexadecimal digits.
private func hex(_ bytes: [UInt8]) -> String {
  guard !bytes.isEmpty else { return "nothing" }
  return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

private func hex(_ word: UInt32) -> String {
  hex([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) })
}
