// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import DolbyVision

extension ExtensionBlock {
  /// The level and its fields in one line.
  package var text: String {
    "level \(level): " + allFields.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
  }

  /// The fields, with their values as text and as data.
  private var allFields: [(name: String, text: String, value: FieldValue)] {
    // Reflection lists the fields of every level, including levels that are added later.
    var content: Any = self
    if let payload = Mirror(reflecting: self).children.first?.value { content = payload }
    return Mirror(reflecting: content).children.compactMap { child in
      child.label.map {
        (name: $0, text: Self.text(child.value), value: FieldValue(child.value))
      }
    }
  }

  /// Returns a field's value, or a dash if it is absent.
  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { "\($0.value)" } ?? "–"
  }

  /// The values of fields that are present, by name.
  fileprivate var values: [String: FieldValue] {
    Dictionary(
      allFields.filter { !$0.value.isAbsent }.map { ($0.name, $0.value) },
      uniquingKeysWith: { $1 })
  }
}

/// The coded value of a block's field.
private enum FieldValue: JSONDescribed {
  case absent
  case flag(Bool)
  case number(Int)
  case numbers([Int])

  init(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    switch value {
    case let flag as Bool: self = .flag(flag)
    case let number as any BinaryInteger: self = .number(Int(clamping: number))
    case let list as [any BinaryInteger]: self = .numbers(list.map { Int(clamping: $0) })
    default:
      // In a reflection, the only child of an optional is its value, and the only child of a struct
      // of coordinates is a list of numbers.
      if let child = mirror.children.first?.value { self.init(child) } else { self = .absent }
    }
  }

  static let schema = JSONSchema(.anyOf([Int.schema, [Int].schema, Bool.schema]))

  var isAbsent: Bool {
    if case .absent = self { true } else { false }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .absent: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .numbers(let numbers): try container.encode(numbers)
    }
  }
}

extension ExtensionBlock: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("level", "The block's level.") { Int($0.level) },
    .init(
      "fields",
      "The block's fields as coded: PQ in 12 bits, offsets in samples. Their names follow ETSI GS "
        + "CCM 001, for example minPQ for min_PQ."
    ) { $0.values },
  ]
}
