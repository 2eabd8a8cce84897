// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The linear map from R'G'B' to Y'CbCr for a matrix code point (H.273, 8.3). Y' goes from 0 to 1,
/// Cb and Cr from −0.5 to 0.5.
package struct YCbCrMatrix: Hashable, Sendable {
  /// Matrix from R', G', B' to Y', Cb, Cr.
  package let fromRGB: Matrix3x3
  /// Matrix from Y', Cb, Cr to R', G', B'.
  package let toRGB: Matrix3x3

  /// Finds the map of a code point.
  ///
  /// - Parameter primaries: the primaries from which "derived" matrices (12) derive.
  /// - Returns: `nil` if the matrix is not linear in R'G'B' (constant luminance, ICtCp), works on
  ///   code values (YCgCo-Re, YCgCo-Ro), is IPT-PQ-C2, is reserved or is "unspecified". Also `nil`
  ///   if it is derived and the primaries are unknown.
  package init?(_ matrix: MatrixCoefficients, primaries: ColorPrimaries) {
    switch matrix {
    case .identity:
      // The planes are G', B' and R'. The last two go from 0 to 1 as well, without an offset.
      self.init(fromRGB: Matrix3x3([0, 1, 0], [0, 0, 1], [1, 0, 0]))
    case .bt709: self.init(kr: 0.2126, kb: 0.0722)
    case .fcc: self.init(kr: 0.30, kb: 0.11)
    case .bt470BG, .smpte170M: self.init(kr: 0.299, kb: 0.114)
    case .smpte240M: self.init(kr: 0.212, kb: 0.087)
    case .yCgCo:
      self.init(
        fromRGB: Matrix3x3([0.25, 0.5, 0.25], [-0.25, 0.5, -0.25], [0.5, 0, -0.5]))
    case .bt2020NonConstant: self.init(kr: 0.2627, kb: 0.0593)
    case .smpte2085:
      // R', G' and B' carry X, Y and Z here. Y' is G'. D'Z is the weighted difference of B' and G',
      // and D'X is that of R' and G'.
      self.init(
        fromRGB: Matrix3x3([0, 1, 0], [0, -0.5, 0.986566 / 2], [0.5, -0.991902 / 2, 0]))
    case .derivedNonConstant:
      guard let weights = RGBSpace(primaries)?.luminanceWeights else { return nil }
      self.init(kr: weights.x, kb: weights.z)
    default: return nil
    }
  }

  private init(fromRGB: Matrix3x3) {
    self.fromRGB = fromRGB
    toRGB = fromRGB.inverse
  }

  /// Makes the map from the weights of R' and B' in Y'.
  init(kr: Double, kb: Double) {
    let kg = 1 - kr - kb
    self.init(
      fromRGB: Matrix3x3(
        [kr, kg, kb],
        // B' − Y' is at most 1 − kb, and R' − Y' is at most 1 − kr. Dividing each by twice its
        // maximum gives −0.5…0.5.
        Triple(-kr, -kg, 1 - kb) / (2 * (1 - kb)),
        Triple(1 - kr, -kg, -kb) / (2 * (1 - kr))))
  }
}
