// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import ColorScience

@Suite struct ToneCurveTests {
  static let curves: [any ToneCurve] = [
    ClippingToneCurve(targetPeak: 203), ReinhardToneCurve(sourcePeak: 1000, targetPeak: 203),
    BT2390EETF(sourcePeak: 1000, targetPeak: 203),
    BT2390EETF(sourcePeak: 4000, targetPeak: 600),
    BT2390EETF(sourcePeak: 10_000, targetPeak: 100),
    BT2390EETF(sourcePeak: 1000, targetPeak: 2000),
    SplineToneCurve(sourcePeak: 1000, targetPeak: 203),
    SplineToneCurve(sourcePeak: 10_000, targetPeak: 203, knee: 50),
    SplineToneCurve(sourcePeak: 1000, targetPeak: 600),
    SplineToneCurve(sourcePeak: 204, targetPeak: 203),
    SplineToneCurve(sourcePeak: 150, targetPeak: 203),
    FittedToneCurve(sourcePeak: 4000, targetPeak: 203, shoulder: 800, white: 0.8),
    FittedToneCurve(sourcePeak: 150, targetPeak: 203),
  ]

  @Test(arguments: curves) func staysMonotoneInsideAndContainsAnything(curve: any ToneCurve) {
    #expect(curve.map(0) == 0)
    #expect(curve.map(-5) == 0)
    #expect(curve.map(.nan) == 0)
    #expect(curve.map(-.infinity) == 0)
    #expect(curve.map(.infinity).isFinite)
    var before = 0.0
    var rises = true
    for step in 1...20_000 {
      let result = curve.map(Double(step) * 0.6)
      if result < before - 1e-9 || result > curve.targetPeak + 1e-9 { rises = false }
      before = result
    }
    #expect(rises)
  }

  /// BT.2390-10, 5.4.1 (BT.2408-8, annex 5). The expected values come from the formulas, evaluated
  /// in Python.
  @Test(arguments: [
    (1000, 203, 0, 0, 100, 99.36109054986098), (1000, 203, 0, 0, 203, 159.04186545948025),
    (1000, 203, 0, 0, 400, 193.6090597186468), (1000, 203, 0, 0, 1000, 203),
    (4000, 1000, 0, 0, 1000, 814.6125156839508),
    (10_000, 600, 0, 0.05, 0.1, 0.3076550200409929),
    (10_000, 600, 0, 0.05, 203, 200.40630340567404),
    (1000, 203, 0.005, 0.1, 10, 10.881703870306959),
    (1000, 203, 0.005, 0.1, 400, 193.89554244553253),
  ])
  func bt2390(
    source: Double, target: Double, sourceBlack: Double, targetBlack: Double, light: Double,
    expected: Double
  ) {
    let eetf = BT2390EETF(
      sourcePeak: source, targetPeak: target, sourceBlack: sourceBlack, targetBlack: targetBlack)
    #expect(abs(eetf.map(light) - expected) < 1e-7 * expected)
  }

