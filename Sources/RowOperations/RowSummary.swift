/// What there is to know of numbers together.
public struct RowSummary: Sendable {
  /// The smallest number.
  public var minimum = Float.infinity
  /// The largest.
  public var maximum = -Float.infinity
  /// All of them added.
  public var sum = 0.0

  /// A summary of no numbers.
  public init() {}
}
