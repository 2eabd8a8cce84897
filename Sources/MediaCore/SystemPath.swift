// SPDX-License-Identifier: GPL-2.0-or-later
/// Paths as text that keeps every byte. For the system a path is bytes; old cameras, archives and
/// network drives make names that are no UTF-8.
///
/// A byte that is no part of UTF-8 is the character U+EF00 plus the byte (U+EF80…U+EFFF, for
/// private use), and so is each byte of these characters themselves.
package enum SystemPath {
  private static let escapes: ClosedRange<UInt32> = 0xEF80...0xEFFF

  /// The text of a path.
  package static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    var position = 0
    while position < bytes.count {
      let length =
        bytes[position] < 0x80 ? 1 : min(max((~bytes[position]).leadingZeroBitCount, 1), 4)
      let end = min(position + length, bytes.count)
      if let character = String(validating: bytes[position..<end], as: UTF8.self),
        !character.unicodeScalars.contains(where: { escapes.contains($0.value) })
      {
        text += character
        position = end
      } else {
        text.unicodeScalars.append(Unicode.Scalar(UInt16(bytes[position]) | 0xEF00) ?? "\u{FFFD}")
        position += 1
      }
    }
    return text
  }

  /// The bytes of a path, with a zero behind them, for the system.
  package static func bytes(_ text: String) -> [CChar] {
    var bytes: [CChar] = []
    for scalar in text.unicodeScalars {
      if escapes.contains(scalar.value) {
        bytes.append(CChar(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar).map { $0.map { CChar(bitPattern: $0) } } ?? []
      }
    }
    return bytes + [0]
  }
}
