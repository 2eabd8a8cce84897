// SPDX-License-Identifier: GPL-2.0-or-later
/// A method that brings linear light (white: 1, 1, 1) into a gamut, 0…1 for each component. Grays
/// inside the gamut do not change.
package protocol GamutMethod: Hashable, Sendable {
  /// The method's name in the steps of a plan.
  static var name: String { get }

  /// Returns a color inside the gamut.
  func map(_ color: Triple) -> Triple
}

/// A method for a certain gamut.
package struct GamutMap: Hashable, Sendable {
  /// The method, with its numbers for the gamut.
  package let method: any GamutMethod

  package init(_ method: any GamutMethod) { self.method = method }

  /// The method's name in the steps of a plan.
  package var name: String { type(of: method).name }

  /// Returns a color inside the gamut.
  package func map(_ color: Triple) -> Triple { method.map(color) }

  /// Whether two maps use the same method for the same gamut.
  package static func == (one: GamutMap, other: GamutMap) -> Bool {
    // The types of the methods may differ, so compare them as hashable values.
    AnyHashable(one.method) == AnyHashable(other.method)
  }

  package func hash(into hasher: inout Hasher) { method.hash(into: &hasher) }
}

/// Limits each component separately.
package struct ClippedGamut: GamutMethod {
  package static let name = "clip"

  /// Makes the method. It needs no space, because every gamut is 0…1 in its own space.
  package init() {}

  /// Limits each component to 0…1.
  package func map(_ color: Triple) -> Triple { color.contained(in: 0...1) }
}

/// Moves colors outside a gamut toward the gray of the same luminance until they are inside. Colors
/// close to the gamut's faces move a little, too, so that saturated colors still differ. Luminance
/// stays the same, but luminance above white becomes white.
///
/// For a linear color with components c and luminance Y, r = min(c)/Y is the distance from the
/// lower faces of the gamut (0 on them, 1 for gray), and s = (1 − max(c))/(1 − Y) is the distance
/// from the upper faces. If r is less than the knee a, it is replaced by a²/(2a − r), and s changes
/// in the same way. Each of the two results demands a movement toward gray, and the color is moved
/// by the larger one.
package struct DesaturateGamut: GamutMethod {
  package static let name = "desaturate"

  /// The knee. Colors that are farther than this from every face do not change.
  package static let knee = 0.04

  /// How much R, G and B contribute to luminance.
  package let weights: Triple

  /// Makes the method for a space.
  package init(space: RGBSpace) {
    weights = space.luminanceWeights
  }

  /// Brings a linear color (white: 1, 1, 1) into the gamut.
  package func map(_ color: Triple) -> Triple {
    let color = color.contained(in: -100...100)
    let luminance = (color * weights).sum()
    // At the luminance of black or white, only gray is inside the gamut.
    guard luminance > 0 else { return .zero }
    guard luminance < 1 else { return .one }
    let low = Self.saturation(color.min() / luminance)
    let high = Self.saturation((1 - color.max()) / (1 - luminance))
    let gray = Triple(repeating: luminance)
    return gray + (color - gray) * min(low, high)
  }

  /// Returns the factor by which saturation has to be multiplied for a color at this distance from
  /// the faces of the gamut.
  static func saturation(_ distance: Double) -> Double {
    guard distance < knee else { return 1 }
    // The formula continues the identity smoothly and never reaches 0. It is fast and has no hard
    // edges, but hues shift (blue toward violet), and saturated colors lose more chroma than with
    // `GamutCompression`.
    return (1 - knee * knee / (2 * knee - distance)) / (1 - distance)
  }
}
