extension Triple {
  /// The color with every component limited to a range; NaN counts as 0 before that.
  func contained(in range: ClosedRange<Double>) -> Triple {
    Triple(
      Self.limit(x, to: range), Self.limit(y, to: range), Self.limit(z, to: range))
  }

  private static func limit(_ x: Double, to range: ClosedRange<Double>) -> Double {
    let number = x.isNaN ? 0 : x
    return Swift.min(Swift.max(number, range.lowerBound), range.upperBound)
  }
}
