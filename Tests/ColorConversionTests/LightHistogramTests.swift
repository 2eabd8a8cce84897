// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import TestSupport
import Testing

@testable import ColorConversion

/// A histogram counts the pixels of each brightness, so that tone curves can be fitted to a frame's
/// light.
@Suite struct LightHistogramTests {
  private static func histogram(_ lights: [Double]) -> LightHistogram {
    var histogram = LightHistogram()
    for light in lights { histogram.add(bin: LightHistogram.bin(of: Float(PQ.inverseEOTF(light)))) }
    return histogram
  }

  private static func share(_ lights: [Double]) -> Double {
    histogram(lights).share(above: PQ.inverseEOTF(203), wholly: PQ.inverseEOTF(1.25 * 203))
  }

  /// Diffuse white with grain hardly counts as a highlight, but light twice as bright does. In
  /// between, the share of highlights rises without jumps.
  @Test func shares() {
    let grain = (0..<1000).map { 203 * (1 + 0.02 * Double($0 - 500) / 500) }
    #expect(Self.share(grain) < 0.05)
    #expect(Self.share([Double](repeating: 203, count: 1000)) < 0.03)
    #expect(Self.share([100, 100, 100, 406]) == 0.25)
    let rising = stride(from: 150.0, to: 300, by: 1).map { Self.share([$0]) }
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 0.1 })
    #expect(rising.first == 0 && rising.last == 1)
    #expect(Self.share([]) == 0)
  }

  /// One in 20 000 pixels may be brighter than the peak. Bins are about 2 % wide.
  @Test func peaks() {
    var lights = [Double](repeating: 100, count: 100_000)
    for index in 0..<4 { lights[index] = 9000 }
    #expect((100...102).contains(PQ.eotf(Self.histogram(lights).peak)))
    for index in 0..<10 { lights[index] = 4000 }
    #expect((4000...4120).contains(PQ.eotf(Self.histogram(lights).peak)))
    #expect(Self.histogram([]).peak == 0)
    #expect(Self.histogram([20_000]).peak == 1)
  }

  @Test func distances() {
    let (dark, bright) = (Self.histogram([1, 2, 3, 4]), Self.histogram([500, 600, 700]))
    #expect(dark.distance(to: dark) == 0)
    #expect(dark.distance(to: bright) == 1 && bright.distance(to: dark) == 1)
    #expect(abs(dark.distance(to: Self.histogram([1, 2, 3, 500])) - 0.25) < 1e-12)
  }
}
