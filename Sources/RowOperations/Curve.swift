// SPDX-License-Identifier: GPL-2.0-or-later

// A processor can look up one of 16 numbers in registers. So the eight bits of an exponent need two
// tables, and a function in registers has 16 pieces. Straight pieces need no polynomials, but a
// function needs so many of them that their table is in memory.

/// y = power(`inputScale` · |x| + `inputOffset`) + `outputOffset`, with the sign of x. Up to
/// `toeEnd`, y = `toeSlope` · x.
///
/// The power of a number 2ᵉ · m, with m from 1 to 2, is the product of two factors from tables for
/// 2ᵉ, and a polynomial for m. If the power has a constant factor, the tables already contain it.
package struct PowerCurve {
  /// 16 factors for the lower half of the exponent's bits, then 16 for the upper half.
  package var factors: UnsafePointer<Float>?
  /// The polynomial's coefficients for powers of m − 1.5, beginning with the constant.
  package var coefficients = SIMD8<Float>.zero
  /// The degree of the polynomial: 3, 4, 6 or 7.
  package var degree = 7
  /// Factor of |x| inside the power.
  package var inputScale: Float = 1
  /// Offset inside the power.
  package var inputOffset: Float = 0
  /// Offset of the result.
  package var outputOffset: Float = 0
  /// The |x| at which the straight piece ends.
  package var toeEnd: Float = 0
  /// Slope of the straight piece.
  package var toeSlope: Float = 0

  /// Makes a curve without a straight piece. It needs ``factors`` before it can be used.
  package init() {}
}

/// A function of x in 16 pieces, which are polynomials of n = `scale` · x + `offset`. n is at least
/// 1. Each octave of n has the same number of pieces, so pieces are short if n is small.
package struct PieceCurve {
  /// 16 constants, then 16 coefficients of each power of the distance from a piece's middle.
  package var coefficients: UnsafePointer<Float>?
  /// The polynomials' degree: 4 or 5 for PQ's signal; 5, 6 or 7 for a tone curve.
  package var degree = 4
  /// How many bits of n are lower than the bits that select its piece.
  package var fractionBits: Int32 = 21
  /// Factor from x to n.
  package var scale: Float = 1
  /// The n that belongs to x = 0.
  package var offset: Float = 1
  /// The largest n. Larger numbers are limited to it.
  package var limit: Float = 1

  /// Makes a curve that needs ``coefficients`` before it can be used.
  package init() {}
}

/// A function of one number in straight pieces. Each octave has the same number of pieces, so they
/// are narrow near 0.
package struct CurveTable {
  /// The offset and slope of each piece.
  package var pieces: UnsafePointer<SIMD2<Float>>?
  /// The factor by which numbers are multiplied first. It lets a piece begin where the function has
  /// an edge.
  package var scale: Float = 1
  /// The number at which the first piece begins.
  package var minimum: Float = 1
  /// The result for numbers below the first piece.
  package var valueAtZero: Float = 0
  /// The largest number of the table. Larger numbers are limited to it.
  package var maximum: Float = 1
  /// Below 0, the function is −f(−k · x)/k for this k. With k = 1, f(−x) is −f(x). With k = 0,
  /// numbers below 0 count as 0.
  package var negativeScale: Float = 0

  /// How many bits of a number are lower than the bits that select its piece: 16 for 128 pieces to
  /// an octave, 14 for 512.
  package var fractionBits: UInt32 = 16

  /// Makes a table that needs ``pieces`` before it can be used.
  package init() {}
}
