/// What a kernel does to a row of pixels of three components, in place.
///
/// Plain numbers and pointers only, so that kernels which are compiled for several instruction sets
/// share these types and nothing else. Whoever makes an operation keeps its tables in memory.
public enum RowOperation {
  /// A linear map and an offset.
  case affine(AffineMap)
  /// The same curve for each component.
  case curve(Curve)
  /// All components times `scale` · Yᵉ, where Y is their weighted sum; 0 where Y is not positive.
  case gainByPower(weights: SIMD3<Float>, exponent: Float, scale: Float)
  /// All components times a table's value for their norm.
  case gainByTable(norm: Norm, CurveTable)
  /// A weighted sum of the components decides by a table what all of them become: see ``LumaMap``.
  case compressGamut(weights: SIMD3<Float>, knee: Float)
  /// Each component limited to 0…1.
  case limit
  /// Constant luminance: from (Y'c, Cbc, Crc) to (Y'c, B', R').
  case differencesToComponents(ConstantLuminanceScales)
  /// Constant luminance: from (Y'c, B', R') to (Y'c, Cbc, Crc).
  case componentsToDifferences(ConstantLuminanceScales)
  /// A table over all three components.
  case cube(CubeTable)
}

/// A linear map of three components: a row of weights and an offset for each result.
public struct AffineMap {
  /// The weights of the components for the first result, and its offset.
  public var x: SIMD4<Float>
  /// The same for the second.
  public var y: SIMD4<Float>
  /// The same for the third.
  public var z: SIMD4<Float>

  /// A map from its rows.
  public init(x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// How large a color is for a tone curve: the larger of its luminance and of a share of its largest
/// component, and never negative.
public struct Norm {
  /// The contributions of R, G and B to luminance; zeros to leave it out.
  public var weights: SIMD3<Float>
  /// The share of the largest component.
  public var maximumShare: Float

  /// A norm.
  public init(weights: SIMD3<Float>, maximumShare: Float) {
    self.weights = weights
    self.maximumShare = maximumShare
  }
}

/// The factors of constant luminance's color differences (H.273, 8.3): B' − Y'c is divided by the
/// first where it is negative and by the second otherwise; R' − Y'c likewise.
public struct ConstantLuminanceScales {
  /// For negative and for positive differences of B'.
  public var blue: SIMD2<Float>
  /// For negative and for positive differences of R'.
  public var red: SIMD2<Float>

  /// The factors, all positive.
  public init(blue: SIMD2<Float>, red: SIMD2<Float>) {
    self.blue = blue
    self.red = red
  }
}
