// SPDX-License-Identifier: GPL-2.0-or-later
/// Operation of a kernel on a row of pixels of three components, in place.
///
/// Plain numbers and pointers only, so that kernels which are compiled for several instruction sets
/// share these types and nothing else. That is also why this is no enum with payloads: the
/// functions that take such an enum apart would be shared. Whoever makes an operation keeps its
/// tables in memory.
package struct RowOperation {
  /// Kind of operation.
  package enum Kind: UInt8, Sendable {
    /// A linear map and an offset: `map`.
    case affine
    /// `power` of each component.
    case power
    /// The same where the curve has no straight piece.
    case plainPower
    /// PQ's EOTF of each component; 1 is 10 000 cd/m². Signals are limited to 0…1.
    case pqToLight
    /// PQ's inverse EOTF of each component: `power` and of that `pieces`. Light is limited to 0…1.
    case pqToSignal
    /// HLG's inverse OETF of each component, to 1e-7 of light. Signals below 0 count as 0.
    case hlgToLight
    /// The same to 4e-6 of light.
    case hlgToLightRoughly
    /// HLG's OETF of each component. Light below 0 counts as none.
    case hlgToSignal
    /// `curve` of each component.
    case curve
    /// All components times `power` of their sum weighted by `weights`; times 0 where that is not
    /// positive.
    case gainByPower
    /// All components times `curve` of their norm.
    case gainByTable
    /// All components times `pieces` of their norm; times as much less as it is above `scale`.
    case gainByPieces
    /// The same by the norm after a step toward that of the surroundings, slope · norm + offset,
    /// which counts in a line from the first of `limits` to twice that. No norm becomes larger than
    /// the second of `limits`.
    case gainBySurroundings
    /// The first component times g, `curve` of it, and the others times the smaller of g and 1/g.
    case intensityGain
    /// All components less `scale` · (R − Y) where red R is above the weighted sum Y.
    case darkenReds
    /// Toward the gray of the same luminance, with a soft knee: `DesaturateGamut` of ColorScience.
    case desaturate
    /// Components closer to the largest one, with a soft knee, and what is brighter than 1 dimmed:
    /// `compression`.
    case compressGamut
    /// The same with a soft knee where colors are dimmed.
    case compressGamutSoftly
    /// Each component limited to `limits`.
    case limit
    /// Constant luminance: from (Y'c, Cbc, Crc) to (Y'c, B', R') by `scales`.
    case differencesToComponents
    /// Constant luminance: from (Y'c, B', R') to (Y'c, Cbc, Crc).
    case componentsToDifferences
    /// The norm becomes the first component. The others are of no use then.
    case norm
    /// PQ's signal of the largest component becomes the first, by `power` and `pieces`; 1 is
    /// 10 000 cd/m². The others are of no use then.
    case largestToPQ
    /// Keeps the components for `restore`.
    case keep
    /// Brings kept components back to the places that `places` says.
    case restore
    /// Marks pixels with a component that is smaller than `scale` of the largest (of its square,
    /// where that is more): what is left of sums, too little of it for single precision.
    case doubtSmall
    /// Marks pixels with a component near the first of `limits`: as near as the second, times the
    /// largest component where that is more than 1.
    case doubtNear
    /// Marks pixels whose sum weighted by `weights` is smaller than `scale` of the largest
    /// component: what is left of components of both signs.
    case doubtLuminance
    /// Marks pixels with a component outside of `limits`.
    case doubtOutside
  }

  /// Size of a color for a tone curve; never negative.
  package enum Norm: UInt8, Sendable {
    /// The components weighted by `weights`.
    case luminance
    /// The largest component.
    case maximum
    /// Luminance + s² · (largest − luminance) with saturation s = (largest − smallest)/largest.
    case blend
  }

  /// Kind of the operation.
  package var kind: Kind
  /// Size of a color for a gain.
  package var norm = Norm.luminance
  /// A linear map.
  package var map = AffineMap.identity
  /// A power.
  package var power = PowerCurve()
  /// A function as a table.
  package var curve = CurveTable()
  /// The contributions of R, G and B to luminance.
  package var weights = SIMD3<Float>(0, 1, 0)
  /// The kept component, from 0, that each component becomes; −1 where it stays.
  package var places = SIMD3<Int>(repeating: -1)
  /// A factor; a share.
  package var scale: Float = 1
  /// The smallest and the largest number of a component.
  package var limits = SIMD2<Float>(0, 1)
  /// The share of the boundary up to which a gamut mapping leaves colors alone.
  package var knee: Float = 1
  /// A function in pieces.
  package var pieces = PieceCurve()
  /// A gamut mapping.
  package var compression = GamutCompressionNumbers()
  /// Constant luminance's factors.
  package var scales = ConstantLuminanceScales(blue: .one, red: .one)

  /// An operation, whose other parameters are set then.
  package init(_ kind: Kind) {
    self.kind = kind
  }
}

/// A linear map of three components: a row of weights and an offset for each result.
package struct AffineMap {
  /// The weights of the components for the first result, and its offset.
  package var x: SIMD4<Float>
  /// The same for the second.
  package var y: SIMD4<Float>
  /// The same for the third.
  package var z: SIMD4<Float>

  /// The map that changes nothing.
  package static var identity: AffineMap {
    AffineMap(x: SIMD4(1, 0, 0, 0), y: SIMD4(0, 1, 0, 0), z: SIMD4(0, 0, 1, 0))
  }

  /// A map from its rows.
  package init(x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// A mapping into a gamut: ColorScience's `GamutCompression`.
package struct GamutCompressionNumbers {
  /// The distance from the largest component up to which components stay.
  package var knee: Float = 1
  /// Strength of the compression of distances beyond, for each component.
  package var bends = SIMD3<Float>.zero
  /// The share of lost luminance that is given back as white.
  package var whitening: Float = 0
  /// The lost share of luminance above which that grows in a line, and its slope.
  package var whiteningKnee: Float = 1
  /// See `whiteningKnee`.
  package var whiteningSlope: Float = 0
  /// Distance below 1 where the most saturated colors begin to be dimmed.
  package var softness: Float = 0

  /// A mapping that changes nothing inside.
  package init() {}
}

/// The factors of constant luminance's color differences (H.273, 8.3): B' − Y'c is divided by the
/// first where it is negative and by the second otherwise; R' − Y'c likewise.
package struct ConstantLuminanceScales {
  /// Scales of negative and of positive differences of B'.
  package var blue: SIMD2<Float>
  /// Scales of negative and of positive differences of R'.
  package var red: SIMD2<Float>

  /// The factors, all positive.
  package init(blue: SIMD2<Float>, red: SIMD2<Float>) {
    self.blue = blue
    self.red = red
  }
}
