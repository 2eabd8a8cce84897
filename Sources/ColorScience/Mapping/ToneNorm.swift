// SPDX-License-Identifier: GPL-2.0-or-later
/// How a curve of one number is applied to a color.
///
/// All but ``ictcp`` reduce the color to one number, its norm, and multiply the color by
/// curve(norm)/norm. A neutral color's norm is its luminance.
public enum ToneNorm: String, Hashable, Sendable, CaseIterable {
  /// The largest of R, G and B. Nothing leaves the target's range, but saturated colors, whose
  /// luminance is low, are darkened as much as white with the same largest component.
  case maxRGB
  /// The luminance. Lightness comes out as intended, but components of bright saturated colors
  /// leave the target's range by up to 1/weight of their luminance.
  case luminance
  /// From luminance for gray to the largest component for fully saturated colors, by the square of
  /// the saturation s = (maxRGB − minRGB)/maxRGB: luminance + s²·(maxRGB − luminance).
  case blend
  /// Applies the curve to I of ICtCp, and scales Ct and Cp with it (BT.2390, 5.4.2).
  case ictcp

  /// Returns the norm of a color, in the unit of R, G and B, or `nil` for ``ictcp``.
  ///
  /// - Parameter weights: how much R, G and B contribute to luminance.
  package func value(of color: Triple, weights: Triple) -> Double? {
    let (largest, luminance) = (color.max(), (color * weights).sum())
    switch self {
    case .maxRGB: return largest
    case .luminance: return luminance
    case .blend:
      guard largest > 0 else { return 0 }
      // Skin and pastels are treated nearly like gray of their luminance. Vivid colors could keep
      // their lightness only by turning pale, so they keep their saturation. Components leave the
      // target's range by at most 1.6 times (pastel blue; red 1.4), little enough for a gamut
      // mapping to bring them back with their hue.
      let saturation = min((largest - color.min()) / largest, 1)
      return luminance + saturation * saturation * (largest - luminance)
    case .ictcp: return nil
    }
  }
}
