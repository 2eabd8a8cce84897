// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import ColorScience

@Suite struct BT2446Tests {
  private static func agree(_ a: Triple, _ b: Triple, within bound: Double) -> Bool {
    (0..<3).allSatisfy { abs(a[$0] - b[$0]) <= bound }
  }

  /// The results of method A (BT.2446-1, tables 2 and 3) were computed in Python, with luma and
  /// color differences from colour-science 0.4.7. They are for an SDR peak of 203 cd/m².
  @Test(arguments: [
    (Triple(203, 203, 203), Triple(repeating: 82.4085472913)),
    (
      Triple(84.298588, 51.503432, 30.587343), Triple(40.1234037832, 25.4652107468, 15.8805734174)
    ),
    (Triple(401.073675, 16.923768, 5.620188), Triple(162.4436610771, 7.2349045685, 2.5060158617)),
    (Triple(30, 500, 80), Triple(15.2583604286, 177.1283369001, 34.3634870233)),
    (Triple(1000, 1000, 1000), Triple(203, 203, 203)), (.zero, .zero),
  ])
  func methodA(light: Triple, expected: Triple) {
    #expect(Self.agree(BT2446A().map(light), expected, within: 1e-6))
  }

  /// The results of method A's inverse (table 4) were computed in Python. SDR's peak is 1, and the
  /// results are in cd/m².
  @Test(arguments: [
    (Triple(1, 1, 1), Triple(repeating: 999.5246614189)),
    (Triple(0.1, 0.1, 0.1), Triple(repeating: 36.6311786045)),
    (Triple(0.6, 0.3, 0.2), Triple(296.9039412505, 141.4233232291, 90.9281694336)),
    (Triple(0.01, 0.02, 0.05), Triple(2.9192837543, 6.190325431, 16.3371302126)),
  ])
  func methodAInverse(light: Triple, expected: Triple) {
    #expect(Self.agree(BT2446A(targetPeak: 1).inverse(light), expected, within: 1e-4))
  }

  /// The report's inverse is only fitted to the forward curve. After a round trip, luma is off by
  /// less than 1.5 % of the signal's range (BT.2446-1, annex 1, reports no visible difference).
  @Test func methodAReturnsNearly() {
    let method = BT2446A()
    var worst = 0.0
    for step in 1...100 {
      let luma = Double(step) / 100
      worst = max(worst, abs(method.tone(BT2446A.inverseTone(luma)) - luma))
    }
    #expect(worst < 0.015)
  }

  /// On the straight piece of method B's curve, the SDR signals of HLG grays match values that were
  /// computed in Python. The values follow from the published figures, which are for HLG on a
  /// display of 291 cd/m² with a gamma of 1.03, and for SDR of 100 cd/m².
  @Test(arguments: [
    (0.25, 0.296_316_645), (0.5, 0.537_205_100), (0.6, 0.645_843_890), (0.66, 0.728_694_994),
  ])
  func methodBBelowTheKnee(hlg: Double, sdr: Double) {
    #expect(abs(Self.signalOfMethodB(hlg: hlg) - sdr) < 1e-8)
  }

  /// On the whole of method B's curve, black and peak become those of SDR, nothing jumps at the
  /// knee, and reference white (75 % HLG) stays below the 88 % that it would have without the
  /// roll-off.
  @Test func methodBAbove() {
    #expect(Self.signalOfMethodB(hlg: 0) == 0)
    #expect(abs(Self.signalOfMethodB(hlg: 1) - 1) < 1e-9)
    #expect((0.84..<0.883).contains(Self.signalOfMethodB(hlg: 0.75)))
    let signals = (0...1000).map { Self.signalOfMethodB(hlg: Double($0) / 1000) }
    let steps = zip(signals.dropFirst(), signals).map { $0 - $1 }
    #expect(steps.allSatisfy { $0 > 0 })
    // The slope next to black is left out, because the signal is steep there.
    let slopes = zip(steps.dropFirst(2), steps.dropFirst())
    #expect(slopes.allSatisfy { abs($0 - $1) < 0.25 * $1 })
  }

  /// Returns the SDR signal of a gray from its HLG signal.
  private static func signalOfMethodB(hlg: Double) -> Double {
    let gray = HLG.ootf(
      Triple(repeating: HLG.inverseOETF(hlg)), weights: Triple(0.2627, 0.678, 0.0593),
      peakLuminance: 1000)
    return signedPower(BT2446B(targetPeak: 1).map(gray).y, 1 / 2.4)
  }

  /// Colors keep their chromaticity.
  @Test func methodBKeepsChromaticity() {
    let color = BT2446B().map(Triple(300, 200, 100))
    #expect(abs(color.x / color.y - 1.5) < 1e-12 && abs(color.z / color.y - 0.5) < 1e-12)
  }

