// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Frames are converted to and from half floats, in which shaders get R'G'B' or linear light.
@Suite struct HalfFloatTests {
  private static let linear = ColorDescription(.bt2020, .linear, .bt2020NonConstant)

  private static func convert(
    _ buffer: PixelBuffer, _ from: (ColorDescription, PixelFormat),
    _ to: (ColorDescription, PixelFormat)
  ) throws -> PixelBuffer {
    var options = ConversionOptions()
    options.dither = .none
    func description(_ end: (ColorDescription, PixelFormat)) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: end.0, videoFullRangeFlag: false), format: end.1)
    }
    let plan = try ConversionPlan(from: description(from), to: description(to), options: options)
    return FrameConverter(plan: plan, width: buffer.width, height: buffer.height).convert(buffer)
  }

  private static func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Float16] {
    let plane = buffer.planes[0]
    let row = plane.baseAddress + y * plane.bytesPerRow
    return (0..<4).map { row.load(fromByteOffset: x * 8 + $0 * 2, as: Float16.self) }
  }

  private static func gray(_ code: Int) -> PixelBuffer {
    Pictures.make(.yuv420p10, 16, 8) { plane, _, _ in plane == 0 ? code : 512 }
  }

  /// Diffuse white is 75 % of HLG and 58 % of PQ, or 203 cd/m² (BT.2408, table 1). In linear light,
  /// it is 1, and so is SDR's white. HLG's peak is 1000 cd/m².
  @Test(arguments: [
    (ColorDescription.hlg, 721, 1.0, 0.01), (.hlg, 940, 1000.0 / 203, 0.01),
    (.pq, 572, 1.0, 0.015), (.bt709, 940, 1.0, 0.001), (.bt709, 64, 0, 0),
  ])
  func referenceWhiteIsOne(
    color: ColorDescription, code: Int, light: Double, tolerance: Double
  ) throws {
    let buffer = try Self.convert(
      Self.gray(code), (color, .yuv420p10), (Self.linear, .halfRGBA))
    for component in Self.pixel(buffer, 7, 3).prefix(3) {
      #expect(abs(Double(component) - light) <= tolerance * max(light, 1))
    }
    #expect(Self.pixel(buffer, 7, 3)[3] == 1)
  }

  /// R, G and B stay in order: a red in HLG stays red.
  @Test func componentsAreInOrder() throws {
    let matrix = try #require(YCbCrMatrix(.bt2020NonConstant, primaries: .bt2020))
    let red = matrix.fromRGB * Triple(0.5, 0.25, 0.125)
    let codes = (0..<3).map { component in
      Int(
        Quantization(isChroma: component > 0, isFullRange: false, bitDepth: 10).quantized(
          red[component]))
    }
    let buffer = Pictures.make(.yuv420p10, 16, 8) { plane, _, _ in codes[plane] }
    let result = try Self.convert(buffer, (.hlg, .yuv420p10), (.hlg, .halfRGBA))
    for (component, wanted) in zip(Self.pixel(result, 3, 3), [0.5, 0.25, 0.125]) {
      #expect(abs(Double(component) - wanted) < 0.003)
    }
  }

  /// Conversion to linear light and back changes a 10-bit code value by at most 1.
  @Test(arguments: [ColorDescription.hlg, .pq, .bt709])
  func roundTrip(color: ColorDescription) throws {
    let source = Pictures.make(.yuv420p10, 64, 8) { plane, x, _ in
      plane == 0 ? 64 + x * 13 : 512
    }
    let light = try Self.convert(source, (color, .yuv420p10), (Self.linear, .halfRGBA))
    let back = try Self.convert(light, (Self.linear, .halfRGBA), (color, .yuv420p10))
    let before = Pictures.samples(source, plane: 0)
    let after = Pictures.samples(back, plane: 0)
    for (a, b) in zip(before[4], after[4]) { #expect(abs(a - b) <= 1) }
  }

  @Test func biPlanarRoundTripIsExact() throws {
    let source = Pictures.make(.yuv420p10, 35, 17) { plane, x, y in
      (plane * 331 + x * 29 + y * 7) & 1023
    }
    let packed = try Self.convert(
      source, (.hlg, .yuv420p10), (.hlg, .biPlanar420p10))
    #expect(packed.planes.count == 2)
    let back = try Self.convert(packed, (.hlg, .biPlanar420p10), (.hlg, .yuv420p10))
    for plane in 0..<3 {
      #expect(Pictures.samples(back, plane: plane) == Pictures.samples(source, plane: plane))
    }
  }
}
