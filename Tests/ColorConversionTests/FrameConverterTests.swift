// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

@Suite struct FrameConverterTests {
  private static let full444 = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)

  private static func description(
    _ color: ColorDescription, _ format: PixelFormat, full: Bool? = false,
    location: ChromaLocation? = nil
  ) -> FrameDescription {
    FrameDescription(
      signal: SignalDescription(
        color: color, videoFullRangeFlag: full, chromaLocation: location), format: format)
  }

  static let conversions: [(ColorDescription, ColorDescription)] = [
    (.hlg, .bt709), (.pq, .bt709), (.hlg, .p3D65), (.bt709, .hlg), (.bt709, .pq), (.hlg, .pq),
    (.pq, .hlg), (.bt709, .p3D65), (.bt601With525Lines, .bt709), (.bt601With625Lines, .bt709),
    (.bt2020, .bt709), (.bt709, .bt2020),
    (.bt709, ColorDescription(.bt709, .sRGB, .bt709)),
    (.pq, ColorDescription(.p3D65, .pq, .bt709)), (.hlg, ColorDescription(.p3D65, .hlg, .bt709)),
  ]

  /// Every pixel of random legal colors is within 0.6 code values of the definition, even where
  /// tones and gamut are mapped. Rounding alone can account for 0.5.
  @Test(arguments: conversions)
  func pixelsAreThoseOfTheDefinition(source: ColorDescription, target: ColorDescription) throws {
    var options = ConversionOptions()
    options.dither = .none
    let plan = try ConversionPlan(
      from: Self.description(source, Self.full444), to: Self.description(target, Self.full444),
      options: options)
    let (width, height) = (61, 67)
    let pixels = Self.legalPixels(source, count: width * height)
    let picture = Pictures.make(Self.full444, width, height) { plane, x, y in
      Int(pixels[y * width + x][plane])
    }
    let result = FrameConverter(plan: plan, width: width, height: height).convert(picture)
    let planes = (0..<3).map { Pictures.samples(result, plane: $0) }
    var worst = 0.0
    var worstPixel = ""
    for (index, pixel) in pixels.enumerated() {
      let expected = try Definition.convert(
        pixel, from: source, to: target, sourceDepth: 10, targetDepth: 10)
      for plane in 0..<3 {
        let code = Double(planes[plane][index / width][index % width])
        if abs(code - expected[plane]) > worst {
          worst = abs(code - expected[plane])
          worstPixel = "\(pixel) becomes \(code), not \(expected[plane]) in plane \(plane)"
        }
      }
    }
    #expect(worst < 0.6, "\(worst): \(worstPixel)")
    #expect(result.attachments.signal.color == target)
  }

  /// Returns code values of R'G'B' colors between black and white, including grays, primaries and
  /// ramps.
  private static func legalPixels(_ color: ColorDescription, count: Int) -> [Triple] {
    var random = SeededGenerator(seed: 42)
    let matrix = YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries)!
    return (0..<count).map { index in
      var rgb = Triple(
        .random(in: 0...1, using: &random), .random(in: 0...1, using: &random),
        .random(in: 0...1, using: &random))
      if index % 4 == 0 { rgb = Triple(repeating: Double(index) / Double(count)) }
      if index % 7 == 0 { rgb *= rgb * rgb }
      if index % 11 == 0 { rgb = Triple(index % 2 == 0 ? 1 : 0, index % 3 == 0 ? 1 : 0, 1) }
      let components = matrix.fromRGB * rgb
      var codes = Triple.zero
      for plane in 0..<3 {
        codes[plane] = Quantization(isChroma: plane > 0, isFullRange: false, bitDepth: 10)
          .quantized(components[plane])
      }
      return codes
    }
  }

  /// Users who convert clips of phones complain that diffuse white turns too gray or clips. Here,
  /// HLG's diffuse white, a signal of 75 % or 203 cd/m² (BT.2408, table 1), becomes a signal of
  /// 90.0 %: code 213 of 8 bits. A gray of 18 % of that luminance, 36.5 cd/m², keeps its luminance:
  /// its signal is 48.9 %, code 123.
  @Test func diffuseWhiteBecomesABrightGray() throws {
    var options = ConversionOptions()
    options.dither = .none
    let plan = try ConversionPlan(
      from: Self.description(.hlg, .yuv420p10), to: Self.description(.bt709, .yuv420p8),
      options: options)
    let converter = FrameConverter(plan: plan, width: 16, height: 16)
    func luma(_ code: Int) -> Int {
      let picture = Pictures.make(.yuv420p10, 16, 16) { plane, _, _ in plane == 0 ? code : 512 }
      let result = converter.convert(picture)
      #expect(Pictures.samples(result, plane: 1)[3][3] == 128)
      return Pictures.samples(result, plane: 0)[5][5]
    }
    #expect(luma(64) == 16)
    #expect(luma(721) == 213)
    #expect(luma(64 + 382) == 123)
    #expect(luma(940) == 235)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 66])
  func everySizeGivesTheSamePixelsAsALargePicture(side: Int) throws {
    // The large frame is higher than a stripe, so stripes meet inside it.
    let plan = try ConversionPlan(
      from: Self.description(.hlg, .yuv420p10, location: .topLeft),
      to: Self.description(.bt709, .yuv420p8, location: .topLeft))
    func sample(_ plane: Int, _ x: Int, _ y: Int) -> Int {
      plane == 0 ? 200 + (x * 37 + y * 91) % 600 : 400 + (x * 53 + y * 29 + plane * 7) % 200
    }
    func convert(_ width: Int, _ height: Int) -> PixelBuffer {
      FrameConverter(plan: plan, width: width, height: height)
        .convert(Pictures.make(.yuv420p10, width, height, sample))
    }
    let large = convert(140, 140)
    for (width, height) in [(side, 140), (140, side)] {
      let small = convert(width, height)
      for plane in 0..<3 {
        let part = Pictures.samples(small, plane: plane)
        let whole = Pictures.samples(large, plane: plane)
        // The last columns and rows depend on neighbors that the small frame does not have.
        let isSame = (0..<max(part.count - 4, 0)).allSatisfy { y in
          let count = max(part[y].count - 4, 0)
          return part[y].prefix(count).elementsEqual(whole[y].prefix(count))
        }
        #expect(isSame, "\(width)×\(height), plane \(plane)")
      }
    }
  }

  @Test func flatPicturesStayFlatWithEveryChromaLocation() throws {
    for location in 0..<6 {
      let place = ChromaLocation(rawValue: UInt8(location))
      let plan = try ConversionPlan(
        from: Self.description(.bt709, .yuv420p10, location: place),
        to: Self.description(.bt2020, .yuv420p10, location: .left))
      let picture = Pictures.make(.yuv420p10, 34, 22) { plane, _, _ in [500, 450, 600][plane] }
      let result = FrameConverter(plan: plan, width: 34, height: 22).convert(picture)
      let expected = try Definition.convert(
        Triple(500, 450, 600), from: .bt709, to: .bt2020, sourceDepth: 10, targetDepth: 10)
      for plane in 0..<3 {
        let values = Set(Pictures.samples(result, plane: plane).joined())
        #expect(values.count == 1)
        #expect(abs(Double(values.first ?? 0) - expected[plane]) < 1)
      }
    }
  }

  /// If chroma is converted from "left" to "center", a ramp moves by half a luma sample.
  @Test func chromaIsResampledWhereItLies() throws {
    let plan = try ConversionPlan(
      from: Self.description(.bt709, .yuv420p10, location: .left),
      to: Self.description(.bt709, .yuv420p10, location: .center))
    let picture = Pictures.make(.yuv420p10, 64, 8) { plane, x, _ in plane == 0 ? 400 : 300 + 8 * x }
    let result = FrameConverter(plan: plan, width: 64, height: 8).convert(picture)
    let row = Pictures.samples(result, plane: 1)[1]
    for x in 2..<28 { #expect(row[x] == 300 + 8 * x + 2) }
  }

  @Test func rangeAloneIsConvertedPlaneByPlane() throws {
    let plan = try ConversionPlan(
      from: Self.description(.bt709, .yuv420p8, full: true),
      to: Self.description(.bt709, .yuv420p10, full: false))
    #expect(plan.steps.count == 2)
    let picture = Pictures.make(.yuv420p8, 8, 8) { plane, x, _ in plane == 0 ? x * 36 : 128 }
    let result = FrameConverter(plan: plan, width: 8, height: 8).convert(picture)
    let row = Pictures.samples(result, plane: 0)[0]
    let expected = (0..<8).map { x -> Int in
      let signal = Double(x * 36) / 255
      return Int((64 + 876 * signal).rounded())
    }
    #expect(row == expected)
    #expect(Set(Pictures.samples(result, plane: 1).joined()) == [512])
  }

  @Test func ditherKeepsTheAverage() throws {
    let plan = try ConversionPlan(
      from: Self.description(.bt709, .yuv420p10), to: Self.description(.bt709, .yuv420p8))
    let picture = Pictures.make(.yuv420p10, 64, 64) { plane, _, _ in plane == 0 ? 402 : 512 }
    let result = FrameConverter(plan: plan, width: 64, height: 64).convert(picture)
    let values = Array(Pictures.samples(result, plane: 0).joined())
    #expect(Set(values) == [100, 101])
    #expect(abs(Double(values.reduce(0, +)) / Double(values.count) - 100.5) < 0.02)
  }
}
