// SPDX-License-Identifier: GPL-2.0-or-later
/// A value in a report: a number where the file has a number, so that programs need not parse text.
package indirect enum FactValue: Hashable, Sendable {
  case text(String)
  case number(Double)
  case flag(Bool)
  /// A number of a standard's table and its name there. A function without a number has a name
  /// alone.
  case codePoint(code: Int?, name: String)
  case list([FactValue])
  /// Values by name, in this order.
  case fields([Field])

  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: FactValue

    package init(_ name: String, _ value: FactValue) { (self.name, self.value) = (name, value) }
  }

  package static func number(_ value: some BinaryInteger) -> FactValue { .number(Double(value)) }

  /// Makes an object of the values that are there.
  package static func object(_ values: [(name: String, value: FactValue?)]) -> FactValue {
    .fields(values.compactMap { name, value in value.map { Field(name, $0) } })
  }

  package static func chromaticity(x: Double, y: Double) -> FactValue {
    .fields([Field("x", .number(x)), Field("y", .number(y))])
  }

  /// The value with a name, of an object.
  package subscript(name: String) -> FactValue? {
    guard case .fields(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The number, of a number or a code point.
  package var number: Double? {
    switch self {
    case .number(let value): value
    case .codePoint(let code, _): code.map(Double.init)
    default: nil
    }
  }

  /// The value as a report shows it: `BT.2020 (9)`, `1920`, `limited`.
  package var text: String {
    switch self {
    case .text(let text): text
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .flag(let flag): flag ? "yes" : "no"
    case .codePoint(let code, let name): code.map { "\(name) (\($0))" } ?? name
    case .list(let values): values.map(\.text).joined(separator: ", ")
    case .fields(let fields): fields.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    }
  }
}

extension FactValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    // A whole number without a decimal point, as JSON readers in other languages expect of counts.
    case .number(let value):
      if let whole = Int64(exactly: value) {
        try whole.encode(to: encoder)
      } else {
        try value.encode(to: encoder)
      }
    case .flag(let flag): try flag.encode(to: encoder)
    case .codePoint(let code, let name):
      try FactValue.object([("code", code.map { .number($0) }), ("name", .text(name))])
        .encode(to: encoder)
    case .list(let values): try values.encode(to: encoder)
    case .fields(let fields):
      var container = encoder.container(keyedBy: Name.self)
      for field in fields { try container.encode(field.value, forKey: Name(field.name)) }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

extension CodePoint {
  /// The number and name, for reports.
  package var factValue: FactValue {
    .codePoint(code: Int(rawValue), name: name?.title ?? "reserved")
  }
}

extension TransferCharacteristics {
  /// The number and name, for reports. A function without a number has a name alone.
  package var factValue: FactValue {
    .codePoint(code: unnumberedName == nil ? Int(rawValue) : nil, name: title)
  }
}

extension ChromaLocation {
  /// The number and name, for reports.
  package var factValue: FactValue { .codePoint(code: Int(rawValue), name: title) }
}

extension VideoDimensions {
  /// Width and height, for reports.
  package var factValue: FactValue {
    .fields([.init("width", .number(width)), .init("height", .number(height))])
  }
}

/// What the values of a fact look like in JSON.
package indirect enum FactShape: Sendable {
  case text
  case number
  case flag
  /// An object of `code` and `name`.
  case codePoint
  case list(FactShape)
  /// An object with these keys, each of which may be absent.
  case object([Member])
  /// An object with names of the file's own as keys.
  case map(FactShape)

  /// CIE 1931 x and y.
  package static let chromaticity = FactShape.object([
    Member("x", "CIE 1931 x"), Member("y", "CIE 1931 y"),
  ])

  package struct Member: Sendable {
    package let name: String
    /// Meaning and unit.
    package let meaning: String
    package let shape: FactShape

    package init(_ name: String, _ meaning: String, _ shape: FactShape = .number) {
      (self.name, self.meaning, self.shape) = (name, meaning, shape)
    }
  }
}

/// A part of a value, with what it means and how it is read.
package struct FactComponent<Root>: Sendable {
  package let member: FactShape.Member
  package let read: @Sendable (Root) -> FactValue?

  /// - Parameter meaning: meaning and unit.
  package init(
    _ name: String, _ meaning: String, _ shape: FactShape = .number,
    _ read: @escaping @Sendable (Root) -> FactValue?
  ) {
    member = FactShape.Member(name, meaning, shape)
    self.read = read
  }
}

extension StaticHDRMetadataKind {
  /// The value as an object, for reports.
  package var factValue: FactValue {
    .object(Self.components.map { ($0.member.name, $0.read(self)) })
  }

  /// What ``factValue`` looks like.
  package static var factShape: FactShape { .object(components.map(\.member)) }
}
