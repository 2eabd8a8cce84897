// SPDX-License-Identifier: GPL-2.0-or-later
/// A JSON document as a tree, for reading presets with exact errors and for `--set`.
public enum JSONValue: Hashable, Sendable, Codable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// Reads a value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes a value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      // Whole numbers without a fraction, as people write them.
      if let whole = Int64(exactly: value) {
        try container.encode(whole)
      } else {
        try container.encode(value)
      }
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// Kind of the value, in JSON's words with an article.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value at a key path (`video.compressionProperties.constantRateFactor`), to be read or
  /// set; objects on the way are made, and nil removes.
  package subscript(path: ArraySlice<String>) -> JSONValue? {
    get {
      guard let key = path.first else { return self }
      guard case .object(let members) = self else { return nil }
      return members[key]?[path.dropFirst()]
    }
    set {
      guard let key = path.first else { return }
      var members: [String: JSONValue] = [:]
      if case .object(let present) = self { members = present }
      if path.count == 1 {
        members[key] = newValue
      } else {
        var child = members[key] ?? .object([:])
        child[path.dropFirst()] = newValue
        members[key] = child
      }
      self = .object(members)
    }
  }

  /// The value that the text of a `--set` stands for: JSON where it is JSON, a string otherwise.
  ///
  /// - Throws: ``JSONScanner/Fault`` for JSON with a key that comes twice, or that is too deep.
  init(argument text: String) throws(JSONScanner.Fault) {
    do {
      self = try JSONScanner.value(of: text.utf8)
    } catch {
      guard case .syntax = error.kind else { throw error }
      self = .string(text)
    }
  }
}

/// Output settings are written as the dictionaries that AVFoundation takes.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// An object; of a key that comes twice, the last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
