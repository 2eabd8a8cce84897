// SPDX-License-Identifier: GPL-2.0-or-later

/// The form and the meaning of a JSON value, written as a JSON Schema (draft 2020-12).
package struct JSONSchema: Sendable {
  /// What a value looks like in JSON.
  package indirect enum Form: Sendable {
    /// Any value. The schema says nothing about it.
    case anything
    case boolean
    case integer(ClosedRange<Int>?)
    case number(ClosedRange<Double>?)
    case string(pattern: String?)
    /// One of several words.
    case words([String])
    case constant(Int)
    /// An array; the range limits the number of its elements.
    case list(of: JSONSchema, count: ClosedRange<Int>?)
    /// An object with these properties and no others.
    case object([JSONProperty])
    /// An object whose keys can have any name. All its values have one form.
    case dictionary(of: JSONSchema)
    /// A value that has one of several forms.
    case anyOf([JSONSchema])
  }

  package var form: Form
  /// What the value is, in a sentence that names its unit. Empty if the property that contains the
  /// value already says so.
  package var meaning: String

  package init(_ form: Form, _ meaning: String = "") {
    (self.form, self.meaning) = (form, meaning)
  }

  /// A count: a whole number, 0 or more.
  package static let count = JSONSchema(.integer(0...Int.max))

  /// A share: a number from 0 to 1.
  package static let share = JSONSchema(.number(0...1))

  /// Returns the schema of the same objects with more properties, which come first.
  package func with(_ more: [JSONProperty]) -> JSONSchema {
    switch form {
    case .object(let properties): JSONSchema(.object(more + properties), meaning)
    case .anyOf(let schemas): JSONSchema(.anyOf(schemas.map { $0.with(more) }), meaning)
    default: self
    }
  }
}

/// A property of a JSON object.
package struct JSONProperty: Sendable {
  package let name: String
  /// What the value is, in a sentence that names its unit.
  package let meaning: String
  package let schema: JSONSchema
  /// Whether every object has the property.
  package let isRequired: Bool

  package init(_ name: String, _ meaning: String, _ schema: JSONSchema, isRequired: Bool = true) {
    (self.name, self.meaning, self.schema) = (name, meaning, schema)
    self.isRequired = isRequired
  }
}

extension JSONSchema: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    try encode(to: &container)
  }

  private func encode(to container: inout KeyedEncodingContainer<JSONKey>) throws {
    if !meaning.isEmpty { try container.encode(meaning, forKey: "description") }
    switch form {
    case .anything: break
    case .boolean: try container.encode("boolean", forKey: "type")
    case .integer(let range):
      try container.encode("integer", forKey: "type")
      // A bound that is the limit of the type says nothing, so it is left out.
      try Self.encode(range, except: .min ... .max, to: &container)
    case .number(let range):
      try container.encode("number", forKey: "type")
      try Self.encode(range, except: -.infinity ... .infinity, to: &container)
    case .string(let pattern):
      try container.encode("string", forKey: "type")
      try container.encodeIfPresent(pattern, forKey: "pattern")
    case .words(let words): try container.encode(words, forKey: "enum")
    case .constant(let number): try container.encode(number, forKey: "const")
    case .list(let element, let count):
      try container.encode("array", forKey: "type")
      try container.encode(element, forKey: "items")
      if let count, count.lowerBound > 0 {
        try container.encode(count.lowerBound, forKey: "minItems")
      }
      if let count, count.upperBound < .max {
        try container.encode(count.upperBound, forKey: "maxItems")
      }
    case .object(let properties): try Self.encode(properties, to: &container)
    case .dictionary(let value):
      try container.encode("object", forKey: "type")
      try container.encode(value, forKey: "additionalProperties")
    case .anyOf(let schemas): try container.encode(schemas, forKey: "anyOf")
    }
  }

  private static func encode<Number: Comparable & Encodable>(
    _ range: ClosedRange<Number>?, except all: ClosedRange<Number>,
    to container: inout KeyedEncodingContainer<JSONKey>
  ) throws {
    guard let range else { return }
    if range.lowerBound != all.lowerBound {
      try container.encode(range.lowerBound, forKey: "minimum")
    }
    if range.upperBound != all.upperBound {
      try container.encode(range.upperBound, forKey: "maximum")
    }
  }

  private static func encode(
    _ properties: [JSONProperty], to container: inout KeyedEncodingContainer<JSONKey>
  ) throws {
    try container.encode("object", forKey: "type")
    try container.encode(false, forKey: "additionalProperties")
    let required = properties.filter(\.isRequired).map(\.name)
    if !required.isEmpty { try container.encode(required, forKey: "required") }
    var list = container.nestedContainer(keyedBy: JSONKey.self, forKey: "properties")
    for property in properties {
      var schema = property.schema
      // The property's meaning is more specific than the meaning of its type.
      if !property.meaning.isEmpty { schema.meaning = property.meaning }
      try list.encode(schema, forKey: JSONKey(property.name))
    }
  }
}

/// A key of a JSON object.
package struct JSONKey: CodingKey, ExpressibleByStringLiteral {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(_ name: String) { stringValue = name }
  package init(stringLiteral value: String) { self.init(value) }
  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}
