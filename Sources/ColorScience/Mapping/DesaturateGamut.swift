/// Brings colors that lie outside a gamut onto its boundary, straight toward the gray of their
/// luminance; colors inside stay as they are. Luminance and the direction from gray stay,
/// differences outside of the gamut vanish.
public struct DesaturateGamut: Hashable, Sendable {
  /// The contributions of R, G and B to luminance.
  public let weights: Triple

  /// A mapping into a space.
  public init(space: RGBSpace) {
    weights = space.luminanceWeights
  }

  /// A linear color (white: 1, 1, 1) inside the gamut. Luminances below black and above white
  /// become black and white.
  public func map(_ color: Triple) -> Triple {
    let luminance = (color * weights).sum()
    guard luminance > 0 else { return .zero }
    guard luminance < 1 else { return .one }
    let (lowest, highest) = (color.min(), color.max())
    var share = 1.0
    if lowest < 0 { share = luminance / (luminance - lowest) }
    if highest > 1 { share = min(share, (1 - luminance) / (highest - luminance)) }
    let gray = Triple(repeating: luminance)
    return (gray + (color - gray) * share).contained(in: 0...1)
  }
}
