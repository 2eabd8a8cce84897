// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import ColorScience

@Suite struct ToneMapTests {
  private static let spline = SplineToneCurve(sourcePeak: 1000, targetPeak: 203)

  /// The values of I, Ct and Cp (BT.2100, PQ) were computed with colour-science 0.4.7.
  @Test(arguments: [
    (Triple(203, 203, 203), Triple(0.580688881, 0, 0)),
    (
      Triple(84.298588, 51.503432, 30.587343), Triple(0.4561093838, -0.0545519649, 0.0709355153)
    ),
    (
      Triple(401.073675, 16.923768, 5.620188), Triple(0.5252170641, -0.1236890599, 0.3673791819)
    ),
  ])
  func ictcp(light: Triple, expected: Triple) throws {
    let conversion = ICtCpLight(space: try #require(RGBSpace(.bt2020)))
    let signal = conversion.signal(of: light)
    for index in 0..<3 { #expect(abs(signal[index] - expected[index]) < 1e-8) }
    let back = conversion.light(of: signal)
    for index in 0..<3 { #expect(abs(back[index] - light[index]) < 1e-6) }
  }

  /// BT.2390's EETF is applied to I of ICtCp, and chroma is scaled as BT.2390 says. The values were
  /// computed with colour-science 0.4.7.
  @Test(arguments: [
    (Triple(203, 203, 203), Triple(repeating: 159.0418654595)),
    (Triple(84.298588, 51.503432, 30.587343), Triple(84.298588, 51.503432, 30.587343)),
    (
      Triple(401.073675, 16.923768, 5.620188), Triple(386.5565421614, 16.8330006597, 5.5603558159)
    ),
  ])
  func bt2390OnIntensity(light: Triple, expected: Triple) throws {
    let eetf = BT2390EETF(sourcePeak: 1000, targetPeak: 203)
    let map = ToneMap(eetf, norm: .ictcp, space: try #require(RGBSpace(.bt2020)))
    let result = map.map(light)
    for index in 0..<3 { #expect(abs(result[index] - expected[index]) < 1e-5) }
  }

  @Test(arguments: ToneNorm.allCases) func neutralsFollowTheCurve(norm: ToneNorm) throws {
    let map = ToneMap(Self.spline, norm: norm, space: try #require(RGBSpace(.bt2020)))
    #expect(map.map(.zero).max() < 1e-6)
    for light in [0.1, 5, 50, 111, 203, 400, 1000] {
      let result = map.map(Triple(repeating: light))
      let expected = Self.spline.map(light)
      for index in 0..<3 { #expect(abs(result[index] - expected) < 1e-9 * (light + 1000)) }
    }
  }

  /// The gain norms keep the ratios of R, G and B; maxRGB keeps results within the range, and the
  /// blend exceeds it by at most 60 %.
  @Test func normsKeepRatiosAndTheirBounds() throws {
    let space = try #require(RGBSpace(.bt2020))
    let maps = ToneNorm.allCases.map { ToneMap(Self.spline, norm: $0, space: space) }
    var random = SeededGenerator(seed: 11)
    var worst: [ToneNorm: Double] = [:]
    for _ in 0..<3000 {
      let light = Triple(
        .random(in: 0...1000, using: &random), .random(in: 0...1000, using: &random),
        .random(in: 0...1000, using: &random))
      for map in maps {
        let result = map.map(light)
        worst[map.norm] = max(worst[map.norm] ?? 0, result.max())
        guard let norm = map.norm.value(of: light, weights: map.weights) else { continue }
        let expected = light * map.gain(norm: norm)
        #expect(abs((result - expected).max()) < 1e-9)
        #expect(map.gain(norm: norm) <= 1)
      }
    }
    #expect(try #require(worst[.maxRGB]) <= 203 + 1e-9)
    #expect(try #require(worst[.blend]) <= 203 * 1.6)
    #expect(try #require(worst[.luminance]) > 203 * 1.9)
  }

  /// Bright skin (luminance 106 cd/m²) does not change with the norms luminance and ICtCp, and
  /// changes by less than 1 % with the blend. With the blend, a vivid red stays as saturated as
  /// with maxRGB, and a bright pastel stays brighter than with maxRGB.
  @Test func skinAndReds() throws {
    let space = try #require(RGBSpace(.bt2020))
    func map(_ norm: ToneNorm, _ light: Triple) -> Triple {
      ToneMap(Self.spline, norm: norm, space: space).map(light)
    }
    let skin = Triple(150, 93, 58)
    #expect(map(.luminance, skin) == skin)
    #expect(abs((map(.ictcp, skin) - skin).max()) < 1e-6)
    #expect(map(.blend, skin).x > 0.99 * skin.x)
    #expect(map(.maxRGB, skin).x < 0.95 * skin.x)
    let vivid = Triple(765, 0, 0)
    #expect(map(.blend, vivid) == map(.maxRGB, vivid))
    let pastel = Triple(600, 400, 350)
    #expect(map(.blend, pastel).x > 1.2 * map(.maxRGB, pastel).x)
  }

  @Test func containsAnything() throws {
    let space = try #require(RGBSpace(.bt2020))
    let strange = [
      Triple(.nan, 1, 2), Triple(.infinity, 0, 0), Triple(-.infinity, .infinity, .nan),
      Triple(-5, -5, -5), Triple(1e300, 1e300, 1e300), Triple(-1, 100, 1e-300),
    ]
    let maps = ToneCurveTests.curves.flatMap { curve in
      ToneNorm.allCases.map { ToneMap(curve, norm: $0, space: space) }
    }
    for map in maps {
      for color in strange {
        let result = map.map(color)
        #expect(result.x.isFinite && result.y.isFinite && result.z.isFinite)
      }
      #expect(map.gain(norm: .nan).isFinite && map.gain(norm: .infinity) == 0)
      #expect(map.gain(norm: 0) > 0)
    }
  }
}
