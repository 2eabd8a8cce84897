// SPDX-License-Identifier: GPL-2.0-or-later
/// A power of numbers 2ᵉ · m, m from 1 to 2: that of 2ᵉ is two factors from tables, and that of m a
/// polynomial. The tables hold any other factor as well.
package struct PowerParts {
  /// 16 factors for the lower half of the exponent's bits, and 16 for the upper.
  package var factors: UnsafePointer<Float>?
  /// The coefficients of m − 1.5 in the polynomial, from the constant upward.
  package var coefficients = SIMD8<Float>.zero
  /// The degree of the polynomial: 3, 4, 6 or 7.
  package var degree = 7

  /// No power.
  package init() {}
}

/// y = `power`(`inputScale` · |x| + `inputOffset`) + `outputOffset`, with the sign of x; up to
/// `toeEnd`, y = `toeSlope` · x.
package struct PowerCurve {
  /// The power, with its factor.
  package var power = PowerParts()
  /// The factor before the power.
  package var inputScale: Float = 1
  /// Number to add before the power.
  package var inputOffset: Float = 0
  /// Number to add after the power.
  package var outputOffset: Float = 0
  /// Number at which the straight piece ends.
  package var toeEnd: Float = 0
  /// The straight piece's slope.
  package var toeSlope: Float = 0

  /// A plain power.
  package init() {}
}

/// A function of x by 16 polynomials of n = `scale` · x + `offset`, which is 1 at least: each
/// octave of n has the same number of pieces, so that pieces are short where n is small.
package struct PieceCurve {
  /// 16 constants, and as many coefficients of each power of the distance from a piece's middle.
  package var coefficients: UnsafePointer<Float>?
  /// The polynomials' degree: 4 or 5 for PQ's signal, 5, 6 or 7 for a tone curve.
  package var degree = 4
  /// The bits of n below those that tell its piece.
  package var fractionBits: Int32 = 21
  /// The factor of x.
  package var scale: Float = 1
  /// The n of 0.
  package var offset: Float = 1
  /// The largest n; larger ones count as it.
  package var limit: Float = 1

  /// No function.
  package init() {}
}

/// A function of one number by straight pieces, as many to each octave: each is as wide in
/// proportion to the number, near 0 as elsewhere.
package struct CurveTable {
  /// The pieces: offset and slope.
  package var pieces: UnsafePointer<SIMD2<Float>>?
  /// Factor of numbers before all else, so that a piece begins where the function has an edge.
  package var scale: Float = 1
  /// Number at which the first piece begins.
  package var minimum: Float = 1
  /// Result for numbers below the first piece.
  package var valueAtZero: Float = 0
  /// The largest number; larger ones count as it.
  package var maximum: Float = 1
  /// Scale of the function below 0: k for −f(−k · x)/k, so that 1 makes the function odd; 0 where
  /// numbers below 0 count as 0.
  package var negativeScale: Float = 0

  /// The bits of a number below those that tell its piece: 16 for 128 pieces to each octave, 14 for
  /// 512.
  package var fractionBits: UInt32 = 16

  /// No table.
  package init() {}
}
