// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Something that one file states or contains.
package struct Fact: Sendable {
  package let key: FactKey
  /// The value as data.
  package let value: FactValue
  /// The value as a report shows it. Equal things have equal texts.
  package let text: String
  /// Distinguishes facts with the same key, such as tags by name and RPUs by level.
  package var name: String?
  /// How many there are, if there can be fewer.
  package var amount: Int?
  /// Whether nothing is lost if an output lacks the fact.
  package var mayLack = false
  /// How notices name it, if not by ``name``.
  package var subject: String?
  /// The track that it refers to, by its number in this file.
  package var track: Int?
  /// The places that state it, if they are told.
  package var places: [StatementPlace] = []

  /// Makes a fact.
  ///
  /// - Parameter text: the text to show and compare; by default that of the value.
  package init(
    _ key: FactKey, _ value: FactValue, text: String? = nil, name: String? = nil,
    subject: String? = nil
  ) {
    (self.key, self.value, self.text) = (key, value, text ?? value.text)
    (self.name, self.subject) = (name, subject)
  }

  /// Makes a fact about something optional. Returns `nil` if it is absent.
  package init?(
    _ key: FactKey, _ value: FactValue?, text: String? = nil, subject: String? = nil
  ) {
    guard let value else { return nil }
    self.init(key, value, text: text, subject: subject)
  }

  /// Makes a fact about a number of things. Returns `nil` if there are none.
  ///
  /// - Parameters:
  ///   - value: the things; by default their number.
  ///   - text: the text to compare; by default that of the value.
  package init?(
    _ key: FactKey, count: Int, _ value: FactValue? = nil, text: String? = nil,
    name: String? = nil, subject: String? = nil
  ) {
    guard count > 0 else { return nil }
    self.init(key, value ?? .number(count), text: text, name: name, subject: subject)
    amount = count
  }
}

extension [Fact] {
  /// The first fact with a key.
  package subscript(_ key: FactKey) -> Fact? { first { $0.key == key } }

  /// The facts as one object for reports. Facts with names become objects of their own.
  package var value: FactValue {
    var tree = FactValue.fields([])
    for fact in self {
      let path = fact.key.section.path + [fact.key.reportName] + (fact.name.map { [$0] } ?? [])
      tree.set(fact.reportValue, at: path[...])
    }
    return tree
  }
}

extension Fact {
  /// The value in reports, with its places if they are told.
  fileprivate var reportValue: FactValue {
    guard !places.isEmpty else { return value }
    return .object([
      ("value", value), ("places", .list(places.map { .text($0.description) })),
    ])
  }
}

extension FactValue {
  /// Sets a value in an object of objects.
  fileprivate mutating func set(_ value: FactValue, at path: ArraySlice<String>) {
    guard let name = path.first else {
      self = value
      return
    }
    var fields: [Field] = []
    if case .fields(let old) = self { fields = old }
    let index = fields.firstIndex { $0.name == name }
    var inner = index.map { fields[$0].value } ?? .fields([])
    inner.set(value, at: path.dropFirst())
    if let index { fields[index] = Field(name, inner) } else { fields.append(Field(name, inner)) }
    self = .fields(fields)
  }
}
