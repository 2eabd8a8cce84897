/// What there is to know of numbers together.
package struct RowSummary: Sendable {
  /// The smallest number.
  package var minimum = Float.infinity
  /// The largest.
  package var maximum = -Float.infinity
  /// All of them added.
  package var sum = 0.0

  /// A summary of no numbers.
  package init() {}
}
