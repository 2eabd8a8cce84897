// SPDX-License-Identifier: GPL-2.0-or-later
/// Brings colors into a gamut by compressing the distance of each component from the largest one,
/// and by dimming colors that are brighter than the gamut.
///
/// With m as the largest component, (m − c)/m is a component's distance from the achromatic axis: 0
/// for gray, 1 on a face of the gamut, more outside. Distances up to the knee stay; beyond it they
/// are compressed so that the farthest color of the source gamut lands on the face, and what lies
/// between keeps its order. The idea is that of ACES 1.3's Reference Gamut Compression (AMPAS,
/// `LMT.Academy.ReferenceGamutCompress`), whose knees are for camera gamuts and lie much farther
/// inside. Here the last hundredth of light is room enough: a signal of gamma 2.4 has 28 of 255
/// codes for it.
///
/// A color brighter than 1 is dimmed to 1 with its ratios of R, G and B; then it becomes whiter by
/// ``whitening`` of the luminance it lost, so that bright colors still differ.
///
/// Behind a tone curve that is not enough, because there much is brighter than 1: saturated
/// highlights would all end at 1, and how bright they were would show only in how pale they are.
/// ``isSoft`` is the mapping for that: the more saturated a color, the sooner it begins to be
/// dimmed, so that none but white reaches 1; and whitening follows the light that is lost, as the
/// cube of its share, so that what loses little stays colored, and steps of the rest are wide.
///
/// The reason for this mapping: toward the gray of equal luminance or lightness (as
/// ``DesaturateGamut``, and as Oklab's or CAM16's lines of constant hue lead) bright saturated
/// colors lose more than half of their chroma, and blue, of which a smaller gamut holds only dark
/// ones, becomes teal or violet. Measured as ΔE ITP, what this mapping changes is little more than
/// what limiting each component does, at a quarter of the change of hue.
package struct GamutCompression: GamutMethod {
  package static let name = "perceptual"

  /// The distance up to which components stay as they are.
  package static let knee = 0.99
  /// The share of the lost luminance that is given back as white.
  package static let whitening = 0.2

  /// The excess up to which gamuts nearly agree: BT.601's two, BT.709 and each other's, of which
  /// the largest is 0.112, and not P3's and BT.709's, which is 0.216.
  package static let negligibleExcess = 0.15

  /// Distance below 1 where the most saturated colors begin to be dimmed softly; others are nearer,
  /// by the square of their saturation.
  package static let softness = 0.11
  /// Factor of the cube of the lost share of luminance, which makes it the share of white.
  package static let softWhitening = 9.0
  /// The lost share above which white grows in a line, and how fast: neon lights stay colored.
  package static let (whiteningKnee, whiteningSlope) = (0.18, 0.25)

  /// True if colors are dimmed with a soft knee, and whitened by the light that they lose.
  package let isSoft: Bool
  /// The largest distance of each component in the source gamut, at least 1.
  package let limits: Triple
  /// The contributions of R, G and B of the target to luminance.
  package let weights: Triple

  /// A mapping of the colors of one space into another.
  package init(from source: RGBSpace, to target: RGBSpace, isSoft: Bool = false) {
    self.isSoft = isSoft
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

  /// Distance of the source's farthest color from the target's gamut: 0 for none outside.
  package var excess: Double { limits.max() - 1 }

  /// True if hardly anything of the source's gamut is outside of the target's. Making room would
  /// then change more colors than need room: limiting each component (``ClippedGamut``) leaves all
  /// colors alone that the target can show.
  package var isNegligible: Bool { excess <= Self.negligibleExcess }

  /// b of x/(1 + b · x), which brings distances beyond the knee to at most 1.
  package var bends: Triple {
    .one / (1 - Self.knee) - .one / (limits - Self.knee)
  }

  /// A linear color of the target's space (white: 1, 1, 1) inside the gamut.
  package func map(_ color: Triple) -> Triple {
    let color = color.contained(in: -100...100)
    let largest = color.max()
    guard largest > 0 else { return .zero }
    let distances = (Triple(repeating: largest) - color) / largest
    let beyond = pointwiseMax(distances - Self.knee, .zero)
    let compressed =
      pointwiseMin(distances, Triple(repeating: Self.knee)) + beyond
      / (.one + bends * beyond)
    let inside = (.one - compressed) * largest
    if isSoft { return dimmedSoftly(inside, largest) }
    let dimmed = inside / max(largest, 1)
    let luminance = (dimmed * weights).sum()
    let lost = max(min((inside * weights).sum(), 1) - luminance, 0)
    let white = luminance < 1 ? Self.whitening * lost / (1 - luminance) : 0
    return (dimmed + (.one - dimmed) * white).contained(in: 0...1)
  }

  /// - Parameter largest: the largest component, which is positive.
  private func dimmedSoftly(_ color: Triple, _ largest: Double) -> Triple {
    let saturation = min((largest - color.min()) / largest, 1)
    let room = Self.softness * saturation * saturation
    let beyond = largest - (1 - room)
    let kept = beyond > 0 ? 1 - room * room / (beyond + room) : largest
    let dimmed = color * (kept / largest)
    let luminance = (dimmed * weights).sum()
    let lost = max(min((color * weights).sum(), kept) - luminance, 0)
    let share = lost / max(kept - luminance, 1e-6)
    let limited = min(share, Self.whiteningKnee)
    let cube = Self.softWhitening * limited * limited * limited
    let white = cube + Self.whiteningSlope * max(share - Self.whiteningKnee, 0)
    return (dimmed + (Triple(repeating: kept) - dimmed) * white).contained(in: 0...1)
  }
}
