// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

extension Double {
  /// The number with so many decimals, as C's `printf` has it, for people: `1.50`, `inf`, `nan`.
  ///
  /// - Parameters:
  ///   - decimals: digits behind the point, 0 to 20.
  ///   - width: characters at least; blanks come in front.
  package func text(decimals: Int, width: Int = 0) -> String {
    let room = Self.mostCharacters + width
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
      let values: [any CVarArg] = [Int32(width), Int32(decimals), self]
      guard let text = buffer.baseAddress,
        unsafe withVaList(values, { unsafe vsnprintf(text, room, "%*.*f", $0) }) > 0
      else { return "" }
      return unsafe String(cString: text)
    }
  }

  /// Digits of the largest number, its sign, its point, its decimals, and the end.
  private static let mostCharacters = 309 + 2 + 20 + 1
}

extension FixedWidthInteger {
  /// The number with zeros in front, for people and for formats of text.
  ///
  /// - Parameters:
  ///   - digits: number of them at least.
  ///   - radix: 10, or 16 with capital letters.
  package func text(digits: Int, radix: Int = 10) -> String {
    let text = String(self, radix: radix, uppercase: true)
    return String(repeating: "0", count: Swift.max(digits - text.count, 0)) + text
  }
}

extension UInt64 {
  /// A number of bytes, for people: `812 bytes`, `4.1 MB`.
  package var byteCountText: String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    var value = Double(self)
    var unit = 0
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    return "\(value.text(decimals: unit == 0 || value >= 100 ? 0 : 1)) \(units[unit])"
  }
}
