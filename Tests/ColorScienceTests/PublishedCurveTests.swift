// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

@Suite struct PublishedCurveTests {
  /// BT.2408, table 1, lists the signals, in percent of PQ and of HLG, that show a luminance on a
  /// PQ display and on an HLG display of 1000 cd/m². All numbers are rounded as printed.
  @Test(arguments: [(26, 38, 38), (162, 56, 71), (179, 57, 73), (203, 58, 75)])
  func referenceLevels(luminance: Int, pq: Int, hlg: Int) throws {
    let signal = PQ.inverseEOTF(Double(luminance))
    #expect(Int((signal * 100).rounded()) == pq)
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    let scene = HLG.inverseOOTF(
      Triple(repeating: Double(luminance)), weights: weights, peakLuminance: 1000)
    #expect(Int((HLG.oetf(scene.x) * 100).rounded()) == hlg)
  }

  /// BT.2100, table 5, defines the scene light of HLG's signals. The value for 0.75 is from
  /// colour-science 0.4.7.
  @Test(arguments: [(0.5, 1.0 / 12), (0.75, 0.2649625604), (1, 1)])
  func hlgAnchors(signal: Double, scene: Double) {
    #expect(abs(HLG.inverseOETF(signal) - scene) < 1e-7)
  }

  /// The system gamma depends on the peak and on the surround, both in cd/m² (BT.2100, note 5f, and
  /// BT.2390, 6.2). The values are from the EBU's calculator for R 167 (github.com/ebu/r167,
  /// `hlg_calculator.py`, 1.3).
  @Test(
    arguments: [
      (1000, 5, 1.2), (600, 5, 1.106823525), (400, 5, 1.032865196), (2000, 25, 1.265647499),
      (1000, 100, 1.099666452), (200, 10, 0.921006222), (3000, 5, 1.417869679),
      (4000, 100, 1.357341395),
    ] as [(Double, Double, Double)])
  func systemGamma(peak: Double, surround: Double, gamma: Double) {
    #expect(abs(HLG.systemGamma(peakLuminance: peak, surround: surround) - gamma) < 1e-9)
  }

  /// HLG's reference white, a signal of 75 %, has the luminance that the EBU's calculator gives,
  /// rounded to whole cd/m².
  @Test(
    arguments: [
      (1000, 5, 0, 203), (600, 5, 0, 138), (2000, 25, 0, 372), (4000, 100, 0, 659),
      (200, 10, 0, 59), (1000, 5, 0.05, 212),
    ] as [(Double, Double, Double, Double)])
  func hlgReferenceWhite(peak: Double, surround: Double, black: Double, white: Double) throws {
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    let light = HLG.eotf(
      Triple(repeating: 0.75), weights: weights, peakLuminance: peak, blackLuminance: black,
      surround: surround)
    #expect(light.x.rounded() == white)
    let scene = HLG.inverseOOTF(
      light, weights: weights, peakLuminance: peak, surround: surround)
    let back = HLG.ootf(scene, weights: weights, peakLuminance: peak, surround: surround)
    #expect(abs(back.x - light.x) < 1e-9 * light.x)
  }

  /// The black lift β (BT.2100, table 5) has the value that the EBU's calculator gives. With it, a
  /// signal of 0 shows the display's black, and a signal of 1 shows its peak.
  @Test(arguments: [(0, 0), (0.05, 0.027955341107524), (0.005, 0.010710213522604)])
  func hlgBlackLift(black: Double, lift: Double) throws {
    #expect(abs(HLG.blackLift(blackLuminance: black, peakLuminance: 1000) - lift) < 1e-12)
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    func show(_ signal: Double) -> Double {
      HLG.eotf(
        Triple(repeating: signal), weights: weights, peakLuminance: 1000, blackLuminance: black
      ).x
    }
    #expect(abs(show(0) - black) < 1e-9)
    #expect(abs(show(1) - 1000) < 1e-3)
  }

  /// BT.1886, annex 1, is computed for a white of 100 and a black of 0.1 cd/m². The values are from
  /// colour-science 0.4.7, `eotf_BT1886`.
  @Test(arguments: [
    (0, 0.1), (0.25, 5.21849732), (0.5, 21.60491117), (0.75, 52.42083239), (1, 100),
  ])
  func bt1886WithBlack(signal: Double, luminance: Double) throws {
    let display = BT1886(whiteLuminance: 100, blackLuminance: 0.1)
    #expect(abs(display.eotf(signal) - luminance) < 1e-7)
    #expect(abs(display.inverseEOTF(luminance) - signal) < 1e-8)
    let perfect = BT1886().eotf(signal)
    #expect(abs(perfect - 100 * ComponentTransfer.bt1886.toLinear(signal)) < 1e-9)
  }

  /// H.273, table 3, value 12 (BT.1361): negative scene light is squeezed by a factor of 4. The
  /// values are from colour-science 0.4.7, `oetf_inverse_BT1361`. On the display, gamma 2.4 takes
  /// the curve's place: a signal of −0.125 is halfway to the end at −0.25, so its light is
  /// −(0.5^2.4) / 4.
  @Test func bt1361() throws {
    let scene = try #require(ComponentTransfer(.bt1361, as: .scene))
    for (signal, light) in [
      (-0.25, -0.25), (-0.2, -0.1599844545), (-0.1, -0.0432460403), (-0.0101, -0.0022444444),
    ] {
      #expect(abs(scene.toLinear(signal) - light) < 1e-9)
    }
    let display = try #require(ComponentTransfer(.bt1361))
    #expect(abs(display.toLinear(-0.25) + 0.25) < 1e-12)
    #expect(abs(display.toLinear(-0.125) + 0.189464570814 / 4) < 1e-9)
    #expect(display.toLinear(0.5) == ComponentTransfer.bt1886.toLinear(0.5))
  }

  /// H.273, table 3: xvYCC (11) and sYCC (13) continue below 0 as odd functions. BT.709's camera
  /// curve at 0.18 is 0.409007728864.
  @Test func extendedRanges() throws {
    let xvYCC = try #require(ComponentTransfer(.xvYCC, as: .scene))
    #expect(abs(xvYCC.toSignal(-0.18) + 0.409007728864) < 1e-9)
    #expect(abs(PowerForm.sRGB.toLight(-0.5) + 0.214041140482) < 1e-9)
  }

  /// The values are from colour-science 0.4.7: `eotf_SMPTE240M`, `eotf_H273_ST428_1`,
  /// `oetf_inverse_H273_LogSqrt`. The value for the gamma of P3 cinema, 2.6, is 0.5^2.6.
  @Test(
    arguments: [
      (.power(.smpte240M), 0.05, 0.0125), (.power(.smpte240M), 0.5, 0.2650357336),
      (.power(.smpte240M), 0.9, 0.8109876988),
      (.power(.smpte428), 0.5, 0.1799547638), (.log(decades: 2.5), 0.5, 0.0562341325),
      (.gamma(2.6), 0.5, 0.1649384888),
    ] as [(ComponentTransfer, Double, Double)])
  func otherCurves(curve: ComponentTransfer, signal: Double, light: Double) {
    #expect(abs(curve.toLinear(signal) - light) < 1e-9)
    #expect(abs(curve.toSignal(light) - signal) < 1e-9)
  }
}
