// SPDX-License-Identifier: GPL-2.0-or-later

/// A polynomial that equals a function at the zeros of a Chebyshev polynomial. It approximates a
/// smooth function nearly as well as the best polynomial of its degree.
package struct ChebyshevPolynomial: Sendable {
  /// The coefficients, beginning with the constant. The variable is the distance from the middle of
  /// the range.
  package let coefficients: [Double]

  /// Fits a polynomial over a range. The function is called only for numbers inside the range.
  package init(degree: Int, over range: Range<Double>, _ function: (Double) -> Double) {
    let count = degree + 1
    let middle = (range.lowerBound + range.upperBound) / 2
    let half = (range.upperBound - range.lowerBound) / 2
    // The zeros are closer together at the ends of the range, which keeps the error even. With
    // evenly spaced points, the error would grow toward the ends.
    let distances = (0..<count).map { half * cosineOfHalfTurns((Double($0) + 0.5) / Double(count)) }
    // Newton's divided differences come first. Then Newton's products are replaced by powers of the
    // distance, because kernels add up powers.
    var newton = distances.map { function(middle + $0) }
    for order in 1..<count {
      for index in stride(from: degree, through: order, by: -1) {
        newton[index] =
          (newton[index] - newton[index - 1]) / (distances[index] - distances[index - order])
      }
    }
    var powers = [Double](repeating: 0, count: count)
    for index in stride(from: degree, through: 0, by: -1) {
      for power in stride(from: degree, through: 1, by: -1) {
        powers[power] = powers[power - 1] - distances[index] * powers[power]
      }
      powers[0] = newton[index] - distances[index] * powers[0]
    }
    coefficients = powers
  }
}
