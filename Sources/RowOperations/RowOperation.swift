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
  /// All components times a function of their norm.
  case gain(norm: Norm, Gain)
  /// Toward the gray of the same luminance, with a soft knee: ColorScience's `DesaturateGamut`.
  case desaturate(weights: SIMD3<Float>, knee: Float)
  /// Toward the gray of the same lightness, with a soft knee.
  case compressChroma(HueCompression)
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

/// How large a color is for a tone curve; never negative.
public struct Norm {
  /// The contributions of R, G and B to luminance.
  public var weights: SIMD3<Float>
  /// How the largest component counts.
  public var kind: Kind

  /// How the largest component counts.
  public enum Kind {
    /// The norm is luminance.
    case luminance
    /// The norm is the largest component.
    case maximum
    /// Luminance + s² · (largest − luminance) with saturation s = (largest − smallest)/largest.
    case blend
  }

  /// A norm.
  public init(_ kind: Kind, weights: SIMD3<Float>) {
    self.weights = weights
    self.kind = kind
  }
}

/// A factor by a norm.
public enum Gain {
  /// Any.
  case table(CurveTable)
  /// `SplineToneCurve` of ColorScience: 1 up to the knee, e^(u/(1 + bend · u)) · knee/norm above,
  /// with u = ln(norm/knee), for norms up to `maximum`.
  case spline(knee: Float, bend: Float, maximum: Float, targetPeak: Float)
}

/// A mapping into a gamut along lines of constant hue: ColorScience's `HueLinearGamut`.
public struct HueCompression {
  /// From linear R, G, B to L, M, S, offsets 0.
  public var toLMS: AffineMap
  /// Back.
  public var toRGB: AffineMap
  /// The contributions of the cube roots of L, M, S to lightness.
  public var lightnessWeights: SIMD3<Float>
  /// The share of the boundary's chroma up to which colors stay as they are.
  public var knee: Float
  /// How far outside of 0…1 a component counts as inside.
  public var tolerance: Float

  /// A mapping.
  public init(
    toLMS: AffineMap, toRGB: AffineMap, lightnessWeights: SIMD3<Float>, knee: Float,
    tolerance: Float
  ) {
    self.toLMS = toLMS
    self.toRGB = toRGB
    self.lightnessWeights = lightnessWeights
    self.knee = knee
    self.tolerance = tolerance
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
