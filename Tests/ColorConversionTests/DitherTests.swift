// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

@Suite struct DitherTests {
  private static func convert(
    _ dither: ConversionOptions.Dither, workers: Int = 2, _ luma: (Int, Int) -> Int
  ) throws -> [[Int]] {
    var options = ConversionOptions()
    options.dither = dither
    func description(_ format: PixelFormat) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: .bt709, videoFullRangeFlag: false), format: format)
    }
    let plan = try ConversionPlan(
      from: description(.yuv420p10), to: description(.yuv420p8), options: options)
    let picture = Pictures.make(.yuv420p10, 128, 128) { plane, x, y in
      plane == 0 ? luma(x, y) : 512
    }
    let result = FrameConverter(
      plan: plan, width: 128, height: 128, instructionSet: .current, workerCount: workers
    ).convert(picture)
    return Pictures.samples(result, plane: 0)
  }

  /// A value midway between two code values becomes the upper code value in half of all pixels.
  @Test(arguments: [ConversionOptions.Dither.ordered, .errorDiffusion])
  func theAverageStays(dither: ConversionOptions.Dither) throws {
    let values = try Self.convert(dither) { _, _ in 402 }.joined().map(Double.init)
    #expect(Set(values) == [100, 101])
    #expect(abs(values.reduce(0, +) / Double(values.count) - 100.5) < 0.005)
  }

  /// Error diffusion keeps any average. The ordered pattern would be too weak for a quarter of a
  /// code value.
  @Test func errorDiffusionKeepsQuarters() throws {
    let values = try Self.convert(.errorDiffusion) { _, _ in 401 }.joined().map(Double.init)
    #expect(abs(values.reduce(0, +) / Double(values.count) - 100.25) < 0.005)
  }

  @Test(arguments: [ConversionOptions.Dither.none, .ordered, .errorDiffusion])
  func wholeCodeValuesStay(dither: ConversionOptions.Dither) throws {
    let values = try Self.convert(dither) { x, _ in 64 + x / 4 * 4 }
    let expected = (0..<128).map { 16 + $0 / 4 }
    #expect(values.allSatisfy { $0 == expected })
  }

  /// Blue noise has no clusters: next to an upper value, there is a lower one. So sums over small
  /// squares hardly differ. With plain random noise, their standard deviation would be 2.
  @Test func orderedNoiseIsFine() throws {
    let values = try Self.convert(.ordered) { _, _ in 402 }
    var sums: [Double] = []
    for y in stride(from: 0, to: 128, by: 4) {
      for x in stride(from: 0, to: 128, by: 4) {
        sums.append(
          Double((0..<16).map { values[y + $0 / 4][x + $0 % 4] - 100 }.reduce(0, +)))
      }
    }
    let mean = sums.reduce(0, +) / Double(sums.count)
    let variance = sums.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(sums.count)
    #expect(variance.squareRoot() < 1.1)
  }

  /// The pattern is part of the source code, so the result is the same on every machine and with
  /// any number of threads.
  @Test func theResultNeverChanges() throws {
    let values = try Self.convert(.ordered, workers: 3) { x, y in 64 + (x * 5 + y * 3) % 800 }
    let hash = values.joined().reduce(UInt64(14_695_981_039_346_656_037)) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    #expect(hash == 15_345_575_554_949_450_829)
  }
}
