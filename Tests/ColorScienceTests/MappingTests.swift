// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import ColorScience

@Suite struct MappingTests {
  /// The curve keeps its promises: black stays, the peak becomes white, nothing leaves the range,
  /// and the middle follows the published formula, x(1 + x/100)/(1 + x) for a peak of ten times
  /// white.
  @Test func reinhard() {
    let curve = ReinhardToneCurve(sourcePeak: 10, targetPeak: 1)
    #expect(curve.map(0) == 0)
    #expect(abs(curve.map(10) - 1) < 1e-12)
    #expect(abs(curve.map(1) - 0.505) < 1e-12)
    var before = 0.0
    for step in 1...1000 {
      let result = curve.map(Double(step) / 100)
      #expect(result > before && result <= 1 + 1e-12)
      before = result
    }
  }

  /// The curve maps the display light of HLG signals to a white of 100 cd/m². The result is
  /// converted to the primaries of BT.709. The values come from colour-science 0.4.7.
  @Test(arguments: [
    (Triple(203.152146, 203.152146, 203.152146), Triple(0.68374652, 0.68374652, 0.68374652)),
    (Triple(84.298588, 51.503432, 30.587343), Triple(0.58811788, 0.26041775, 0.15051998)),
    (Triple(401.073675, 16.923768, 5.620188), Triple(1.36091779, -0.06399125, -0.00559312)),
  ])
  func hlgLightToBT709(light: Triple, expected: Triple) throws {
    let source = try #require(RGBSpace(.bt2020))
    let target = try #require(RGBSpace(.bt709))
    let curve = ReinhardToneCurve(sourcePeak: 1000, targetPeak: 100)
    let mapped = ToneMap(curve, norm: .maxRGB, space: source).map(light) / 100
    let result = source.matrix(to: target) * mapped
    for index in 0..<3 { #expect(abs(result[index] - expected[index]) < 1e-6) }
  }

  @Test func gamutMappingBringsEverythingInsideAndKeepsLuminanceAndHue() throws {
    let space = try #require(RGBSpace(.bt709))
    let weights = space.luminanceWeights
    let mapping = DesaturateGamut(space: space)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<5000 {
      let color = Triple(
        .random(in: -0.3...1.4, using: &random), .random(in: -0.3...1.4, using: &random),
        .random(in: -0.3...1.4, using: &random))
      let result = mapping.map(color)
      #expect(result.min() >= -1e-12 && result.max() <= 1 + 1e-12)
      let luminance = (color * weights).sum()
      guard luminance > 0, luminance < 1 else { continue }
      #expect(abs((result * weights).sum() - luminance) < 1e-9)
      // The result must lie in the same direction from gray as the color.
      let (before, after) = (color - luminance, result - luminance)
      let ratio = after.sum() / before.sum()
      for index in 0..<3 where abs(before.sum()) > 1e-3 {
        #expect(abs(after[index] - before[index] * ratio) < 1e-6)
      }
    }
  }

  @Test func gamutMappingLeavesTheInsideAlone() throws {
    let mapping = DesaturateGamut(space: try #require(RGBSpace(.bt709)))
    let color = Triple(0.7, 0.4, 0.3)
    #expect(mapping.map(color) == color)
  }
}
