// SPDX-License-Identifier: GPL-2.0-or-later
/// Method of bringing linear light (white: 1, 1, 1) into a gamut, 0…1 for each component. Neutral
/// colors stay as they are.
package protocol GamutMethod: Hashable, Sendable {
  /// The name in the steps of a plan.
  static var name: String { get }

  /// A color inside.
  func map(_ color: Triple) -> Triple
}

/// A method that is made for a gamut.
package struct GamutMap: Hashable, Sendable {
  /// The method.
  package let method: any GamutMethod

  /// A map by a method.
  package init(_ method: any GamutMethod) { self.method = method }

  /// The name of the method.
  package var name: String { type(of: method).name }

  /// A color inside.
  package func map(_ color: Triple) -> Triple { method.map(color) }

  /// True if the methods and what they are made for are the same.
  package static func == (one: GamutMap, other: GamutMap) -> Bool {
    AnyHashable(one.method) == AnyHashable(other.method)
  }

  /// Feeds the method to a hash.
  package func hash(into hasher: inout Hasher) { method.hash(into: &hasher) }
}

/// Limits each component by itself.
package struct ClippedGamut: GamutMethod {
  package static let name = "clip"

  /// A mapping into any space.
  package init() {}

  /// A linear color inside the gamut.
  package func map(_ color: Triple) -> Triple { color.contained(in: 0...1) }
}

/// Brings colors that lie outside a gamut inside, toward the gray of their luminance, so that
/// luminance and hue stay and differences between saturated colors do not vanish.
///
/// For a linear color with components c and luminance Y, r = min(c)/Y is how far it is from the
/// lower faces of the gamut (0 on them, 1 for gray) and s = (1 − max(c))/(1 − Y) how far from the
/// upper ones. Where either is below the knee a, it becomes a²/(2a − r), which continues the
/// identity smoothly and never reaches 0; the color moves toward gray by the larger of the two
/// demands. Cheap and never harsh, but the eye sees hues bend (blue toward violet) and saturated
/// colors lose more than ``GamutCompression`` takes.
package struct DesaturateGamut: GamutMethod {
  package static let name = "desaturate"

  /// The knee: colors farther than this from every face stay as they are.
  package static let knee = 0.04

  /// The contributions of R, G and B to luminance.
  package let weights: Triple

  /// A mapping into a space.
  package init(space: RGBSpace) {
    weights = space.luminanceWeights
  }

  /// A linear color (white: 1, 1, 1) inside the gamut.
  package func map(_ color: Triple) -> Triple {
    let color = color.contained(in: -100...100)
    let luminance = (color * weights).sum()
    guard luminance > 0 else { return .zero }
    guard luminance < 1 else { return .one }
    let low = Self.saturation(color.min() / luminance)
    let high = Self.saturation((1 - color.max()) / (1 - luminance))
    let gray = Triple(repeating: luminance)
    return gray + (color - gray) * min(low, high)
  }

  /// The factor of saturation that a distance demands.
  static func saturation(_ distance: Double) -> Double {
    guard distance < knee else { return 1 }
    return (1 - knee * knee / (2 * knee - distance)) / (1 - distance)
  }
}
