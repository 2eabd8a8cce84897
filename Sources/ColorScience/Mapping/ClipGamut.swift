/// Cuts every component off at 0 and 1: what a display does by itself. Hue, saturation and lightness
/// shift, and differences outside of the gamut vanish.
public struct ClipGamut: Hashable, Sendable {
  /// The mapping, which has no parameters.
  public init() {}

  /// A linear color (white: 1, 1, 1) inside the gamut; NaN becomes 0.
  public func map(_ color: Triple) -> Triple { color.contained(in: 0...1) }
}
