// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
@testable import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

@Suite struct LightMeterTests {
  private static let hlg = FrameDescription(
    signal: SignalDescription(color: .hlg, videoFullRangeFlag: false), format: .yuv420p10)

  /// A pixel's number by BT.2100, in double precision: the largest component of the display's light
  /// at 1000 cd/m² as a signal of PQ.
  private static func definition(_ y: Int, _ cb: Int, _ cr: Int) -> Double {
    let (luma, blue, red) = (
      Double(y - 64) / 876, Double(cb - 512) / 896, Double(cr - 512) / 896
    )
    let (r, b) = (luma + 1.4746 * red, luma + 1.8814 * blue)
    let g = (luma - 0.2627 * r - 0.0593 * b) / 0.678
    let light = Triple(r, g, b).componentwise { HLG.inverseOETF(min(max($0, 0), 1)) }
    let luminance = (light * Triple(0.2627, 0.678, 0.0593)).sum()
    guard luminance > 0 else { return 0 }
    return PQ.inverseEOTF(1000 * signedPower(luminance, 0.2) * light.max())
  }

  /// Random pictures of odd sizes, parts of them, and what the definition says.
  @Test(arguments: [(16, 8), (61, 33), (130, 5)])
  func levelsAreThoseOfTheDefinition(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    let numbers = (0..<3).map { plane in
      (0..<height).map { _ in
        (0..<width).map { _ in
          plane == 0
            ? Int.random(in: 64...940, using: &random) : .random(in: 420...604, using: &random)
        }
      }
    }
    let picture = Pictures.make(.yuv420p10, width, height) { numbers[$0][$2][$1] }
    let meter = try #require(LightMeter(Self.hlg, width: width))
    for (columns, lines) in [(0..<width, 0..<height), (3..<width - 2, 1..<height - 1)] {
      let levels = meter.measure(picture, columns: columns, lines: lines)
      let expected = lines.flatMap { line in
        columns.map { column in
          Self.definition(
            numbers[0][line][column], numbers[1][line / 2][column / 2],
            numbers[2][line / 2][column / 2])
        }
      }
      // A tenth of a step of 12 bits.
      let mean = expected.reduce(0, +) / Double(expected.count)
      #expect(abs(levels.minimum - (expected.min() ?? -1)) < 0.1 / 4095)
      #expect(abs(levels.maximum - (expected.max() ?? -1)) < 0.1 / 4095)
      #expect(abs(levels.mean - mean) < 0.1 / 4095)
    }
  }

  /// Black bars of the same width are none of the picture: beside it, above and below it. A black
  /// room is.
  @Test func barsAreNotCounted() throws {
    func total(_ width: Int, _ height: Int, _ isLit: @escaping (Int, Int) -> Bool) throws -> Int {
      let picture = Pictures.make(.yuv420p10, width, height) { plane, x, y in
        plane == 0 ? isLit(x, y) ? 700 : 64 : 512
      }
      let meter = try #require(LightMeter(Self.hlg, width: width))
      return meter.histogram(of: picture, step: 2, white: 0.6).total
    }
    #expect(try total(40, 20) { _, _ in true } == 400)
    #expect(try total(100, 20) { x, _ in (30..<70).contains(x) } == 400)
    #expect(try total(40, 60) { _, y in (20..<40).contains(y) } == 400)
    #expect(try total(40, 20) { x, _ in x < 10 } == 400)
  }

  /// HLG's white is 1000 cd/m², what is above it too, and 75 % of it 203 (BT.2408, table 1), 58 %
  /// of PQ.
  @Test func grays() throws {
    let meter = try #require(LightMeter(Self.hlg, width: 32))
    for (code, signal, tolerance) in [
      (1019, 0.7518, 0.0002), (940, 0.7518, 0.0002), (721, 0.581, 0.001), (64, 0, 0.0002),
    ] {
      let gray = Pictures.make(.yuv420p10, 32, 4) { plane, _, _ in plane == 0 ? code : 512 }
      let levels = meter.measure(gray, columns: 0..<32, lines: 0..<4)
      #expect(abs(levels.mean - signal) < tolerance)
      #expect(levels.maximum == levels.minimum)
    }
  }

  /// PQ's light of published signals: 100 and 10 000 cd/m² (SMPTE ST 2084, annex A: 0.5081 and 1),
  /// and 203 at 58 % (BT.2408, table 1); HLG's 75 % is 203 on a display of 1000 cd/m² and 101 on
  /// one of 400 (BT.2408, 2.2; BT.2100, note 5f).
  @Test(arguments: [
    (ColorDescription.pq, 1000.0, 509, 100.0, 0.5), (.pq, 1000, 940, 10_000, 0.2),
    (.pq, 1000, 572, 203, 2), (.hlg, 1000, 721, 203, 0.6), (.hlg, 400, 721, 101, 0.5),
    (.hlg, 1000, 940, 1000, 0.02), (.pq, 1000, 64, 0, 1e-4),
  ])
  func luminance(
    color: ColorDescription, peak: Double, code: Int, expected: Double, tolerance: Double
  ) throws {
    let description = FrameDescription(
      signal: SignalDescription(color: color, videoFullRangeFlag: false), format: .yuv420p10)
    let meter = try #require(
      LightMeter(description, width: 32, peakLuminance: peak, scale: .luminance))
    let gray = Pictures.make(.yuv420p10, 32, 4) { plane, _, _ in plane == 0 ? code : 512 }
    let levels = meter.measure(gray, columns: 0..<32, lines: 0..<4)
    #expect(abs(levels.maximum - expected) < tolerance, "\(levels)")
    #expect(abs(levels.mean - expected) < tolerance)
  }

  /// SDR has no light in cd/m², and constant luminance is nothing that a matrix can undo.
  @Test func whatCannotBeMeasured() {
    for color in [
      ColorDescription.bt709,
      ColorDescription(.bt2020, .pq, .bt2020Constant), ColorDescription(.bt2020, .pq, .iCtCp),
    ] {
      let description = FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: .yuv420p10)
      #expect(LightMeter(description, width: 32) == nil)
    }
  }
}
