/// How a curve of one number is applied to a color.
///
/// All but ``ictcp`` reduce the color to one number, its norm, and multiply it by
/// curve(norm)/norm, which keeps the ratios of R, G and B. A neutral color's norm is its
/// luminance.
public enum ToneNorm: String, Hashable, Sendable, CaseIterable {
  /// The largest of R, G and B: nothing leaves the target's range, but saturated colors, whose
  /// luminance is low, are darkened as much as white of that component.
  case maxRGB
  /// The luminance: lightness as intended, but the components of bright saturated colors leave the
  /// target's range by up to 1/weight of their luminance.
  case luminance
  /// The mean of the two. The components of saturated colors leave the target's range by at most
  /// 1.9 times (blue; red 1.6, green 1.2), little enough for a gamut mapping to bring them back
  /// with their hue, and they are darkened half as much as by ``maxRGB``.
  case blend
  /// Not a factor: the curve is applied to I of ICtCp, and Ct and Cp are scaled with it (BT.2390,
  /// 5.4.2).
  case ictcp

  /// The norm of a color: R, G, B in any unit, the result in the same one; nil for ``ictcp``.
  ///
  /// - Parameter weights: the contributions of R, G and B to luminance.
  public func value(of color: Triple, weights: Triple) -> Double? {
    switch self {
    case .maxRGB: color.max()
    case .luminance: (color * weights).sum()
    case .blend: 0.5 * (color.max() + (color * weights).sum())
    case .ictcp: nil
    }
  }
}