  /// BT.2390's curve does what the report promises: light below the knee does not change, no light
  /// changes if the target is brighter than the source, and black becomes the target's black.
  @Test func bt2390LeavesAloneWhatItCan() {
    let eetf = BT2390EETF(sourcePeak: 1000, targetPeak: 203)
    // The knee is at 88 cd/m².
    for light in [0.001, 1, 26, 65, 87] { #expect(eetf.map(light) == light) }
    #expect(eetf.map(90) < 90)
    let brighter = BT2390EETF(sourcePeak: 1000, targetPeak: 1500)
    for light in [0.5, 203, 1000] { #expect(brighter.map(light) == light) }
    let lifted = BT2390EETF(sourcePeak: 1000, targetPeak: 203, targetBlack: 0.1)
    #expect(abs(lifted.map(0) - 0.1) < 1e-6)
  }

  private func signal(_ luminance: Double) -> Double { signedPower(luminance / 203, 1 / 2.4) }

  /// The spline does what its documentation claims. Skin has about 51 cd/m², the light of a signal
  /// of 50 % HLG (BT.2446-1, 6.1.4).
  @Test func splineHoldsMidtonesAndKeepsHighlights() {
    let curve = SplineToneCurve(sourcePeak: 1000, targetPeak: 203)
    #expect(abs(curve.knee - 111.65) < 1e-9)
    for light in [0.01, 1, 10, 26, 51, 65, 85, 110, 111.65] { #expect(curve.map(light) == light) }
    #expect(abs(signal(curve.knee) - 0.780) < 0.0005)
    #expect(abs(signal(curve.map(203)) - 0.900) < 0.0005)
    #expect(abs(1 - signal(curve.map(400)) - 0.040) < 0.0005)
    #expect(abs(1 - signal(curve.map(600)) - 0.019) < 0.0005)
    #expect(curve.map(1000) == 203)
    let eetf = BT2390EETF(sourcePeak: 1000, targetPeak: 203)
    #expect(abs(signal(eetf.map(203)) - 0.903) < 0.0005)
    #expect(abs(1 - signal(eetf.map(400)) - 0.020) < 0.0005)
    #expect(abs(1 - signal(eetf.map(600)) - 0.003) < 0.0005)
  }

  /// The slope in logarithms is 1 at the knee, falls all the way and is above 0 at the peak.
  @Test(arguments: [(1000.0, 203.0), (4000, 203), (10_000, 600), (300, 203)])
  func splineIsSmooth(source: Double, target: Double) {
    let curve = SplineToneCurve(sourcePeak: source, targetPeak: target)
    let start = naturalLogarithm(curve.knee) - 0.01
    let step = (naturalLogarithm(source) - start) / 2000
    let slopes = (0..<2000).map { index in
      let low = exponential(start + Double(index) * step)
      return naturalLogarithm(curve.map(low * exponential(step)) / curve.map(low)) / step
    }
    #expect(abs(slopes[0] - 1) < 1e-9)
    let mean = naturalLogarithm(target / curve.knee) / naturalLogarithm(source / curve.knee)
    #expect(abs((slopes.last ?? 0) - mean * mean) < 0.001)
    let steps = zip(slopes, slopes.dropFirst())
    #expect(steps.allSatisfy { $1 <= $0 + 1e-7 && $0 - $1 < 0.01 })
  }
}

/// The curve that is fitted to highlights keeps midtones and is smooth.
@Suite struct FittedToneCurveTests {
  private static func code(_ light: Double, _ curve: FittedToneCurve) -> Double {
    219 * signedPower(curve.map(light) / 203, 1 / 2.4)
  }

  /// Diffuse white gets the share of the signal that was asked for, and light up to the knee does
  /// not change. A lower white leaves more codes to the highlights.
  @Test(arguments: [1000.0, 4000, 10_000])
  func whiteIsWhereItWasAskedFor(peak: Double) {
    var room = 0.0
    for white in [0.87, 0.84, 0.8, 0.76] {
      let curve = FittedToneCurve(
        sourcePeak: peak, targetPeak: 203, shoulder: 900, white: white)
      #expect(abs(Self.code(203, curve) / 219 - white) < 1e-6)
      for light in [1, 26, 51, curve.knee] { #expect(curve.map(light) == light) }
      let codes = Self.code(900, curve) - Self.code(203, curve)
      #expect(codes > room + 3, "white at \(white)")
      room = codes
      #expect(curve.map(peak) == 203)
    }
  }

  /// If the shoulder is below the luminance of the sun, highlights below the shoulder keep more of
  /// their contrast.
  @Test func theSunTakesNoRoom() {
    func contrast(shoulder: Double) -> Double {
      let curve = FittedToneCurve(
        sourcePeak: 4000, targetPeak: 203, shoulder: shoulder, white: 0.8)
      return Self.code(800, curve) - Self.code(300, curve)
    }
    #expect(contrast(shoulder: 900) > 1.25 * contrast(shoulder: 4000))
  }

  /// The curve rises smoothly, its slope in logarithms never exceeds 1, and it does not change
  /// light below its knee.
  @Test(arguments: [150.0, 204, 250, 300, 600, 1000, 4000, 10_000], [0.76, 0.8, 0.88])
  func curveIsSmooth(peak: Double, white: Double) {
    for shoulder in [203, 400, 900, peak] {
      let curve = FittedToneCurve(
        sourcePeak: peak, targetPeak: 203, shoulder: shoulder, white: white)
      #expect(curve.map(curve.knee * 0.99) == curve.knee * 0.99)
      guard peak > 203 else { return }
      #expect(curve.map(peak) == 203)
      let step = naturalLogarithm(peak / curve.knee) / 4000
      let slopes = (0..<4000).map { index in
        let low = curve.knee * exponential(Double(index) * step)
        return naturalLogarithm(curve.map(low * exponential(step)) / curve.map(low)) / step
      }
      #expect(slopes.allSatisfy { $0 > 0 && $0 <= 1 + 1e-6 }, "shoulder \(shoulder)")
      // Neither brightness nor contrast has a step.
      #expect(zip(slopes, slopes.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
    }
  }

  /// If white moves by 0.4 of an 8-bit code value, no gray moves by more than 0.55.
  @Test(arguments: [1000.0, 2500, 10_000]) func graysMoveWithWhite(peak: Double) {
    func codes(_ white: Double) -> [Double] {
      let curve = FittedToneCurve(sourcePeak: peak, targetPeak: 203, shoulder: 800, white: white)
      return [50.0, 75, 100, 110, 150, 203, 300, 500, 800].map { Self.code($0, curve) }
    }
    for white in stride(from: 0.76, to: 0.88, by: 0.005) {
      let moved = zip(codes(white), codes(white + 0.4 / 219)).map { abs($0 - $1) }
      #expect(moved.allSatisfy { $0 <= 0.55 }, "\(white): \(moved)")
    }
  }
}
