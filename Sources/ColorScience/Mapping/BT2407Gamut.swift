// SPDX-License-Identifier: GPL-2.0-or-later
/// The gamut mapping of Report BT.2407, annex 2. It moves colors of a wider gamut to the boundary
/// of a narrower one, at constant hue in CIELAB.
///
/// Each hue has a plane of chroma and lightness. In this plane, the line through the cusps (the
/// points of largest chroma) of both gamuts meets the lightness axis at L_cusp and the chroma axis
/// at C_focal. L_focal is L_cusp, kept within limits. Colors inside the narrower gamut do not
/// change. Colors outside it move until they are inside: toward L_focal if they are above the line
/// from L_focal to C_focal, and away from C_focal if they are below it.
package struct BT2407Gamut: GamutMethod {
  package static let name = "bt2407"

  /// The largest C_focal. A larger one would make hardly any difference.
  private static let farChroma = 5000.0

  private let lab: CIELAB
  // These two lists are indexed by hue in degrees, and have one entry more than a full turn.
  private let focalLightness: [Double]
  private let focalChroma: [Double]

  /// Prepares the mapping from a wider space into a narrower one.
  package init(from source: RGBSpace, to target: RGBSpace) {
    lab = CIELAB(space: target)
    let inner = target.cusps(in: lab, target: target)
    let outer = source.cusps(in: lab, target: target)
    var lightness: [Double] = []
    var chroma: [Double] = []
    for hue in 0..<360 {
      let (from, to) = (inner[hue], outer[hue])
      // If the cusps coincide, the line through them has no direction.
      let growth = max(to.chroma - from.chroma, 1e-3)
      let slope = (to.lightness - from.lightness) / growth
      let onAxis = from.lightness - slope * from.chroma
      lightness.append(onAxis)
      let far = abs(onAxis) >= Self.farChroma * abs(slope)
      chroma.append(far ? Self.farChroma : abs(onAxis / slope))
    }
    lightness = Self.limited(lightness)
    // With the extra entry, hues between 359° and 360° can be interpolated like all others.
    focalLightness = lightness + [lightness[0]]
    focalChroma = chroma + [chroma[0]]
  }

  /// Returns L_focal for each hue in degrees: L_cusp, kept within limits.
  private static func limited(_ lightness: [Double]) -> [Double] {
    // The report shows the limits of L_focal only in a plot. Here, they are computed from L_cusp:
    // its minima in green and in blue, and a ramp between 240° and blue. The report's additional
    // hue mapping is left out, because its constants are only for BT.2020 to BT.709.
    let blue = (270..<324).min { lightness[$0] < lightness[$1] } ?? 300
    let low = lightness[blue]
    let high = max(lightness[115..<160].min() ?? low, low)
    return lightness.indices.map { hue in
      if hue >= blue { return low }
      if hue >= 240 { return high + (low - high) * Double(hue - 240) / Double(blue - 240) }
      return min(max(lightness[hue], low), high)
    }
  }

  /// Brings a linear color, in the primaries of the narrower space (white: 1, 1, 1), into its
  /// gamut. NaN becomes 0.
  package func map(_ color: Triple) -> Triple {
    // The limits are far beyond any real color, but keep all numbers of the search finite.
    let source = color.contained(in: -100...100)
    guard Self.margin(source) < 0 else { return source }
    let coordinates = lab.coordinates(of: source)
    let target = axisLightness(coordinates)
    let share = Self.crossing(end: 1) {
      Self.margin(point(coordinates, target, $0))
    }
    return point(coordinates, target, share).contained(in: 0...1)
  }

  /// Returns the lightness of the gray toward which a color moves.
  private func axisLightness(_ coordinates: Triple) -> Double {
    let (a, b) = (coordinates.y, coordinates.z)
    let chroma = (a * a + b * b).squareRoot()
    let degrees = hueAngle(a, b)
    let index = min(max(Int(degrees), 0), 359)
    let part = degrees - Double(index)
    let middle = focalLightness[index] * (1 - part) + focalLightness[index + 1] * part
    let far = focalChroma[index] * (1 - part) + focalChroma[index + 1] * part
    // Colors on or above the line from L_focal to C_focal move toward L_focal. Colors with a chroma
    // above C_focal are always above the line.
    guard far > chroma, coordinates.x * far < middle * (far - chroma) else { return middle }
    return max(coordinates.x, 0) * far / (far - chroma)
  }

  private func point(_ coordinates: Triple, _ target: Double, _ share: Double) -> Triple {
    lab.color(
      of: Triple(
        target + (coordinates.x - target) * share, coordinates.y * share, coordinates.z * share))
  }

  /// Returns the smallest distance of a color's components from the limits 0 and 1. It is negative
  /// if a component is outside the limits.
  private static func margin(_ color: Triple) -> Double { min(color.min(), 1 - color.max()) }

  /// Finds how far a path stays inside the gamut: the largest share, from 0 to `end`, whose color
  /// is inside.
  ///
  /// - Parameter margin: returns the margin of the color at a share of the path. It is 0 or more
  ///   where the path begins, and less than 0 (outside the gamut) at `end`.
  /// - Returns: the share, to about 1e-9 of the path.
  private static func crossing(end: Double, _ margin: (Double) -> Double) -> Double {
    var (low, high) = (0.0, end)
    var (lowMargin, highMargin) = (margin(low), margin(high))
    guard lowMargin > 0, highMargin < 0 else { return highMargin < 0 ? low : high }
    var side = 0
    // Regula falsi in the Illinois form: if one end stays for two steps, its margin is halved, so
    // that the search does not become slow. This needs far fewer conversions from CIELAB than
    // bisection.
    for _ in 0..<60 where high - low > 1e-9 {
      let share = (low * highMargin - high * lowMargin) / (highMargin - lowMargin)
      let value = margin(share)
      if value >= 0 {
        (low, lowMargin) = (share, value)
        if value < 1e-10 { break }
        if side == 1 { highMargin *= 0.5 }
        side = 1
      } else {
        (high, highMargin) = (share, value)
        if side == -1 { lowMargin *= 0.5 }
        side = -1
      }
    }
    return low
  }
}
