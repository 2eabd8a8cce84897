// SPDX-License-Identifier: GPL-2.0-or-later

// Kernels are compiled for several instruction sets, and may share these types but no functions. So
// these types have only plain numbers and pointers. An enum with payloads would not do, because the
// functions that unpack it would be shared as well.

/// One operation of a kernel on a row of pixels with three components, in place.
///
/// The code that makes an operation has to keep the operation's tables in memory.
package struct RowOperation {
  /// What an operation does, and which of its parameters it reads.
  package enum Kind: UInt8, Sendable {
    /// Applies `map`: a linear map and an offset.
    case affine
    /// Applies the curves of `reshaping`, as ColorScience's `SignalReshaping` does. Components are
    /// limited to 0…1 first.
    case reshape
    /// Applies `power` to each component.
    case power
    /// Applies `power`, whose curve has no straight piece.
    case plainPower
    /// Applies PQ's EOTF to each component; 1 is 10 000 cd/m². Signals are limited to 0…1.
    case pqToLight
    /// Applies PQ's inverse EOTF to each component: `power`, then `pieces`. Light is limited to
    /// 0…1.
    case pqToSignal
    /// Applies HLG's inverse OETF to each component, accurate to 1e-7 of light. Signals below 0
    /// count as 0.
    case hlgToLight
    /// Applies HLG's inverse OETF to each component, accurate to 4e-6 of light.
    case hlgToLightRoughly
    /// Applies HLG's OETF to each component. Light below 0 counts as 0.
    case hlgToSignal
    /// Applies `curve` to each component.
    case curve
    /// Multiplies all components by a factor: `power` of their sum weighted by `weights`, or 0 if
    /// that sum is not positive.
    case gainByPower
    /// Multiplies all components by `curve` of their norm.
    case gainByTable
    /// Multiplies all components by `pieces` of their norm. If the norm is above `scale`, the
    /// factor is divided by norm/`scale`. The first of `limits` is the curve's knee.
    case gainByPieces
    /// Like `gainByPieces`, with the norm shifted toward its surroundings by slope · norm + offset.
    /// The shift begins to count at the first of `limits` and counts fully from twice that. The
    /// second of `limits` is the largest resulting norm.
    case gainBySurroundings
    /// Multiplies components by 2 to the power of the gain curves in `gains`, as ColorScience's
    /// `HeadroomAdaptiveToneMap` does.
    case gainByHeadroom
    /// Multiplies the first component by g, which is `curve` of that component, and the others by
    /// the smaller of g and 1/g.
    case intensityGain
    /// Subtracts `scale` · (R − Y) from all components if R is above the weighted sum Y.
    case darkenReds
    /// Moves colors toward the gray of the same luminance, with a soft knee, as ColorScience's
    /// `DesaturateGamut` does.
    case desaturate
    /// Moves components toward the largest one, with a soft knee, and dims colors brighter than 1.
    /// Uses the numbers in `compression`.
    case compressGamut
    /// Like `compressGamut`, but dims with a soft knee and whitens at constant hue, as
    /// ColorScience's `HighlightDimming` does.
    case compressGamutSoftly
    /// Limits each component to `limits`.
    case limit
    /// For constant luminance: turns (Y'c, Cbc, Crc) into (Y'c, B', R') with `blueScale` and
    /// `redScale`.
    case differencesToComponents
    /// For constant luminance: turns (Y'c, B', R') into (Y'c, Cbc, Crc) with `blueScale` and
    /// `redScale`.
    case componentsToDifferences
    /// Replaces the first component by the norm. The other two components are not used afterwards.
    case norm
    /// Replaces the first component by its PQ signal, which `power` and `pieces` compute. A light
    /// of 1 is 10 000 cd/m².
    case firstToPQ
    /// Saves the components for `restore`.
    case keep
    /// Brings saved components back to the places that `places` names.
    case restore

    // The next operations mark doubtful pixels, for which single precision is not enough, because a
    // small difference between large numbers keeps the errors of both. Such pixels are computed
    // again in double precision.

    /// Marks pixels with a component that is smaller than a share of the largest component m. The
    /// share is the first of `limits` times max(m, 1), but at most the second of `limits` times m.
    case doubtSmall
    /// Marks pixels with a component near the first of `limits`. The second of `limits` says how
    /// near. It is multiplied by the largest component if that is more than 1.
    case doubtNear
    /// Marks pixels whose sum weighted by `weights` is smaller than `scale` times the largest
    /// component.
    case doubtLuminance
    /// Marks pixels with a component outside `limits`.
    case doubtOutside
  }

  /// The measure of a color that a tone curve takes as its argument.
  package enum Norm: UInt8, Sendable {
    /// The sum of the components weighted by `weights`.
    case luminance
    /// The largest component.
    case maximum
    /// Luminance + s² · (largest − luminance), with the saturation
    /// s = (largest − smallest)/largest.
    case blend
    /// `blend`, but the part above the first of `limits` grows by `vividness` times r − 1. Here r
    /// is the largest component after `map`, divided by the largest component before `map`.
    case vividBlend
  }

  /// What the operation does.
  package var kind: Kind
  /// The measure of a color from which a gain is computed.
  package var norm = Norm.luminance
  /// The linear map of `affine`, or the one that the norm `vividBlend` needs.
  package var map = AffineMap.identity
  /// The power of kinds that have one.
  package var power = PowerCurve()
  /// The function of kinds that look it up in a table.
  package var curve = CurveTable()
  /// How much R, G and B contribute to luminance.
  package var weights = SIMD3<Float>(0, 1, 0)
  /// For each component, the saved component that replaces it, counted from 0. −1 means none.
  package var places = SIMD3<Int>(repeating: -1)
  /// A factor or a share, as described at the kind.
  package var scale: Float = 1
  /// The smallest and the largest allowed component, or two other numbers that the kind describes.
  package var limits = SIMD2<Float>(0, 1)
  /// How much the norm of vivid colors grows.
  package var vividness: Float = 0
  /// Colors begin to move at this distance from the gamut's boundary, as a share of the way from
  /// there to gray.
  package var knee: Float = 1
  /// The function of kinds that compute it in pieces.
  package var pieces = PieceCurve()
  /// The gamut mapping of kinds that have one.
  package var compression = GamutCompressionNumbers()
  /// The numbers of Dolby Vision's curves, in the layout of ``reshapingLayout``.
  package var reshaping: UnsafePointer<Float>?
  /// The numbers of gain curves, in the layout of ``gainLayout``.
  package var gains: UnsafePointer<Float>?
  /// The divisors of B' − Y'c in constant luminance (H.273, 8.3): one for negative differences, and
  /// one for all others.
  package var blueScale = SIMD2<Float>.one
  /// The same for R' − Y'c.
  package var redScale = SIMD2<Float>.one

  /// Makes an operation of a kind. Its other parameters have to be set before it runs.
  package init(_ kind: Kind) {
    self.kind = kind
  }
}

