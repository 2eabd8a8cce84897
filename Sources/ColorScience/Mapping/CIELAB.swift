// SPDX-License-Identifier: GPL-2.0-or-later
/// CIE 1976 L*a*b* (CIE 15) for linear R, G, B of a space, relative to that space's white.
struct CIELAB: Hashable, Sendable {
  private static let delta = 6.0 / 29

  private let toWhite: Matrix3x3
  private let fromWhite: Matrix3x3

  /// - Parameter white: the value of R, G and B for white, such as 1 or its luminance in cd/m².
  init(space: RGBSpace, white: Double = 1) {
    let scale = Matrix3x3.diagonal(1 / (space.toXYZ * Triple(repeating: white)))
    toWhite = scale * space.toXYZ
    fromWhite = toWhite.inverse
  }

  /// Returns L*, a*, b* of a color.
  func coordinates(of color: Triple) -> Triple {
    let xyz = toWhite * color
    let f = Triple(Self.root(xyz.x), Self.root(xyz.y), Self.root(xyz.z))
    return Triple(116 * f.y - 16, 500 * (f.x - f.y), 200 * (f.y - f.z))
  }

  /// Returns the color with these L*, a*, b*.
  func color(of lab: Triple) -> Triple {
    let y = (lab.x + 16) / 116
    return fromWhite
      * Triple(Self.cube(y + lab.y / 500), Self.cube(y), Self.cube(y - lab.z / 200))
  }

  /// Returns L* of a luminance relative to white's.
  static func lightness(_ luminance: Double) -> Double { 116 * root(luminance) - 16 }

  private static func root(_ x: Double) -> Double {
    // CIE 15: near black, a straight line with a finite slope replaces the cube root.
    x > delta * delta * delta
      ? signedPower(x, 1.0 / 3) : x / (3 * delta * delta) + 4.0 / 29
  }

  private static func cube(_ x: Double) -> Double {
    x > delta ? x * x * x : 3 * delta * delta * (x - 4.0 / 29)
  }
}
