// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// Powers of a number 2ᵉ · m are computed in two parts: exact factors for e, and a polynomial for m.
// From 1 to 2, a power is so smooth that a polynomial of low degree is enough. The degree depends
// on the precision that the result needs. It is a part of the type, so that each degree is compiled
// separately and no loop has a branch.

/// The power of a number's magnitude. The power of 0, and of tiny numbers, is 0.
///
/// The degree of the polynomial is 3, 4, 6 or 7.
struct Power<let degree: Int> {
  private let low: LaneTable
  private let high: LaneTable
  /// The polynomial's coefficients for powers of m − 1.5.
  private let c: SIMD8<Float>

  @_transparent
  init(_ curve: PowerCurve) {
    let factors = curve.factors.unsafelyUnwrapped
    (low, high) = (LaneTable(factors), LaneTable(factors + 16))
    c = curve.coefficients
  }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes {
    // Tables use only the lowest four bits of an index, so the sign makes no difference.
    let factor = low(bits(x) &>> 23) * high(bits(x) &>> 27)
    // Replacing the number's exponent with that of 1 gives m.
    let m = number(bits(x) & 0x007F_FFFF | 0x3F80_0000)
    return polynomial(m - 1.5) * factor
  }

  @_transparent
  private func polynomial(_ f: Lanes) -> Lanes {
    let top: Lanes
    switch degree {
    case 3: top = Lanes(repeating: c[3])
    case 4: top = multiplyAdd(f, c[4], c[3])
    case 6: top = multiplyAdd(multiplyAdd(multiplyAdd(f, c[6], c[5]), f, c[4]), f, c[3])
    default:
      let highest = multiplyAdd(multiplyAdd(f, c[7], c[6]), f, c[5])
      top = multiplyAdd(multiplyAdd(highest, f, c[4]), f, c[3])
    }
    return multiplyAdd(multiplyAdd(multiplyAdd(top, f, c[2]), f, c[1]), f, c[0])
  }
}

/// A power that keeps the number's sign.
struct PlainPower<let degree: Int>: ComponentFunction {
  private let power: Power<degree>

  @_transparent
  init(_ curve: PowerCurve) { power = Power(curve) }

  @_transparent
  func callAsFunction(_ x: Lanes) -> Lanes { withSign(power(x), of: x) }
}

/// A power with a straight piece near 0. It keeps the number's sign.
struct PowerWithToe<let degree: Int>: ComponentFunction {
  private let power: Power<degree>
  private let curve: PowerCurve

  @_transparent
  init(_ curve: PowerCurve) { (power, self.curve) = (Power(curve), curve) }

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
struct PowerGain<let degree: Int>: PixelFunction {
  private let power: Power<degree>
  private let weights: SIMD3<Float>

  @_transparent
  init(_ operation: UnsafePointer<RowOperation>) {
    power = Power(operation.pointee.power)
    weights = operation.pointee.weights
  }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels { pixels * gain(pixels) }

  /// The function that computes only the factor.
  @_transparent
  var gain: Gain { Gain(power: power, weights: weights) }

  /// Computes the factor of each pixel.
  struct Gain: PixelNumber {
    fileprivate let power: Power<degree>
    fileprivate let weights: SIMD3<Float>

    @_transparent
    func callAsFunction(_ pixels: Pixels) -> Lanes {
      power(larger(pixels.weightedSum(weights), 0))
    }
  }
}
