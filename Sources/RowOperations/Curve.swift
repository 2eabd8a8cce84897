// SPDX-License-Identifier: GPL-2.0-or-later
/// y = (`inputScale` · |x| + `inputOffset`)^`exponent` · `outputScale` + `outputOffset`, with the
/// sign of x; up to `toeEnd`, y = `toeSlope` · x.
package struct PowerCurve {
  /// The factor before the power.
  package var inputScale: Float = 1
  /// Number to add before the power.
  package var inputOffset: Float = 0
  /// The power.
  package var exponent: Float
  /// The factor after the power.
  package var outputScale: Float = 1
  /// Number to add after the power.
  package var outputOffset: Float = 0
  /// Number at which the straight piece ends.
  package var toeEnd: Float = 0
  /// The straight piece's slope.
  package var toeSlope: Float = 0

  /// A plain power.
  package init(exponent: Float) {
    self.exponent = exponent
  }
}

/// A function of one number by straight pieces, 128 to each octave: so many that each is 1/128 of
/// the number wide, near 0 as elsewhere.
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

  /// The bits of a number below those that tell its piece.
  package static var fractionBits: UInt32 { 16 }

  /// No table.
  package init() {}
}
