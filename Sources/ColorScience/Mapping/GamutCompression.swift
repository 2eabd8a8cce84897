// SPDX-License-Identifier: GPL-2.0-or-later

// `DesaturateGamut`, and mappings along lines of constant hue in Oklab or CAM16, move colors toward
// the gray of equal luminance or lightness. With these mappings, bright saturated colors would lose
// more than half of their chroma, and blue would become teal or violet, because a smaller gamut has
// only dark blues. Measured as ΔE ITP, this compression changes colors only slightly more than
// limiting each component does, and it changes hues only a quarter as much. The idea comes from
// ACES 1.3's Reference Gamut Compression (AMPAS, `LMT.Academy.ReferenceGamutCompress`), whose knees
// are made for camera gamuts and begin much farther inside the gamut.

/// Brings colors into a gamut. It compresses the distance of each component from the largest
/// component, and dims colors that are brighter than the gamut.
///
/// With m as the largest component, (m − c)/m is a component's distance from the achromatic axis: 0
/// for gray, 1 on a face of the gamut, and more outside. Distances up to the knee do not change.
/// Larger distances are compressed so that the farthest color of the source gamut lands on the
/// face, and the colors in between keep their order.
///
/// A color brighter than 1 is dimmed to 1, and keeps its ratios of R, G and B. Then the share
/// ``whitening`` of the lost luminance is added as white, so that bright colors still differ.
///
/// After a tone curve, many colors are brighter than 1, so ``dimming`` dims and whitens them in
/// another way. The more saturated a color is, the farther below 1 its dimming begins, so that only
/// white reaches 1. Whitening keeps hue constant.
package struct GamutCompression: GamutMethod {
  package static let name = "perceptual"

  /// The distance up to which components stay as they are.
  package static let knee = 0.99
  /// The share of the lost luminance that is given back as white.
  package static let whitening = 0.2

  // From either of BT.601's gamuts to BT.709, `excess` is at most 0.112; from P3 to BT.709, it is
  // 0.216. Compression for an excess as small as 0.112 would change more colors than it helps.
  // Limiting each component instead does not change any color that the target can show.

  /// If ``excess`` is no larger than this, the two gamuts are nearly the same.
  package static let negligibleExcess = 0.15

  /// Dims colors that come from a tone curve, or `nil` if they do not come from one.
  package let dimming: HighlightDimming?
  /// The largest distance of each component in the source gamut, at least 1.
  package let limits: Triple
  /// How much R, G and B of the target contribute to luminance.
  package let weights: Triple

  /// Prepares the mapping from one space into another.
  ///
  /// - Parameter isSoft: whether the colors come from a tone curve.
  package init(from source: RGBSpace, to target: RGBSpace, isSoft: Bool = false) {
    dimming = isSoft ? HighlightDimming(space: target) : nil
    weights = target.luminanceWeights
    let matrix = source.matrix(to: target)
    let primaries = [Triple(1, 0, 0), Triple(0, 1, 0), Triple(0, 0, 1)]
    var limits = Triple.one
    // The farthest colors are on the edges of the source's triangle.
    for (index, first) in primaries.enumerated() {
      let second = primaries[(index + 1) % 3]
      for step in 0...64 {
        let color = matrix * (first + (second - first) * (Double(step) / 64))
        let distances = (Triple(repeating: color.max()) - color) / color.max()
        limits = pointwiseMax(limits, distances)
      }
    }
    self.limits = limits
  }

  /// How far the source's farthest color is outside the target's gamut, or 0 if none is.
  package var excess: Double { limits.max() - 1 }

  /// Whether hardly any color of the source's gamut is outside the target's.
  package var isNegligible: Bool { excess <= Self.negligibleExcess }

  /// The b of x/(1 + b · x) for each component. The formula compresses the part of a distance that
  /// is beyond the knee, so that the whole distance is at most 1.
  package var bends: Triple {
    .one / (1 - Self.knee) - .one / (limits - Self.knee)
  }

  /// Brings a linear color of the target's space (white: 1, 1, 1) into the gamut.
  package func map(_ color: Triple) -> Triple {
    // The limits are far beyond any real color, but finite, so that infinity does not become NaN
    // below.
    let color = color.contained(in: -100...100)
    let largest = color.max()
    // Colors without a positive component give no light that a display could show.
    guard largest > 0 else { return .zero }
    let distances = (Triple(repeating: largest) - color) / largest
    let beyond = pointwiseMax(distances - Self.knee, .zero)
    let compressed =
      pointwiseMin(distances, Triple(repeating: Self.knee)) + beyond
      / (.one + bends * beyond)
    let inside = (.one - compressed) * largest
    // After a tone curve, many colors are brighter than 1. The code below would bring all saturated
    // highlights to 1, and they would differ only by how pale they are.
    if let dimming { return dimming.map(inside, largest: largest) }
    let dimmed = inside / max(largest, 1)
    let luminance = (dimmed * weights).sum()
    // No color can be brighter than 1, so luminance above 1 does not count as lost.
    let lost = max(min((inside * weights).sum(), 1) - luminance, 0)
    let white = luminance < 1 ? Self.whitening * lost / (1 - luminance) : 0
    return (dimmed + (.one - dimmed) * white).contained(in: 0...1)
  }
}
