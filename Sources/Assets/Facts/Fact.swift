// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Something that one file states or contains.
package struct Fact: Sendable {
  package typealias Value = any JSONDescribed & Sendable

  package let key: FactKey
  /// The value as data.
  package let value: Value
  /// The value as a report shows it. Two facts are the same if their texts are equal.
  package let text: String
  /// Distinguishes facts with the same key, such as tags by name and RPUs by level.
  package var name: String?
  /// How many things the fact counts; `nil` if it counts nothing. If an output has fewer of them,
  /// some are lost.
  package var amount: Int?
  /// Whether an output may lack the fact without losing anything.
  package var mayLack = false
  /// The name that notices use for the fact, if it differs from ``name``.
  package var subject: String?
  /// The number, in this file, of the track that the fact refers to.
  package var track: Int?
  /// The places that state the fact. Empty if reports do not list them.
  package var places: [StatementPlace] = []

  /// Makes a fact.
  ///
  /// - Parameter text: the text to show and compare; by default the value as text.
  package init(
    _ key: FactKey, _ value: Value, text: String? = nil, name: String? = nil,
    subject: String? = nil
  ) {
    (self.key, self.value, self.text) = (key, value, text ?? "\(value)")
    (self.name, self.subject) = (name, subject)
  }

  /// Makes a fact that counts things. The result is `nil` if the count is 0.
  ///
  /// - Parameters:
  ///   - value: the value of the fact; by default the count.
  ///   - text: the text to compare; by default the value as text.
  package init?(
    _ key: FactKey, count: Int, _ value: Value? = nil, text: String? = nil, name: String? = nil,
    subject: String? = nil
  ) {
    guard count > 0 else { return nil }
    self.init(key, value ?? count, text: text, name: name, subject: subject)
    amount = count
  }
}

extension [Fact] {
  /// The first fact with a key.
  package subscript(_ key: FactKey) -> Fact? { first { $0.key == key } }
}