/// A linear map of three components, with a row of weights and an offset for each result.
package struct AffineMap {
  /// The weights of the components for the first result, and its offset.
  package var x: SIMD4<Float>
  /// The same for the second result.
  package var y: SIMD4<Float>
  /// The same for the third result.
  package var z: SIMD4<Float>

  /// The identity: each component stays as it is.
  package static var identity: AffineMap {
    AffineMap(x: SIMD4(1, 0, 0, 0), y: SIMD4(0, 1, 0, 0), z: SIMD4(0, 0, 1, 0))
  }

  package init(x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// The numbers of a mapping into a gamut: ColorScience's `GamutCompression`.
package struct GamutCompressionNumbers {
  /// Components stay unchanged down to this distance below the largest, as a share of the largest.
  package var knee: Float = 1
  /// How strongly larger distances are compressed, for each component.
  package var bends = SIMD3<Float>.zero
  /// The share of the lost luminance that is given back as white.
  package var whitening: Float = 0
  /// How far below 1 the largest component of the most saturated colors is when soft dimming
  /// begins.
  package var softness: Float = 0
  /// How much intensity soft dimming gives back, as a multiple of the intensity that it takes away.
  package var restored: Float = 0
  /// The linear map from R, G, B to ICtCp's L, M, S, for soft dimming.
  package var toLMS = AffineMap.identity
  /// The inverse of ``toLMS``.
  package var fromLMS = AffineMap.identity

  /// Makes numbers that change only colors outside the gamut.
  package init() {}
}

extension RowOperation {
  /// The layout of Dolby Vision's three curves, which follow each other in memory: the place of a
  /// curve's first piece, and how many numbers a piece and a curve of 8 pieces have.
  ///
  /// A curve has the number of its pieces, the smallest and the largest result, an unused number,
  /// and the pieces. A piece has the component at which it begins, its order of regression (0 for a
  /// polynomial), and its coefficients. A polynomial has one coefficient for each power from 0 to
  /// 2. A regression has the constant, then 7 coefficients for each order.
  package static let reshapingLayout = (firstPiece: 4, pieceLength: 24, curveLength: 196)

  /// The layout of headroom-adaptive gain curves in memory: where the first curve begins, where a
  /// curve's first piece begins, and how many numbers a piece and a curve of 31 pieces have.
  ///
  /// The memory begins with the number of curves. The next number is 1 if each component has its
  /// own gain, and otherwise 0. Then come the curves. The gains of all curves, in stops, are added.
  ///
  /// A curve begins with its number of pieces. Next come six weights for the light that the curve
  /// maps: those of R, G, B, the largest component, the smallest one and the component itself. Then
  /// come the gain up to the first piece, and the light at the curve's end. The next two numbers, a
  /// and b, give the gain beyond that end: a + b · log2(light). The pieces come last. A piece has
  /// the light at which it begins, and the coefficients of the powers 0 to 3 of the distance from
  /// there.
  package static let gainLayout = (
    firstCurve: 2, firstPiece: 11, pieceLength: 5, curveLength: 166
  )
}
