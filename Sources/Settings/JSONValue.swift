// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A JSON value, for reading presets with exact errors and for changing single keys.
public enum JSONValue: Hashable, Sendable, Codable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case bool(Bool)
  /// A number. It is kept as a double, like a number in JavaScript.
  case number(Double)
  /// A string, without quotes and escapes.
  case string(String)
  /// An array of values.
  case array([JSONValue])
  /// An object. The order of its members is not kept.
  case object([String: JSONValue])

  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each wrong guess causes an error, which takes time, so the most frequent kinds come first.
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      // Something inside the value is wrong. Decoding it once more, as an object, throws an error.
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value. Whole numbers are written without a fraction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      // `1280.0` would be correct JSON, but nobody writes a width like that, and schemas ask for
      // integers.
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

  /// The type of the value, with an article, as messages name it.
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

  /// The value at a key path such as `video.compressionProperties.constantRateFactor`.
  ///
  /// Setting a value creates missing objects on the way. Setting `nil` removes the key.
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

  /// Returns the content of a string. A number such as `709` may be a name as well, so for a
  /// number, returns `text`, which is how it was written. Otherwise returns `nil`.
  func name(orWritten text: some StringProtocol) -> String? {
    switch self {
    case .string(let name): name
    case .number: String(text)
    default: nil
    }
  }

  /// Parses the value in a change such as `a.b.c=value`: as JSON if it is JSON, otherwise as a
  /// string.
  ///
  /// - Throws: ``JSONScanner/Fault`` if an object has a key twice, or is nested too deeply.
  init(argument text: String) throws(JSONScanner.Fault) {
    do {
      self = try JSONScanner.value(of: text.utf8)
    } catch {
      // A shell strips quotes, so `hevc` has to work without them. But text with a repeated key is
      // clearly meant as JSON, so it is an error.
      guard case .syntax = error else { throw error }
      self = .string(text)
    }
  }
}

/// Literals, so that output settings look like AVFoundation's dictionaries.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates an object. If a key comes twice, the last value counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// Creates an array of values.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates a string value.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// Creates a number with a fraction.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Creates a boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates `null`, which removes a key.
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: JSONDescribed {
  package static let schema = JSONSchema(.anything)
}
