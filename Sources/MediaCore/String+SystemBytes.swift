// SPDX-License-Identifier: GPL-2.0-or-later

/// Converts paths to text that keeps every byte, and back.
///
/// A byte that is not part of valid UTF-8 becomes the character whose number is 0xEF00 plus the
/// byte (U+EF80…U+EFFF, private use).
extension String {
  // To the system a path is bytes. Old cameras, archives and network drives make names that are not
  // UTF-8, and such files must open, too.
  private static let escapes: ClosedRange<UInt32> = 0xEF80...0xEFFF

  /// Makes the text of a path.
  package init(systemBytes bytes: [UInt8]) {
    // Most paths are ASCII and have nothing to escape.
    guard !bytes.allSatisfy({ $0 < 0x80 }) else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    self.init()
    var position = 0
    while position < bytes.count {
      let length =
        // In UTF-8, the number of leading one bits in a character's first byte says how many bytes
        // the character has.
        bytes[position] < 0x80
        ? 1 : Swift.min(Swift.max((~bytes[position]).leadingZeroBitCount, 1), 4)
      let end = Swift.min(position + length, bytes.count)
      if let character = String(validating: bytes[position..<end], as: UTF8.self),
        // A name may itself contain characters that stand for escaped bytes. If the bytes of such a
        // character were not escaped, too, the conversion back would be ambiguous.
        !character.unicodeScalars.contains(where: { Self.escapes.contains($0.value) })
      {
        self += character
        position = end
      } else {
        unicodeScalars.append(Unicode.Scalar(UInt16(bytes[position]) | 0xEF00) ?? "\u{FFFD}")
        position += 1
      }
    }
  }

  /// The bytes of a path with a zero at the end, for the system.
  package var systemBytes: [CChar] {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.map { CChar($0) } + [0] }
    var bytes: [CChar] = []
    for scalar in unicodeScalars {
      if Self.escapes.contains(scalar.value) {
        bytes.append(CChar(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar).map { $0.map { CChar(bitPattern: $0) } } ?? []
      }
    }
    return bytes + [0]
  }
}
