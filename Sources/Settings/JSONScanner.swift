// SPDX-License-Identifier: GPL-2.0-or-later
/// Parses a JSON document strictly (RFC 8259), and finds the places of its keys.
struct JSONScanner {
  /// What is wrong with a document, and where: line and column as compilers write them, such as
  /// `3:14`.
  enum Fault: Error, Hashable {
    /// It is not JSON, for this reason.
    case syntax(String, at: String)
    /// An object has the same key twice. The first text is the key's path.
    case repeatedKey(String, at: String)
    /// Arrays and objects are nested too deeply.
    case tooDeep(at: String)
  }

  // The parser is recursive, so nesting has to end before the stack does. Presets are about five
  // levels deep.
  private static let deepest = 64
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private let bytes: [UInt8]
  private var position = 0
  /// The keys and array positions that lead to the current value: `audio`, `[1]`.
  private var path: [String] = []
  private var depth = 0
  /// The path to find, or empty if no path is wanted.
  private var wanted: [String] = []
  /// The offset of the innermost part of ``wanted`` that was found so far.
  private var found: Int?

  /// Parses a text.
  static func value(of text: some Sequence<UInt8>) throws(Fault) -> JSONValue {
    var scanner = JSONScanner(bytes: Array(text))
    return try scanner.document()
  }

  /// Returns the place of a key in a text, such as `3:14`. If the key is missing, returns the place
  /// of the innermost part of its path that exists.
  ///
  /// - Parameter path: the key's path, with dots: `audio[1].codec`.
  static func place(of path: String, in text: some Sequence<UInt8>) -> String {
    var scanner = JSONScanner(bytes: Array(text))
    scanner.skipSpace()
    let start = scanner.position
    scanner.position = 0
    scanner.wanted = path.replacing("[", with: ".[").split(separator: ".").map(String.init)
    // A syntax error further down does not matter, because the key was found before it.
    _ = try? scanner.document()
    return scanner.place(at: scanner.found ?? start)
  }

  /// Descends into a member or an element that begins at an offset.
  private mutating func enter(_ part: String, at offset: Int) {
    path.append(part)
    if path.count <= wanted.count, wanted[path.count - 1] == part, wanted.starts(with: path) {
      found = offset
    }
  }

  private mutating func document() throws(Fault) -> JSONValue {
    // In UTF-8, a byte order mark means nothing, but some editors write one. Skip it.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try value()
    skipSpace()
    guard next == nil else { throw syntax("there is text after the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func syntax(_ problem: String) -> Fault {
    .syntax(problem, at: place(at: position))
  }

  private func place(at offset: Int) -> String {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = before.count { $0 == 0x0A } + 1
    // Columns count characters, not bytes, because that is what editors show.
    return "\(line):\(String(decoding: before[start...], as: UTF8.self).count + 1)"
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Skips a character if it comes next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(Fault) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte):
      return .number(try number())
    case nil: throw syntax("a value is missing at the end")
    default: break
    }
    let words: [(String, JSONValue)] = [
      ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
    ]
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw syntax("a value is missing; strings need double quotes")
  }

  private mutating func enter() throws(Fault) {
    if depth == Self.deepest { throw .tooDeep(at: place(at: position)) }
    position += 1
    depth += 1
  }

  private mutating func object() throws(Fault) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    var members: [String: JSONValue] = [:]
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw syntax("a key in double quotes is missing") }
      let start = position
      let key = try string()
      enter(key, at: start)
      // Parsers disagree about which of two values counts (RFC 8259, 4), so refuse the document.
      // Otherwise, an editor may show one value while the program uses the other.
      guard members[key] == nil else {
        let path = path.joined(separator: ".").replacing(".[", with: "[")
        throw .repeatedKey(path, at: place(at: start))
      }
      guard take(":") else { throw syntax("a colon is missing") }
      members[key] = try value()
      path.removeLast()
    } while take(",")
    guard take("}") else { throw syntax("a comma or } is missing") }
    return .object(members)
  }

  private mutating func array() throws(Fault) -> JSONValue {
    try enter()
    defer { depth -= 1 }
    var values: [JSONValue] = []
    if take("]") { return .array(values) }
    repeat {
      skipSpace()
      enter("[\(values.count)]", at: position)
      values.append(try value())
      path.removeLast()
    } while take(",")
    guard take("]") else { throw syntax("a comma or ] is missing") }
    return .array(values)
  }

  private mutating func digits() throws(Fault) {
    let start = position
    while let byte = next, Self.digits.contains(byte) { position += 1 }
    if position == start { throw syntax("a digit is missing") }
  }

  private mutating func number() throws(Fault) -> Double {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = position
    try digits()
    // JSON forbids leading zeros (RFC 8259, 6). Some programs would read `010` as octal.
    guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
      throw syntax("a number has a leading zero")
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // `Double` turns 1e999 into infinity, which no key can use.
    guard let number = Double(text), number.isFinite else { throw syntax("a number is too large") }
    return number
  }

  private mutating func string() throws(Fault) -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      // Control characters must be escaped (RFC 8259, 7). A line break here means that a quote was
      // forgotten.
      guard byte >= 0x20 else { throw syntax("a string is not closed or has a control character") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        content += Array(String(try escaped()).utf8)
      } else {
        content.append(byte)
      }
    }
    guard next != nil else { throw syntax("a string is not closed") }
    position += 1
    guard let text = String(validating: content, as: UTF8.self) else {
      throw syntax("a string is not UTF-8")
    }
    return text
  }

  /// Parses what follows a backslash.
  private mutating func escaped() throws(Fault) -> Unicode.Scalar {
    let plain: [UInt8: Unicode.Scalar] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
      UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
      UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    if let byte = next, let character = plain[byte] {
      position += 1
      return character
    }
    var code = try unit()
    // Characters beyond U+FFFF are escaped as a surrogate pair (RFC 8259, 7).
    if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\") {
      position += 1
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else {
        throw syntax(
          "an escape is half of a surrogate pair")
      }
      code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let character = Unicode.Scalar(code) else {
      throw syntax(
        "an escape is half of a surrogate pair")
    }
    return character
  }

  /// Parses `uXXXX`, one UTF-16 code unit.
  private mutating func unit() throws(Fault) -> UInt32 {
    let digits = bytes[min(position + 1, bytes.count)..<min(position + 5, bytes.count)]
    guard next == UInt8(ascii: "u"), digits.count == 4,
      // `UInt32(_:radix:)` alone would accept a sign, as in `\u+123`.
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw syntax("the escape after a backslash is invalid") }
    position += 5
    return code
  }
}
