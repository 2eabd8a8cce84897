// SPDX-License-Identifier: GPL-2.0-or-later
extension RGBSpace {
  /// A color of largest chroma: its lightness and its chroma in CIELAB.
  typealias Cusp = (lightness: Double, chroma: Double)

  private static let cuspCorners: [Triple] = [
    [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1],
  ]

  /// Returns the color of largest chroma for each whole degree of hue in CIELAB, from 0° to 359°.
  ///
  /// - Parameter lab: CIELAB of `target`, in which both gamuts are compared.
  func cusps(in lab: CIELAB, target: RGBSpace) -> [Cusp] {
    let matrix = matrix(to: target)
    // Colors of largest chroma are on six edges of the RGB cube: from red through yellow, green,
    // cyan, blue and magenta back to red. So no search is needed.
    var samples: [(hue: Double, cusp: Cusp)] = []
    for index in 0..<6 {
      let (from, to) = (Self.cuspCorners[index], Self.cuspCorners[(index + 1) % 6])
      for step in 0..<256 {
        // Steps are squared, so that there are more of them at the dark end of an edge, where hue
        // changes fastest.
        let t = Double(step) / 256
        let share = to.sum() > from.sum() ? t * t : 1 - (1 - t) * (1 - t)
        let point = lab.coordinates(of: matrix * (from + (to - from) * share))
        let chroma = (point.y * point.y + point.z * point.z).squareRoot()
        samples.append((hueAngle(point.y, point.z), (point.x, chroma)))
      }
    }
    samples.sort { $0.hue < $1.hue }
    return (0..<360).map { Self.interpolated(samples, at: Double($0)) }
  }

  private static func interpolated(
    _ samples: [(hue: Double, cusp: Cusp)], at hue: Double
  ) -> Cusp {
    let next = samples.firstIndex { $0.hue > hue } ?? 0
    let (before, after) = (samples[(next + samples.count - 1) % samples.count], samples[next])
    let span = turn(after.hue - before.hue)
    let part = span > 0 ? turn(hue - before.hue) / span : 0
    return (
      before.cusp.lightness * (1 - part) + after.cusp.lightness * part,
      before.cusp.chroma * (1 - part) + after.cusp.chroma * part
    )
  }

  private static func turn(_ degrees: Double) -> Double { degrees < 0 ? degrees + 360 : degrees }
}
