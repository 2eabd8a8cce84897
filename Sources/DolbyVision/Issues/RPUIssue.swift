// SPDX-License-Identifier: GPL-2.0-or-later
/// An invalid value in a reference processing unit. The unit can still be read and written.
package struct RPUIssue: Hashable, Sendable, CustomStringConvertible {
  /// The element's name in the syntax.
  package let element: String
  /// The value that the unit has.
  package let observed: String
  /// The value that the unit should have.
  package let expected: String

  init(_ element: String, _ observed: some CustomStringConvertible, _ expected: String) {
    self.element = element
    self.observed = observed.description
    self.expected = expected
  }

  /// The element, its value and the expected value.
  package var description: String { "\(element) is \(observed), expected \(expected)" }
}

extension [RPUIssue] {
  /// Adds an issue if a value is out of range.
  mutating func check<Value: FixedWidthInteger>(
    _ element: String, _ value: Value, in range: ClosedRange<Value>
  ) {
    guard !range.contains(value) else { return }
    let expected =
      range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    append(RPUIssue(element, value, expected))
  }

  /// Adds an issue if a condition is not met.
  mutating func check(
    _ condition: Bool, _ element: String, _ observed: some CustomStringConvertible,
    _ expected: String
  ) {
    if !condition { append(RPUIssue(element, observed, expected)) }
  }
}
