// SPDX-License-Identifier: GPL-2.0-or-later
/// A value of a reference processing unit that should not be as it is. It can be read and written
/// all the same.
package struct RPUIssue: Hashable, Sendable, CustomStringConvertible {
  /// The element, by its name in the syntax.
  package let element: String
  /// Value that the unit has.
  package let observed: String
  /// Value that it should have.
  package let expected: String

  init(_ element: String, _ observed: some CustomStringConvertible, _ expected: String) {
    self.element = element
    self.observed = observed.description
    self.expected = expected
  }

  /// The element, its value and the value that it should have.
  package var description: String { "\(element) is \(observed), expected \(expected)" }
}

extension [RPUIssue] {
  /// Adds an issue where a value is outside a range.
  mutating func check<Value: FixedWidthInteger>(
    _ element: String, _ value: Value, in range: ClosedRange<Value>
  ) {
    guard !range.contains(value) else { return }
    let expected =
      range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    append(RPUIssue(element, value, expected))
  }

  /// Adds an issue where a condition does not hold.
  mutating func check(
    _ condition: Bool, _ element: String, _ observed: some CustomStringConvertible,
    _ expected: String
  ) {
    if !condition { append(RPUIssue(element, observed, expected)) }
  }
}