  /// Method C's curve goes through the points from which BT.2446-1, 6.1.4, derives its constants:
  /// 50 % HLG becomes 70 % SDR, the inflection is at 80 % SDR, and 75 % HLG becomes 96 % SDR. The
  /// curve ends where the report says: 1000 cd/m² become 118.3868 cd/m².
  @Test func methodCPoints() {
    func sdrSignal(hlg: Double) -> Double {
      let light = HLG.ootf(
        Triple(repeating: HLG.inverseOETF(hlg)), weights: Triple(0.2627, 0.678, 0.0593),
        peakLuminance: 1000
      ).x
      return signedPower(BT2446C.tone(light) / 100, 1 / 2.4)
    }
    #expect(abs(sdrSignal(hlg: 0.5) - 0.70) < 1e-4)
    #expect(abs(sdrSignal(hlg: 0.75) - 0.96) < 1e-4)
    #expect(abs(BT2446C.tone(1000) - 118.3868) < 5e-5)
    #expect(abs(signedPower(BT2446C.tone(58.5 / 0.83802) / 100, 1 / 2.4) - 0.80) < 5e-4)
    #expect(abs(BT2446C.inverseTone(118.3868) - 1000) < 0.01)
  }

  /// The results of method C (BT.2446-1, clause 6.1) were computed in x, y, Y with colour-science
  /// 0.4.7, for a peak of 100 cd/m².
  @Test(arguments: [
    (0.0, Triple(203, 203, 203), Triple(repeating: 90.6643914197)),
    (
      0.0, Triple(401.073675, 16.923768, 5.620188),
      Triple(267.0042551893, 11.2665536322, 3.7414924103)
    ),
    (
      0.1, Triple(401.073675, 16.923768, 5.620188),
      Triple(256.6197420573, 10.8283670794, 3.5959757141)
    ),
    (
      0.1, Triple(84.298588, 51.503432, 30.587343),
      Triple(70.6439027158, 43.1609060846, 25.6328051809)
    ),
  ])
  func methodC(alpha: Double, light: Triple, expected: Triple) {
    let result = BT2446C(alpha: alpha, targetPeak: 100).map(light)
    #expect(Self.agree(result, expected, within: 1e-3))
  }

  /// The result of the chroma correction (clause 6.1.8) with σ = 0.5 was computed with
  /// colour-science 0.4.7. Reference white and darker colors are not corrected.
  @Test func methodCChromaCorrection() {
    let method = BT2446C(sigma: 0.5, targetPeak: 100)
    let expected = Triple(131.8883822447, 102.4934107104, 71.6102919521)
    #expect(Self.agree(method.map(Triple(700, 500, 300)), expected, within: 1e-3))
    let below = Triple(200, 150, 100)
    #expect(method.map(below) == BT2446C(targetPeak: 100).map(below))
  }

  @Test(arguments: [0, 0.05, 0.2, 0.33]) func methodCReturnsExactly(alpha: Double) {
    let method = BT2446C(alpha: alpha)
    for light in [
      Triple(1, 2, 3), Triple(60, 70, 80), Triple(900, 30, 2), Triple(5, 900, 40),
      Triple(1, 1, 900),
      Triple(1000, 1000, 1000),
    ] {
      #expect(Self.agree(method.inverse(method.map(light)), light, within: 1e-7))
    }
  }

  /// Black stays black, gray stays gray, and nothing becomes NaN or infinite.
  @Test func containment() {
    let strange = [
      Triple(.nan, 1, 2), Triple(.infinity, 0, 0), Triple(-.infinity, .infinity, .nan),
      Triple(-5, -5, -5), Triple(1e300, 1e300, 1e300),
    ]
    let (a, b, c) = (BT2446A(), BT2446B(), BT2446C(alpha: 0.1, sigma: 0.3))
    for color in strange {
      for result in [
        a.map(color), a.inverse(color), b.map(color), c.map(color), c.inverse(color),
      ] {
        #expect(result.x.isFinite && result.y.isFinite && result.z.isFinite)
      }
    }
    for result in [a.map(.zero), a.inverse(.zero), b.map(.zero), c.map(.zero), c.inverse(.zero)] {
      #expect(result == .zero)
    }
    for light in [0.5, 30, 203, 700] {
      for result in [
        a.map(Triple(repeating: light)), c.map(Triple(repeating: light)),
        a.inverse(Triple(repeating: light / 5)),
      ] {
        #expect(result.max() - result.min() < 1e-9 * light)
      }
    }
  }
}
