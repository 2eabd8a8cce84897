// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A chromaticity in CIE 1931 x and y.
package struct Chromaticity: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// The tristimulus values X, Y, Z for a luminance of 1.
  package var xyz: Triple { Triple(x / y, 1, (1 - x - y) / y) }

  /// CIE standard illuminant D65, rounded as in video standards.
  package static let d65 = Chromaticity(0.3127, 0.3290)
  /// CIE standard illuminant C, the white of NTSC in 1953.
  package static let c = Chromaticity(0.310, 0.316)
  /// The white of digital cinema projectors (SMPTE RP 431-2).
  package static let dci = Chromaticity(0.314, 0.351)
  /// The white of equal energy, at the middle of the chromaticity diagram.
  package static let e = Chromaticity(1.0 / 3, 1.0 / 3)
}

/// The chromaticities of a set of color primaries and of its white (H.273, table 2).
package struct RGBSpace: Hashable, Sendable {
  package var red: Chromaticity
  package var green: Chromaticity
  package var blue: Chromaticity
  /// The chromaticity of equal R, G and B.
  package var white: Chromaticity

  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    _ white: Chromaticity
  ) {
    self.red = Chromaticity(red.0, red.1)
    self.green = Chromaticity(green.0, green.1)
    self.blue = Chromaticity(blue.0, blue.1)
    self.white = white
  }

  package init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// The space of BT.2020.
  package static let bt2020 = RGBSpace(
    (0.708, 0.292), (0.170, 0.797), (0.131, 0.046), .d65)

  /// Finds the space of a code point. Returns `nil` for reserved ones and for "unspecified".
  package init?(_ primaries: ColorPrimaries) {
    switch primaries {
    case .bt709: self.init((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), .d65)
    case .bt470M: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), .c)
    case .bt470BG: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), .d65)
    case .smpte170M, .smpte240M:
      self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), .d65)
    case .film: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), .c)
    case .bt2020: self = .bt2020
    case .xyz: self.init((1, 0), (0, 1), (0, 0), .e)
    case .p3DCI: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), .dci)
    case .p3D65: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), .d65)
    case .jedecP22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), .d65)
    default: return nil
    }
  }

  /// The matrix from linear R, G, B (white: 1, 1, 1) to X, Y, Z (white: Y = 1), by SMPTE RP 177.
  package var toXYZ: Matrix3x3 {
    // The columns are X, Y, Z of each primary, except for a factor. They are not divided by y,
    // because two primaries of ST 428-1 have y = 0: its primaries are X, Y and Z themselves.
    let columns = [red, green, blue].map { Triple($0.x, $0.y, 1 - $0.x - $0.y) }
    let primaries = Matrix3x3(
      Triple(columns[0].x, columns[1].x, columns[2].x),
      Triple(columns[0].y, columns[1].y, columns[2].y),
      Triple(columns[0].z, columns[1].z, columns[2].z))
    return primaries * .diagonal(primaries.inverse * white.xyz)
  }

  /// How much R, G and B contribute to luminance.
  package var luminanceWeights: Triple { toXYZ.rows[1] }

  /// Returns the matrix from linear R, G, B of this space to linear R, G, B of another.
  package func matrix(to other: RGBSpace) -> Matrix3x3 {
    // If the whites differ, colors are adapted so that white stays white and gray gets no tint.
    let adaptation =
      white == other.white ? Matrix3x3.identity : Self.bradford(from: white, to: other.white)
    return other.toXYZ.inverse * adaptation * toXYZ
  }

  /// The matrix that adapts X, Y, Z from this space's white to D50, the white of ICC's profile
  /// connection space.
  package var adaptationToD50: Matrix3x3 { Self.bradford(from: white, to: Self.profileWhite) }

  // ICC.1, 7.2.16, gives X, Y, Z as 0.9642, 1, 0.8249.
  private static let profileWhite = Chromaticity(0.9642 / 2.7891, 1 / 2.7891)

  /// Returns the matrix that adapts X, Y, Z to another white with Bradford's cone responses (K. M.
  /// Lam, 1985; ICC.1, annex E).
  static func bradford(from source: Chromaticity, to target: Chromaticity) -> Matrix3x3 {
    let cones = Matrix3x3(
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
    let gains = (cones * target.xyz) / (cones * source.xyz)
    return cones.inverse * .diagonal(gains) * cones
  }
}
