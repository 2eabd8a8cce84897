/// y = (`inputScale` · |x| + `inputOffset`)^`exponent` · `outputScale` + `outputOffset`, with the
/// sign of x; up to `toeEnd`, y = `toeSlope` · x.
public struct PowerCurve {
  /// The factor before the power.
  public var inputScale: Float = 1
  /// What is added before the power.
  public var inputOffset: Float = 0
  /// The power.
  public var exponent: Float
  /// The factor after the power.
  public var outputScale: Float = 1
  /// What is added after the power.
  public var outputOffset: Float = 0
  /// Where the straight piece ends.
  public var toeEnd: Float = 0
  /// The straight piece's slope.
  public var toeSlope: Float = 0

  /// A plain power.
  public init(exponent: Float) {
    self.exponent = exponent
  }
}

/// A function of one number by straight pieces, 128 to each octave: so many that each is 1/128 of
/// the number wide, near 0 as elsewhere.
public struct CurveTable {
  /// The pieces: offset and slope.
  public var pieces: UnsafePointer<SIMD2<Float>>?
  /// What numbers are multiplied by first, so that a piece begins where the function has an edge.
  public var scale: Float = 1
  /// Where the first piece begins.
  public var minimum: Float = 1
  /// What numbers below the first piece become.
  public var valueAtZero: Float = 0
  /// The largest number; what is larger counts as it.
  public var maximum: Float = 1
  /// What a negative number is: k for −f(−k · x)/k, so that 1 makes the function odd; 0 where
  /// numbers below 0 count as 0.
  public var negativeScale: Float = 0

  /// The bits of a number below those that tell its piece.
  public static var fractionBits: UInt32 { 16 }

  /// No table.
  public init() {}
}
