// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// `highlightDetail` keeps the local contrast of highlights.
@Suite struct HighlightDetailTests {
  private static let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
  private static let (width, height) = (192, 96)

  private static func plan(_ detail: Double) throws -> ConversionPlan {
    var options = ConversionOptions()
    (options.dither, options.highlightDetail, options.sourcePeak) = (.none, detail, 1000)
    let (source, target) = (ColorDescription.pq, ColorDescription.bt709)
    let descriptions = [source, target].map {
      FrameDescription(
        signal: SignalDescription(color: $0, videoFullRangeFlag: false), format: format)
    }
    return try ConversionPlan(from: descriptions[0], to: descriptions[1], options: options)
  }

  /// Makes a gray frame from the luminance of each pixel in cd/m².
  private static func picture(_ light: (_ x: Int, _ y: Int) -> Double) -> PixelBuffer {
    Pictures.make(format, width, height) { plane, x, y in
      plane == 0 ? 64 + Int((PQ.inverseEOTF(light(x, y)) * 876).rounded()) : 512
    }
  }

  private static func luma(_ picture: PixelBuffer, _ detail: Double) throws -> [[Int]] {
    let converter = FrameConverter(plan: try plan(detail), width: width, height: height)
    return Pictures.samples(converter.convert(picture), plane: 0)
  }

  /// Returns the largest luminance of a row divided by the smallest, on a BT.1886 display.
  private static func contrast(_ row: ArraySlice<Int>) -> Double {
    func light(_ code: Int) -> Double { BT1886(whiteLuminance: 1).eotf(Double(code - 64) / 876) }
    return light(row.max() ?? 64) / light(row.min() ?? 64)
  }

  /// Ripples on a bright wall stay visible. In HDR, their contrast is 1.2.
  @Test func ripplesOfABrightWallStay() throws {
    let wall = Self.picture { x, _ in 500 * ((x / 3).isMultiple(of: 2) ? 1.095 : 1 / 1.095) }
    let middle = 80..<112
    let contrasts = try [0, 0.5, 1].map { Self.contrast(try Self.luma(wall, $0)[48][middle]) }
    #expect(contrasts[0] < 1.1)
    #expect(contrasts[2] > 1.13 && contrasts[2] <= 1.2)
    #expect(contrasts[1] > contrasts[0] + 0.02 && contrasts[1] < contrasts[2] - 0.02)
  }

  /// There is no halo at the edge between a window and the wall around it. Except for the two
  /// pixels on each side of the edge, no signal changes by more than 1 % of its range.
  @Test(arguments: [60.0, 90, 100, 150]) func edgesHaveNoHalo(wall: Double) throws {
    let room = Self.picture { x, y in
      (64..<128).contains(x) && (24..<72).contains(y) ? 800 : wall
    }
    let (plain, detailed) = (try Self.luma(room, 0), try Self.luma(room, 1))
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let isAtEdge =
          [64, 128].contains { abs(2 * x + 1 - 2 * $0) < 4 }
          || [24, 72].contains { abs(2 * y + 1 - 2 * $0) < 4 }
        let difference = abs(plain[y][x] - detailed[y][x])
        #expect(difference <= (isAtEdge ? 24 : 8), "\(x), \(y): \(difference)")
      }
    }
  }

  /// Pixels up to the knee of the curve never change, even beside bright pixels.
  @Test func midtonesStay() throws {
    let ramp = Self.picture { x, y in y.isMultiple(of: 2) ? 300 : 0.5 * Double(x) }
    let (plain, detailed) = (try Self.luma(ramp, 0), try Self.luma(ramp, 1))
    for y in stride(from: 1, to: Self.height, by: 2) { #expect(plain[y] == detailed[y]) }
    #expect(plain != detailed)
  }

  /// However bright the light is, nothing becomes brighter than white.
  @Test func nothingLeavesTheRange() throws {
    let sparks = Self.picture { x, y in (x + y).isMultiple(of: 7) ? 10_000 : 350 }
    let luma = try Self.luma(sparks, 1)
    #expect(luma.joined().max() == 940)
  }

  /// Pixels agree with the filter's definition, which is computed in double precision for each
  /// pixel separately.
  @Test func pixelsAreAsTheFilterIsDefined() throws {
    func light(_ x: Int, _ y: Int) -> Double {
      let texture = 1 + 0.1 * Double((x * 7 + y * 13) % 11) / 11
      return (x < 70 ? 60 : x < 130 ? 250 : 700) * texture
    }
    let source = Self.picture(light)
    let plan = try Self.plan(0.7)
    let converted = FrameConverter(plan: plan, width: Self.width, height: Self.height)
      .convert(source)
    let luma = Pictures.samples(converted, plane: 0)
    let codes = Pictures.samples(source, plane: 0)
    let tone = try #require(plan.toneMap)
    let curve = try #require(plan.toneCurve)
    let filter = GuidedFilter(codes.map { $0.map { PQ.eotf(Double($0 - 64) / 876) } }, curve.knee)
    for (x, y) in [(3, 2), (60, 40), (75, 50), (100, 11), (128, 60), (150, 95), (191, 0)] {
      let gray = Triple(repeating: PQ.eotf(Double(codes[y][x] - 64) / 876))
      let shown = tone.map(gray, filter.shift(x, y, 0.7)) / 203
      let wanted = 64 + 876 * BT1886(whiteLuminance: 1).inverseEOTF(shown.x)
      #expect(abs(Double(luma[y][x]) - wanted) <= 0.6, "\(x), \(y)")
    }
  }
}

