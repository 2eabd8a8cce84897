// SPDX-License-Identifier: GPL-2.0-or-later
private import CodePoints

/// Dims colors that are brighter than a gamut. The more light a color loses, the more it is
/// whitened.
///
/// If colored light is brighter than the primaries of a display, the display can only show it
/// paler. Mixing it with white in linear light would change its hue: a sunset turns to salmon, and
/// blue to violet. So it is mixed in the eighth roots of ICtCp's L, M and S, where hue hardly
/// changes along a line toward white: for all hues of BT.709, the change is 0.2° on average and 1°
/// at most. In the range of light that SDR shows, an eighth root is close to PQ's curve.
package struct HighlightDimming: Hashable, Sendable {
  /// How far below 1 the largest component is when dimming begins, for the most saturated colors.
  /// For other colors, this distance is multiplied by the square of their saturation.
  package static let softness = 0.075
  /// How much of the lost intensity is given back as white, if little is lost. It is more than 1,
  /// because the share falls as a color loses more light.
  package static let restored = 1.5

  /// Matrix from linear R, G, B to ICtCp's L, M, S.
  package let toLMS: Matrix3x3
  /// Inverse of ``toLMS``.
  package let fromLMS: Matrix3x3

  /// Prepares dimming for colors of a space.
  init(space: RGBSpace) {
    let ictcp = ICtCpLight(space: space)
    (toLMS, fromLMS) = (ictcp.toLMS, ictcp.fromLMS)
  }

  /// Dims a linear color that has no negative component (white: 1, 1, 1).
  ///
  /// - Parameter largest: the largest component, which has to be positive.
  func map(_ color: Triple, largest: Double) -> Triple {
    let saturation = min((largest - color.min()) / largest, 1)
    let room = Self.softness * saturation * saturation
    let beyond = largest - (1 - room)
    guard beyond > 0 else { return color }
    let kept = 1 - room * room / (beyond + room)
    // The color is scaled to a largest component of 1, so white is 1 in every component here.
    let roots = (toLMS * (color / largest)).componentwise { eighthRoot(max($0, 0)) }
    // ICtCp's component I is half the sum of L' and M'. Without dimming, it would be larger, and
    // the difference is what the color loses.
    let intensity = (roots.x + roots.y) / 2
    let lost = intensity * (eighthRoot(largest / kept) - 1) / max(1 - intensity, 1e-6)
    // The share of white stays below 1, so a color that loses more light always becomes whiter than
    // one that loses less.
    let added = Self.restored * lost
    let white = added / (1 + added * added).squareRoot()
    let mixed = (roots + (.one - roots) * white).componentwise {
      let square = $0 * $0
      let fourth = square * square
      return fourth * fourth
    }
    let light = pointwiseMax(fromLMS * mixed, .zero)
    return (light * (kept / light.max())).contained(in: 0...1)
  }
}

private func eighthRoot(_ x: Double) -> Double {
  x.squareRoot().squareRoot().squareRoot()
}
