// SPDX-License-Identifier: GPL-2.0-or-later
/// A four-character code: a box type, a sample entry, a brand.
package struct FourCC: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The four bytes, with the first as the most significant.
  package let rawValue: UInt32

  /// Makes a code from its four bytes, with the first as the most significant.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a code from four Latin-1 characters. Missing characters become spaces, and characters
  /// after the fourth are ignored.
  package init(stringLiteral text: String) {
    var value: UInt32 = 0
    var scalars = text.unicodeScalars.makeIterator()
    for _ in 0..<4 {
      value = value << 8 | UInt32(UInt8(truncatingIfNeeded: scalars.next()?.value ?? 0x20))
    }
    rawValue = value
  }

  /// The four characters. Bytes that do not print become `\xNN`.
  package var description: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      switch byte {
      // Some keys of QuickTime's metadata begin with `©` (`©nam`), which is 0xA9, so characters of
      // Latin-1 are printed as well.
      case 0x20...0x7E, 0xA1...0xFF: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return text
  }
}