/// A guided filter over cells of 2 × 2 pixels and windows of 9 × 9 cells.
private struct GuidedFilter {
  private let light: [[Double]]
  private let least: Double
  private let columns: Int
  private let rows: Int

  init(_ light: [[Double]], _ knee: Double) {
    (self.light, least) = (light, knee * knee)
    (columns, rows) = (light[0].count / 2, light.count / 2)
  }

  private func window(_ column: Int, _ row: Int) -> [(column: Int, row: Int)] {
    (max(row - 4, 0)...min(row + 4, rows - 1)).flatMap { row in
      (max(column - 4, 0)...min(column + 4, columns - 1)).map { ($0, row) }
    }
  }

  /// Returns the filter's a and b for one window.
  private func numbers(_ column: Int, _ row: Int) -> (a: Double, b: Double) {
    let pixels = window(column, row).flatMap { cell in
      [(0, 0), (1, 0), (0, 1), (1, 1)].map { light[2 * cell.row + $0.1][2 * cell.column + $0.0] }
    }
    let mean = pixels.reduce(0, +) / Double(pixels.count)
    let variance = pixels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(pixels.count)
    let texture = 0.02 * max(mean * mean, least)
    let a = variance * variance / (variance * variance + texture * texture)
    return (a, (1 - a) * mean)
  }

  /// Returns the mean a and b of all windows that contain a cell.
  private func cell(_ column: Int, _ row: Int) -> (a: Double, b: Double) {
    let all = window(min(max(column, 0), columns - 1), min(max(row, 0), rows - 1))
      .map { numbers($0.column, $0.row) }
    let count = Double(all.count)
    return (all.reduce(0) { $0 + $1.a } / count, all.reduce(0) { $0 + $1.b } / count)
  }

  /// Returns the shift for a pixel, interpolated between the centers of four cells.
  func shift(_ x: Int, _ y: Int, _ detail: Double) -> NormShift {
    let (left, top) = ((x + 1) / 2 - 1, (y + 1) / 2 - 1)
    let (across, down) = (x.isMultiple(of: 2) ? 0.75 : 0.25, y.isMultiple(of: 2) ? 0.75 : 0.25)
    var (a, b) = (0.0, 0.0)
    for (column, row, weight) in [
      (left, top, (1 - across) * (1 - down)), (left + 1, top, across * (1 - down)),
      (left, top + 1, (1 - across) * down), (left + 1, top + 1, across * down),
    ] {
      let numbers = cell(column, row)
      a += weight * numbers.a
      b += weight * numbers.b
    }
    return NormShift(slope: detail * (a - 1), offset: detail * b)
  }
}
