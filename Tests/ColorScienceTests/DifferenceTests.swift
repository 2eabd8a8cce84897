// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import Testing

/// Measures of difference agree with values that are known or come from another implementation.
@Suite struct DifferenceTests {
  /// The value is what `delta_E_ITP` of `colour-science` 0.4.7 returns for the example in its
  /// documentation.
  @Test func deltaEITPIsThatOfBT2124() {
    let value = ICtCp.difference(
      Triple(0.4885468072, -0.04739350675, 0.07475401302),
      Triple(0.4899203231, -0.04567508203, 0.07361341775))
    #expect(abs(value - 1.4265722824575673) < 1e-12)
  }

  /// The values come from `colour-science` 0.4.7: from `RGB_to_ICtCp` for light in cd/m², and then
  /// `delta_E_ITP`.
  @Test(arguments: [
    (Triple(100, 100, 100), Triple(101, 101, 101), 0.719268605876975),
    (Triple(203, 50, 10), Triple(180, 60, 12), 27.848812274490218),
    (Triple(1000, 900, 20), Triple(0.5, 0.1, 0.02), 482.14518394845771),
    (Triple(0.01, 0.02, 0.03), Triple(0, 0, 0), 22.148718080731175),
  ])
  func deltaEITPOfLight(first: Triple, second: Triple, expected: Double) {
    #expect(abs(ICtCp.differenceOfLight(first, second) - expected) < 0.001)
    #expect(ICtCp.differenceOfLight(second, first) == ICtCp.differenceOfLight(first, second))
    #expect(ICtCp.differenceOfLight(first, first) == 0)
  }

  @Test func signalToNoise() {
    // One sample of four is off by 2, so the mean of the squares is 1.
    let error = SampleDifference.meanSquaredError([1, 2, 3, 4], [1, 2, 3, 6])
    #expect(error == 1)
    let value = SampleDifference.signalToNoise(meanSquaredError: error, peak: 255)
    #expect(abs(value - 48.1308) < 0.0001)
    #expect(SampleDifference.signalToNoise(meanSquaredError: 0, peak: 255) == .infinity)
  }

  /// Some values of SSIM are known without a computation. The SSIM of a plane and itself is 1. If
  /// flat planes differ, only their means count. A plane that is smaller than a window has no SSIM.
  @Test func similarity() throws {
    let plane = (0..<16 * 12).map { Double($0 * 37 % 200) }
    func value(_ other: [Double]) -> Double? {
      SampleDifference.structuralSimilarity(plane, other, width: 16, height: 12, peak: 255)
    }
    #expect(value(plane) == 1)
    let flat = [Double](repeating: 100, count: 16 * 12)
    let shifted = SampleDifference.structuralSimilarity(
      flat, flat.map { $0 + 50 }, width: 16, height: 12, peak: 255)
    let c1 = 0.01 * 255 * 0.01 * 255
    let means = (2.0 * 100 * 150 + c1) / (100.0 * 100 + 150 * 150 + c1)
    #expect(abs(try #require(shifted) - means) < 1e-12)
    #expect(try #require(value(plane.reversed())) < 0.5)
    #expect(
      SampleDifference.structuralSimilarity([1], [1], width: 1, height: 1, peak: 255) == nil)
  }
}
