// SPDX-License-Identifier: GPL-2.0-or-later
/// Method of applying a curve of one number to a color.
///
/// All but ``ictcp`` reduce the color to one number, its norm, and multiply it by
/// curve(norm)/norm, which keeps the ratios of R, G and B. A neutral color's norm is its
/// luminance.
package enum ToneNorm: String, Hashable, Sendable, CaseIterable {
  /// The largest of R, G and B: nothing leaves the target's range, but saturated colors, whose
  /// luminance is low, are darkened as much as white of that component.
  case maxRGB
  /// The luminance: lightness as intended, but the components of bright saturated colors leave the
  /// target's range by up to 1/weight of their luminance.
  case luminance
  /// From luminance for gray to the largest component for fully saturated colors, by the square of
  /// saturation s = (maxRGB − minRGB)/maxRGB: luminance + s²·(maxRGB − luminance).
  ///
  /// Skin and pastels are treated nearly like gray of their luminance; vivid colors, which could
  /// keep their lightness only by turning pale, keep their saturation. Components leave the
  /// target's range by at most 1.6 times (pastel blue; red 1.4), little enough for a gamut mapping
  /// to bring them back with their hue.
  case blend
  /// Not a factor: the curve is applied to I of ICtCp, and Ct and Cp are scaled with it (BT.2390,
  /// 5.4.2).
  case ictcp

  /// The norm of a color: R, G, B in any unit, the result in the same one; nil for ``ictcp``.
  ///
  /// - Parameter weights: the contributions of R, G and B to luminance.
  package func value(of color: Triple, weights: Triple) -> Double? {
    let (largest, luminance) = (color.max(), (color * weights).sum())
    switch self {
    case .maxRGB: return largest
    case .luminance: return luminance
    case .blend:
      guard largest > 0 else { return 0 }
      let saturation = min((largest - color.min()) / largest, 1)
      return luminance + saturation * saturation * (largest - luminance)
    case .ictcp: return nil
    }
  }
}
