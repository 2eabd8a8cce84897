// SPDX-License-Identifier: GPL-2.0-or-later

/// How the samples of a Dolby Vision base layer become light (ETSI GS CCM 001, 5.3 and 5.4).
///
/// A curve is applied to each component. A matrix turns the results into PQ signals of the eye's
/// cones. PQ's EOTF turns these into light, and a second matrix turns the light into R, G, B of
/// BT.2020. The numbers come from the RPU of each frame.
package struct SignalReshaping: Hashable, Sendable {
  /// A part of a curve, from one pivot to the next.
  package enum Piece: Hashable, Sendable {
    /// A polynomial of the component, with the coefficients of the powers 0, 1 and 2.
    case polynomial(Triple)
    /// A multivariate multiple regression of all three components: a constant, and for each power p
    /// from 1 up to 3, the coefficients of the p-th powers of x, y, z, xy, xz, yz and xyz.
    case regression(constant: Double, coefficients: [[Double]])
  }

  /// The curve of one component.
  package struct Curve: Hashable, Sendable {
    /// Where pieces begin and end, 0…1, in rising order. The first and last also limit the results.
    package let pivots: [Double]
    /// The pieces, one fewer than there are pivots.
    package let pieces: [Piece]

    /// Makes a curve. Returns `nil` unless there are 1 to 8 pieces with rising pivots.
    package init?(pivots: [Double], pieces: [Piece]) {
      guard (1...Self.mostPieces).contains(pieces.count), pivots.count == pieces.count + 1,
        zip(pivots, pivots.dropFirst()).allSatisfy({ $0 <= $1 })
      else { return nil }
      (self.pivots, self.pieces) = (pivots, pieces)
    }

    private init() { (pivots, pieces) = ([0, 1], [.polynomial([0, 1, 0])]) }

    /// The largest number of pieces.
    package static let mostPieces = 8
    /// The curve that changes nothing.
    package static let identity = Curve()

    // A sample on a pivot belongs to the piece that begins there. But samples are quotients (a code
    // value divided by the largest one), which single precision rounds by up to 2⁻²⁴. Samples of
    // 16 bits are 2⁻¹⁶ apart. So with a margin between 2⁻²⁴ and 2⁻¹⁶, the piece includes the sample
    // on its pivot, but not the next smaller sample.
    /// A piece begins this much before its pivot.
    private static let margin = 1.0 / Double(1 << 20)

    /// Returns the smallest sample of a piece.
    package func start(ofPiece index: Int) -> Double { pivots[index] - Self.margin }

    fileprivate func value(_ index: Int, of samples: Triple) -> Double {
      let x = samples[index]
      let next = (1..<pieces.count).first { x < start(ofPiece: $0) } ?? pieces.count
      return min(max(pieces[next - 1].value(x, samples), pivots[0]), pivots[pivots.count - 1])
    }
  }

  /// The curves of the three components.
  package let curves: [Curve]
  /// Matrix from reshaped components to the PQ signals of the cones (`YCCtoRGB_coef`).
  package let toCones: Matrix3x3
  /// What is subtracted from reshaped components before ``toCones`` is applied, in units of the
  /// sample range.
  package let offset: Triple
  /// Matrix from the light of the cones' signals to linear R, G, B of BT.2020.
  package let conesToRGB: Matrix3x3

  // The cones of Hunt, Pointer and Estévez, balanced for D65. RPUs that state the conversion from
  // BT.2020 contain the product of this matrix and BT.2020's own matrix, rounded to 14 bits.
  private static let xyzToCones = Matrix3x3(
    [0.40024, 0.70760, -0.08081], [-0.22630, 1.16532, 0.04570], [0, 0, 0.91822])

  private static let rgbToCones = xyzToCones * RGBSpace.bt2020.toXYZ

  /// - Parameters:
  ///   - curves: the curves of the three components.
  ///   - toCones: `YCCtoRGB_coef`.
  ///   - offset: `YCCtoRGB_offset`, in units of the sample range.
  ///   - mixing: `RGBtoLMS_coef`: the matrix that turns the light of the signals into cone
  ///     responses.
  package init(curves: [Curve], toCones: Matrix3x3, offset: Triple, mixing: Matrix3x3) {
    precondition(curves.count == 3, "a curve for each component")
    (self.curves, self.toCones, self.offset) = (curves, toCones, offset)
    conesToRGB = Self.rgbToCones.inverse * mixing
  }

  /// Returns the same matrices with other curves.
  package func with(_ curves: [Curve]) -> SignalReshaping {
    SignalReshaping(curves, like: self)
  }

  private init(_ curves: [Curve], like other: SignalReshaping) {
    precondition(curves.count == 3, "a curve for each component")
    self.curves = curves
    (toCones, offset, conesToRGB) = (other.toCones, other.offset, other.conesToRGB)
  }

  /// IPT with PQ and 2 % crosstalk, as in profile 5, with curves that change nothing.
  package static let ipt = SignalReshaping(
    curves: [.identity, .identity, .identity],
    // Published RPUs of profile 5 have these integers, in units of 2⁻¹³ and 2⁻¹⁴.
    toCones: Matrix3x3(
      Triple(8192, 799, 1681) / 8192, Triple(8192, -933, 1091) / 8192,
      Triple(8192, 267, -5545) / 8192),
    offset: [0, 0.5, 0.5],
    mixing: Matrix3x3(
      Triple(17081, -349, -349) / 16384, Triple(-349, 17081, -349) / 16384,
      Triple(-349, -349, 17081) / 16384))

  /// Returns the reshaped intensity of a gray, 0…1, which is a PQ signal.
  ///
  /// - Parameter luma: the code value divided by the largest code value.
  package func intensity(of luma: Double) -> Double { curves[0].value(0, of: [luma, 0.5, 0.5]) }

  /// Returns linear light of BT.2020; 1 is 10 000 cd/m². Components outside 0…1 are cut off, as
  /// they would be in a PQ signal.
  ///
  /// - Parameters:
  ///   - samples: code values divided by the largest code value.
  ///   - middle: the sample in the middle of the range: 512/1023 for 10 bits.
  package func light(of samples: Triple, middle: Double) -> Triple {
    let samples = samples.contained(in: 0...1)
    let reshaped = Triple(
      curves[0].value(0, of: samples), curves[1].value(1, of: samples),
      curves[2].value(2, of: samples))
    // Offsets are fractions of a power of two (1024 for 10 bits), but samples are fractions of the
    // largest code value (1023). Multiplying offsets by 2 · `middle` (1024/1023) makes up for that.
    let signals = toCones * (reshaped - offset * (2 * middle))
    let light = signals.contained(in: 0...1).componentwise(PQ.eotf) / PQ.peakLuminance
    return (conesToRGB * light).contained(in: 0...1)
  }
}

extension SignalReshaping.Piece {
  fileprivate func value(_ x: Double, _ samples: Triple) -> Double {
    switch self {
    case .polynomial(let c): return c.x + x * (c.y + x * c.z)
    case .regression(let constant, let coefficients):
      let (a, b, c) = (samples.x, samples.y, samples.z)
      let terms = SIMD8(a, b, c, a * b, a * c, b * c, a * b * c, 0)
      var powers = terms
      var sum = constant
      for row in coefficients {
        for index in row.indices { sum += row[index] * powers[index] }
        powers *= terms
      }
      return sum
    }
  }
}
