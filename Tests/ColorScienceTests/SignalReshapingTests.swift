// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

/// Dolby Vision's samples turn into the right light.
@Suite struct SignalReshapingTests {
  private static let middle = 512.0 / 1023

  private static func curve(_ pieces: [SignalReshaping.Piece], _ pivots: [Double] = [0, 1])
    -> SignalReshaping.Curve
  {
    SignalReshaping.Curve(pivots: pivots, pieces: pieces) ?? .identity
  }

  private static func linear(_ curves: [SignalReshaping.Curve]) -> SignalReshaping {
    SignalReshaping.ipt.with(curves)
  }

  /// The cone responses are those of published RPUs of profile 8 (libdovi, `vdr_dm_data.rs`). These
  /// RPUs state the matrix from BT.2020 to cone responses, in units of 2⁻¹⁴.
  @Test func conesAreThoseOfPublishedRPUs() {
    let published = Matrix3x3(
      Triple(7222, 8771, 390) / 16384, Triple(2654, 12430, 1300) / 16384,
      Triple(0, 422, 15962) / 16384)
    let both = SignalReshaping(
      curves: [.identity, .identity, .identity], toCones: .identity, offset: .zero,
      mixing: published
    ).conesToRGB
    for (row, expected) in zip(both.rows, Matrix3x3.identity.rows) {
      for index in 0..<3 { #expect(abs(row[index] - expected[index]) < 3e-4) }
    }
  }

  /// Colors on the intensity axis of IPT are grays. Their light is that of their intensity in PQ.
  @Test(arguments: [0, 0.1, 0.508, 0.75, 1]) func grays(intensity: Double) {
    let light = SignalReshaping.ipt.light(
      of: [intensity, Self.middle, Self.middle], middle: Self.middle)
    let expected = PQ.eotf(intensity) / PQ.peakLuminance
    for index in 0..<3 { #expect(abs(light[index] - expected) <= 5e-4 * expected) }
  }

  /// Each coefficient of a regression is applied to its own product of components.
  @Test func terms() {
    let samples = Triple(0.5, 0.25, 0.75)
    let products = [
      samples.x, samples.y, samples.z, samples.x * samples.y, samples.x * samples.z,
      samples.y * samples.z, samples.x * samples.y * samples.z,
    ]
    for order in 1...3 {
      for (term, product) in products.enumerated() {
        var rows = [[Double]](repeating: [Double](repeating: 0, count: 7), count: order)
        rows[order - 1][term] = 0.5
        var power = 1.0
        for _ in 0..<order { power *= product }
        let made = Self.linear([
          Self.curve([.regression(constant: 0.25, coefficients: rows)]), .identity, .identity,
        ])
        let plain = Self.linear([
          Self.curve([.polynomial([0.25 + 0.5 * power, 0, 0])]), .identity, .identity,
        ])
        let difference =
          made.light(of: samples, middle: Self.middle)
          - plain.light(of: samples, middle: Self.middle)
        let largest = max(difference.max(), -difference.min())
        #expect(largest < 1e-12, "order \(order), term \(term)")
      }
    }
  }

  /// A sample on a pivot belongs to the piece that begins there, and no curve leaves the range of
  /// its pivots.
  @Test func pivots() {
    let steps = Self.curve(
      [.polynomial([0.1, 0, 0]), .polynomial([0.4, 0, 0]), .polynomial([2, 0, 0])],
      [0, 0.25, 0.5, 0.9])
    for (sample, value) in [(0.0, 0.1), (0.2499, 0.1), (0.25, 0.4), (0.5, 0.9), (1, 0.9)] {
      let light = Self.linear([steps, .identity, .identity]).light(
        of: [sample, Self.middle, Self.middle], middle: Self.middle)
      #expect(abs(light.y * PQ.peakLuminance / PQ.eotf(value) - 1) < 1e-3, "\(sample)")
    }
  }
}
