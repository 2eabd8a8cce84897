/// A function of one component.
public enum Curve {
  /// A power with a straight piece near 0.
  case power(PowerCurve)
  /// PQ's EOTF; 1 is 10 000 cd/m². Signals are limited to 0…1.
  case pqToLight
  /// PQ's inverse EOTF. Light is limited to 0…1.
  case pqToSignal
  /// HLG's inverse OETF. Signals below 0 count as 0.
  case hlgToLight
  /// HLG's OETF. Light below 0 counts as none.
  case hlgToSignal
  /// Any other.
  case table(CurveTable)
}

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
  public var pieces: UnsafePointer<SIMD2<Float>>
  /// Where the first piece begins.
  public var minimum: Float
  /// What numbers below the first piece become.
  public var valueAtZero: Float
  /// The largest number; what is larger counts as it.
  public var maximum: Float
  /// What a negative number is: k for −f(−k · x)/k, so that 1 makes the function odd; 0 where
  /// numbers below 0 count as 0.
  public var negativeScale: Float

  /// The bits of a number below those that tell its piece.
  public static var fractionBits: UInt32 { 16 }

  /// A table over memory that its maker keeps.
  public init(
    pieces: UnsafePointer<SIMD2<Float>>, minimum: Float, valueAtZero: Float, maximum: Float,
    negativeScale: Float
  ) {
    self.pieces = pieces
    self.minimum = minimum
    self.valueAtZero = valueAtZero
    self.maximum = maximum
    self.negativeScale = negativeScale
  }
}

/// A function of three numbers from 0 to 1 as a lattice of triples, with tetrahedral interpolation.
public struct CubeTable {
  /// Triples (and an unused fourth number) of 16 bits, the third component's index running fastest.
  public var entries: UnsafePointer<SIMD4<UInt16>>
  /// Points along each side.
  public var side: Int
  /// What one step of an entry stands for.
  public var step: Float

  /// A table over memory that its maker keeps.
  public init(entries: UnsafePointer<SIMD4<UInt16>>, side: Int, step: Float) {
    self.entries = entries
    self.side = side
    self.step = step
  }
}
