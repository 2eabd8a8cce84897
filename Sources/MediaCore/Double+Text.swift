// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

extension Double {
  /// Formats the number as C's `printf` does, with a fixed number of decimals: `1.50`, `inf`,
  /// `nan`.
  ///
  /// - Parameters:
  ///   - decimals: digits after the point, 0 to 20.
  ///   - width: the least number of characters; spaces are added in front.
  package func text(decimals: Int, width: Int = 0) -> String {
    let room = Self.mostCharacters + width
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
      // Use C's formatting, because Foundation's `String(format:)` is not in the part of Foundation
      // that the package links.
      let values: [any CVarArg] = [Int32(width), Int32(decimals), self]
      guard let text = buffer.baseAddress,
        unsafe withVaList(values, { unsafe vsnprintf(text, room, "%*.*f", $0) }) > 0
      else { return "" }
      return unsafe String(cString: text)
    }
  }

  // The largest `Double` has 309 digits before its point.
  /// The length of the longest text: digits, sign, point, decimals and the final zero.
  private static let mostCharacters = 309 + 2 + 20 + 1
}

extension FixedWidthInteger {
  /// Formats the number with leading zeros.
  ///
  /// - Parameters:
  ///   - digits: the least number of digits.
  ///   - radix: 10, or 16 with capital letters.
  package func text(digits: Int, radix: Int = 10) -> String {
    let text = String(self, radix: radix, uppercase: true)
    return String(repeating: "0", count: Swift.max(digits - text.count, 0)) + text
  }
}

extension UInt64 {
  /// The number of bytes, as text for people: `812 bytes`, `4.1 MB`.
  package var byteCountText: String {
    let units = [self == 1 ? "byte" : "bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    var value = Double(self)
    var unit = 0
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    // Three digits are enough for a reader, so numbers from 100 on get no decimal. A number of
    // single bytes has no decimals anyway.
    return "\(value.text(decimals: unit == 0 || value >= 100 ? 0 : 1)) \(units[unit])"
  }
}
