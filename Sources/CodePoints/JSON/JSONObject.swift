// SPDX-License-Identifier: GPL-2.0-or-later

/// A value that is written as JSON and knows the schema of what it writes.
package protocol JSONDescribed: Encodable, SendableMetatype {
  static var schema: JSONSchema { get }
  /// Whether an object may lack a property of this type.
  static var isOptional: Bool { get }
  /// Whether the value is left out of the object.
  var isAbsent: Bool { get }
}

extension JSONDescribed {
  package static var isOptional: Bool { false }
  package var isAbsent: Bool { false }
}

/// An object that is written as JSON from a table of its properties. Its schema is made from the
/// same table.
package protocol JSONObject: JSONDescribed {
  /// What the object is, in a sentence. Empty if the property that contains the object already says
  /// so.
  static var meaning: String { get }
  static var fields: [JSONField<Self>] { get }
}

extension JSONObject {
  package static var meaning: String { "" }

  package static var schema: JSONSchema { JSONSchema(.object(fields.map(\.property)), meaning) }

  // Public, because public types use it for `Encodable`.
  /// Writes the object with its fields.
  public func encode(to encoder: any Encoder) throws {
    try Self.fields.encode(self, to: encoder)
  }
}

/// A property of an object: its name, its meaning and its value.
package struct JSONField<Owner>: Sendable {
  package let property: JSONProperty
  fileprivate let encode: @Sendable (Owner, inout KeyedEncodingContainer<JSONKey>) throws -> Void

  /// - Parameters:
  ///   - name: the key in JSON.
  ///   - meaning: what the value is, in a sentence that names its unit.
  ///   - schema: replaces the schema of the value's type, if more is known about the value.
  package init<Value: JSONDescribed>(
    _ name: String, _ meaning: String, _ schema: JSONSchema? = nil,
    _ value: @escaping @Sendable (Owner) -> Value
  ) {
    property = JSONProperty(
      name, meaning, schema ?? Value.schema, isRequired: !Value.isOptional)
    encode = { owner, container in
      let value = value(owner)
      if !value.isAbsent { try container.encode(value, forKey: JSONKey(name)) }
    }
  }

  private init(
    _ property: JSONProperty,
    _ encode: @escaping @Sendable (Owner, inout KeyedEncodingContainer<JSONKey>) throws -> Void
  ) {
    (self.property, self.encode) = (property, encode)
  }

  /// Returns the same property, read from a larger object that contains the owner.
  fileprivate func of<Whole>(
    _ part: @escaping @Sendable (Whole) -> Owner
  ) -> JSONField<Whole> {
    JSONField<Whole>(property) { [encode] in try encode(part($0), &$1) }
  }

}

extension Array {
  /// Returns the same properties, read from a larger object that contains the owner.
  package func of<Owner, Whole>(
    _ part: @escaping @Sendable (Whole) -> Owner
  ) -> [JSONField<Whole>] where Element == JSONField<Owner> {
    map { $0.of(part) }
  }

  /// Writes an object with its fields.
  package func encode<Owner>(
    _ owner: Owner, to encoder: any Encoder
  ) throws where Element == JSONField<Owner> {
    var container = encoder.container(keyedBy: JSONKey.self)
    for field in self { try field.encode(owner, &container) }
  }
}

extension Bool: JSONDescribed {
  package static var schema: JSONSchema { JSONSchema(.boolean) }
}

extension String: JSONDescribed {
  package static var schema: JSONSchema { JSONSchema(.string(pattern: nil)) }
}

extension Double: JSONDescribed {
  package static var schema: JSONSchema { JSONSchema(.number(nil)) }
}

extension JSONDescribed where Self: FixedWidthInteger {
  package static var schema: JSONSchema { JSONSchema(.integer(Self.min == 0 ? 0...Int.max : nil)) }
}

extension Int: JSONDescribed {}
extension Int32: JSONDescribed {}
extension Int64: JSONDescribed {}
extension UInt8: JSONDescribed {}
extension UInt16: JSONDescribed {}
extension UInt32: JSONDescribed {}
extension UInt64: JSONDescribed {}

extension Optional: JSONDescribed where Wrapped: JSONDescribed {
  package static var schema: JSONSchema { Wrapped.schema }
  package static var isOptional: Bool { true }
  package var isAbsent: Bool { self == nil }
}

extension Array: JSONDescribed where Element: JSONDescribed {
  package static var schema: JSONSchema { JSONSchema(.list(of: Element.schema, count: nil)) }
}

extension Dictionary: JSONDescribed where Key == String, Value: JSONDescribed {
  package static var schema: JSONSchema { JSONSchema(.dictionary(of: Value.schema)) }
}

/// The schema of an enumeration lists the words that its cases are written as.
extension JSONDescribed where Self: RawRepresentable & CaseIterable, RawValue == String {
  package static var schema: JSONSchema { JSONSchema(.words(allCases.map(\.rawValue))) }
}

/// A list that makes each element only when that element is asked for. Use it if elements take many
/// times the memory of what they are made from.
package struct JSONList<Element: JSONDescribed & Sendable>: RandomAccessCollection, Sendable {
  package let indices: Range<Int>
  private let element: @Sendable (_ index: Int) -> Element

  /// - Parameter element: makes the element at an index.
  package init(_ indices: Range<Int>, _ element: @escaping @Sendable (_ index: Int) -> Element) {
    (self.indices, self.element) = (indices, element)
  }

  package var startIndex: Int { indices.lowerBound }
  package var endIndex: Int { indices.upperBound }
  package subscript(index: Int) -> Element { element(index) }
}

extension JSONList: JSONDescribed {
  package static var schema: JSONSchema { [Element].schema }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
