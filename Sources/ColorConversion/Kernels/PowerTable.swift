// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// The function `scale` · x^`exponent`, in the form that row kernels use. Tables handle the binary
/// exponent of x, and a polynomial handles its mantissa.
@safe
final class PowerTable: Sendable {
  nonisolated(unsafe) private let factors: UnsafeMutablePointer<Float>
  private let polynomial: ChebyshevPolynomial

  private static let sideCount = 16
  /// Floating-point numbers store their exponent plus this bias.
  private static let bias = 127

  /// Computes the tables and the polynomial.
  ///
  /// - Parameter scale: the factor of all results.
  init(exponent: Double, scale: Double = 1, _ precision: CurvePrecision) {
    let power = PowerForm(gamma: exponent)
    let degree = precision.powerDegree(exponent: exponent)
    polynomial = ChebyshevPolynomial(degree: degree, over: 1..<2, power.toLight)
    unsafe factors = .allocate(capacity: 2 * Self.sideCount)
    // Both tables have factors near 1 for numbers near 1, so that neither table overflows.
    let middle = Self.bias & ~(Self.sideCount - 1)
    for index in 0..<Self.sideCount {
      let low = Double(sign: .plus, exponent: middle + index - Self.bias, significand: 1)
      let high = Double(sign: .plus, exponent: Self.sideCount * index - middle, significand: 1)
      unsafe (factors + index).initialize(to: Float(power.toLight(low) * scale))
      // Tiny numbers become 0. So does 0 itself, whose power cannot come from a mantissa.
      unsafe (factors + Self.sideCount + index).initialize(
        to: index == 0 ? 0 : Float(power.toLight(high)))
    }
  }

  deinit {
    unsafe factors.deallocate()
  }

  /// The power for kernels. It is valid as long as this object lives.
  @unsafe var curve: PowerCurve {
    var curve = PowerCurve()
    unsafe curve.factors = UnsafePointer(factors)
    curve.degree = polynomial.coefficients.count - 1
    for (index, coefficient) in polynomial.coefficients.enumerated() {
      curve.coefficients[index] = Float(coefficient)
    }
    return curve
  }
}
