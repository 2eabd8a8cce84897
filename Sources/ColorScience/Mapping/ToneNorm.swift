// SPDX-License-Identifier: GPL-2.0-or-later
/// How a curve of one number is applied to a color.
///
/// All except ``ictcp`` reduce the color to one number, its norm, and multiply the color by
/// curve(norm)/norm. The norm of a gray is its luminance.
public enum ToneNorm: String, Hashable, Sendable, CaseIterable {
  /// The largest of R, G and B. All results are in the target's range. But a saturated color is
  /// darkened as much as a gray with the same largest component, although its luminance is lower.
  case maxRGB
  /// The luminance. Lightness is as intended, but components of bright saturated colors can be
  /// outside the target's range. A component can be as large as the luminance divided by the
  /// component's weight.
  case luminance
  /// A mixture, from luminance for gray to the largest component for fully saturated colors. It
  /// depends on the square of the saturation s = (maxRGB − minRGB)/maxRGB:
  /// luminance + s²·(maxRGB − luminance).
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
      // Skin and pastels are treated nearly like gray of the same luminance. Vivid colors could
      // keep their lightness only by turning pale, so they keep their saturation instead.
      // Components are at most 1.6 times the target's peak (for pastel blue; 1.4 times for red).
      // That is so little that a gamut mapping can bring the colors back into range and keep their
      // hue.
      let saturation = min((largest - color.min()) / largest, 1)
      return luminance + saturation * saturation * (largest - luminance)
    case .ictcp: return nil
    }
  }
}
