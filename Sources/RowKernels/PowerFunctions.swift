// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// Powers of a number 2ᵉ · m are computed in two parts: exact factors for e, and a polynomial for m.
// From 1 to 2, a power is so smooth that a polynomial of low degree is enough. The degree depends
// on the precision that the result needs.

/// A polynomial of m, from 1 to 2, in powers of m − 1.5.
protocol MantissaPolynomial {
  init(_ coefficients: SIMD8<Float>)
  func callAsFunction(_ f: Lanes) -> Lanes
}

struct CubicMantissa: MantissaPolynomial {
  let c: SIMD8<Float>

  @_transparent
  init(_ coefficients: SIMD8<Float>) { c = coefficients }

  @_transparent
  func callAsFunction(_ f: Lanes) -> Lanes {
    multiplyAdd(multiplyAdd(multiplyAdd(f, c[3], c[2]), f, c[1]), f, c[0])
  }
}

struct QuarticMantissa: MantissaPolynomial {
  let c: SIMD8<Float>

  @_transparent
  init(_ coefficients: SIMD8<Float>) { c = coefficients }

  @_transparent
  func callAsFunction(_ f: Lanes) -> Lanes {
    multiplyAdd(
      multiplyAdd(multiplyAdd(multiplyAdd(f, c[4], c[3]), f, c[2]), f, c[1]), f, c[0])
  }
}

struct SexticMantissa: MantissaPolynomial {
  let c: SIMD8<Float>

  @_transparent
  init(_ coefficients: SIMD8<Float>) { c = coefficients }

  @_transparent
  func callAsFunction(_ f: Lanes) -> Lanes {
    let high = multiplyAdd(multiplyAdd(multiplyAdd(f, c[6], c[5]), f, c[4]), f, c[3])
    return multiplyAdd(multiplyAdd(multiplyAdd(high, f, c[2]), f, c[1]), f, c[0])
  }
}

struct SepticMantissa: MantissaPolynomial {
  let c: SIMD8<Float>

  @_transparent
  init(_ coefficients: SIMD8<Float>) { c = coefficients }

  @_transparent
  func callAsFunction(_ f: Lanes) -> Lanes {
    let top = multiplyAdd(multiplyAdd(f, c[7], c[6]), f, c[5])
    let high = multiplyAdd(multiplyAdd(top, f, c[4]), f, c[3])
    return multiplyAdd(multiplyAdd(multiplyAdd(high, f, c[2]), f, c[1]), f, c[0])
  }
}

/// The power of a number's magnitude. The power of 0, and of tiny numbers, is 0.
struct Power<Mantissa: MantissaPolynomial> {
  private let low: LaneTable
  private let high: LaneTable
  private let mantissa: Mantissa

  @_transparent
  init(_ parts: PowerParts) {
    let factors = parts.factors.unsafelyUnwrapped
    (low, high) = (LaneTable(factors), LaneTable(factors + 16))
    mantissa = Mantissa(parts.coefficients)
  }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    // Tables use only the lowest four bits of an index, so the sign makes no difference.
    let factor = low(bits(x) &>> 23) * high(bits(x) &>> 27)
    // Replacing the number's exponent with that of 1 gives m.
    let m = number(bits(x) & 0x007F_FFFF | 0x3F80_0000)
    return mantissa(m - 1.5) * factor
  }
}

/// A power that keeps the number's sign.
struct PlainPower<Mantissa: MantissaPolynomial>: ComponentFunction {
  private let power: Power<Mantissa>

  @_transparent
  init(_ curve: PowerCurve) { power = Power(curve.power) }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { withSign(power(x), of: x) }
}

/// A power with a straight piece near 0. It keeps the number's sign.
struct PowerWithToe<Mantissa: MantissaPolynomial>: ComponentFunction {
  private let power: Power<Mantissa>
  private let curve: PowerCurve

  @_transparent
  init(_ curve: PowerCurve) { (power, self.curve) = (Power(curve.power), curve) }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    let size = magnitude(x)
    let curved = power(multiplyAdd(size, curve.inputScale, curve.inputOffset)) + curve.outputOffset
    // With published constants, the pieces do not quite meet, so the curve may begin below the end
    // of the straight piece. The curve is kept from going below that end, because the function must
    // not fall.
    let above = larger(curved, curve.toeEnd * curve.toeSlope)
    let straight = size * curve.toeSlope
    return withSign(above.replacing(with: straight, where: size .<= curve.toeEnd), of: x)
  }
}

/// Multiplies pixels by a power of their weighted sum, or by 0 if that sum is not positive.
struct PowerGain<Mantissa: MantissaPolynomial>: PixelFunction {
  private let power: Power<Mantissa>
  private let weights: SIMD3<Float>

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) {
    power = Power(operation.pointee.power.power)
    weights = operation.pointee.weights
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels { pixels * gain(pixels) }

  /// The function that computes only the factor.
  @_transparent
  var gain: Gain { Gain(power: power, weights: weights) }

  /// Computes the factor of each pixel.
  struct Gain: PixelNumber {
    fileprivate let power: Power<Mantissa>
    fileprivate let weights: SIMD3<Float>

    @_transparent
    func callAsFunction(_ pixels: Pixels) -> Lanes {
      power(larger(pixels.weightedSum(weights), 0))
    }
  }
}
