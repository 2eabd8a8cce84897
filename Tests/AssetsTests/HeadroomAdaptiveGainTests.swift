// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import NALUnits
import Testing

@testable import Assets

/// Payloads of ST 2094-50 mean what libsmpte2094-50 says: they are compared with the figures in its
/// tests, and with the formulas of its reference renderer.
@Suite struct HeadroomAdaptiveGainTests {
  private func toneMap(_ body: [UInt8]) throws -> HeadroomAdaptiveToneMap {
    let value = HeadroomAdaptiveGain(payload: HeadroomAdaptiveGainMetadata.prefix + body)
    return try #require(value.metadata?.toneMap?.toneMap)
  }

  /// The points of the two curves that the shortest payload stands for. They are from
  /// `base_test.cc` of libsmpte2094-50, which credits them to hdrscope.
  private static let referenceWhite: [[(Double, Double, Double)]] = [
    [
      (1, -0.82291, 0), (1.18363, -0.8795, -0.46552), (1.44891, -1.0167, -0.53445),
      (1.79583, -1.19658, -0.49583), (2.22441, -1.39531, -0.43254),
      (2.73462, -1.59948, -0.37056), (3.32649, -1.80214, -0.31706), (4, -2, -0.27288),
    ],
    [
      (1, 0, 0), (1.27549, -0.03869, -0.22983), (1.60201, -0.12702, -0.2943),
      (1.97956, -0.24036, -0.30047), (2.40813, -0.36637, -0.28607),
      (2.88772, -0.49863, -0.26543), (3.41835, -0.6337, -0.24415), (4, -0.76977, -0.22434),
    ],
  ]

  @Test func fiveBytesAreTwoCurves() throws {
    let map = try toneMap([0x00, 0x40, 0x4E, 0x20, 0x80])
    #expect(map.space == .bt2020 && map.baselineHeadroom == 2)
    let headrooms = map.alternates.map(\.headroom)
    #expect(zip(headrooms, [0, 1.23023]).allSatisfy { abs($0 - $1) < 1e-5 }, "\(headrooms)")
    #expect(map.alternates.count == 2)
    for (alternate, expected) in zip(map.alternates, Self.referenceWhite) {
      #expect(alternate.mix == .maximum && alternate.curve.points.count == 8)
      for (point, (x, y, slope)) in zip(alternate.curve.points, expected) {
        #expect(abs(point.x - x) < 1e-5 && abs(point.y - y) < 1e-5, "\(point)")
        #expect(abs(point.slope - slope) < 1e-5, "\(point)")
      }
    }
  }

  /// Without headroom there is nothing to adapt.
  @Test func noHeadroomNoCurve() throws {
    let map = try toneMap([0x00, 0x40, 0, 0, 0x80])
    #expect(map.alternates.isEmpty)
    #expect(map.map(Triple(0.5, 1, 4), headroom: 3) == Triple(0.5, 1, 4))
  }

  /// The frame's peak becomes the display's peak, and all light below the knee gets the same gain.
  @Test(arguments: [0, 1.23023]) func peakBecomesPeak(headroom: Double) throws {
    let map = try toneMap([0x00, 0x40, 0x4E, 0x20, 0x80])
    let white = map.map(Triple(repeating: 4), headroom: headroom)
    #expect(abs(white.x - [0: 1, 1.23023: 2.34604][headroom, default: 0]) < 2e-5, "\(white)")
    let beyond = map.map(Triple(repeating: 40), headroom: headroom)
    #expect(abs(beyond.x - white.x) < 1e-4)
    let dark = map.gains(of: Triple(0.1, 0.2, 0.05), headroom: headroom)
    #expect(dark == map.gains(of: Triple(repeating: 1), headroom: headroom))
    // On a display with the frame's own headroom or more, nothing changes.
    #expect(map.map(Triple(0.3, 2, 4), headroom: 2) == Triple(0.3, 2, 4))
    #expect(map.map(Triple(0.3, 2, 4), headroom: 3) == Triple(0.3, 2, 4))
  }

  /// Gains are interpolated between neighboring alternates. The test looks halfway between SDR and
  /// the second alternate, and halfway between that alternate and the frame's own headroom.
  @Test func gainsAreInterpolated() throws {
    let map = try toneMap([0x00, 0x40, 0x4E, 0x20, 0x80])
    let color = Triple(1.44891, 0.2, 0.7)
    func gain(_ headroom: Double) -> Double { map.gains(of: color, headroom: headroom).x }
    let second = map.alternates[1].headroom
    #expect(abs(gain(second / 2) - (gain(0) + gain(second)) / 2) < 1e-12)
    #expect(abs(gain((second + 2) / 2) - gain(second) / 2) < 1e-12)
    #expect(abs(gain(0) + 1.0167) < 1e-5)
  }

  @Test func mixingWeighsComponents() throws {
    // The mix is 0.3 R + 0.6 G + 0.1 B + 0.5 C, where C is the component itself. It is divided by
    // the sum of the weights, 1.5, as in `tonemap.rs`.
    let mix = HeadroomAdaptiveToneMap.ComponentMix(
      components: Triple(0.3, 0.6, 0.1), largest: 0, smallest: 0, own: 0.5)
    // The curve is the identity, so the gains show what goes into it.
    let curve = HeadroomAdaptiveToneMap.GainCurve(points: [
      .init(x: 0, y: 0, slope: 1), .init(x: 1, y: 1, slope: 1),
    ])
    let map = HeadroomAdaptiveToneMap(
      space: .bt2020, baselineHeadroom: 0,
      alternates: [.init(headroom: 1, mix: mix, curve: curve)])
    let gains = map.gains(of: Triple(1, 0, 0), headroom: 1)
    #expect(abs(gains.x - 0.8 / 1.5) < 1e-12 && abs(gains.y - 0.2) < 1e-12 && gains.y == gains.z)
  }

  /// If only points are stated, slopes are derived from them as harmonic means (Fritsch and
  /// Butland).
  @Test func derivedSlopes() {
    let curve = HeadroomAdaptiveToneMap.GainCurve(
      through: [(x: 0, y: 0), (x: 1, y: 1), (x: 3, y: 2), (x: 4, y: 0)])
    let slopes = curve.points.map(\.slope)
    let expected = [(4 - 0.5) / 3, 9 * 0.5 / (4 + 5 * 0.5), 0, (-2 * 4 - 0.5) / 3]
    #expect(zip(slopes, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(slopes) \(expected)")
    // Between points that do not fall, the curve does not fall.
    let values = (0...300).map { curve.gain(at: Double($0) / 100) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(HeadroomAdaptiveToneMap.GainCurve(through: [(x: 1, y: -1)]).gain(at: 2) == -2)
  }

  /// If metadata has a later version, it is kept unchanged, and the version is reported.
  @Test func laterVersions() {
    let value = HeadroomAdaptiveGain(
      payload: HeadroomAdaptiveGainMetadata.prefix + [0x20, 0x40, 0x4E, 0x20, 0x80])
    #expect(value.metadata == nil && !value.isReadable && value.isUsable(beside: value))
    #expect(value.damage == .version(1, minimum: 0))
  }
}
