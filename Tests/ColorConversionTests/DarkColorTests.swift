// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Dark colors, and colors outside the gamut with next to no luminance, are as exact as all others.
/// They are difficult because HLG's inverse OOTF divides by a power of the luminance. Results are
/// compared with the definition in double precision.
@Suite struct DarkColorTests {
  /// The largest error in code values of 10 bits: half a code value, plus the error that single
  /// precision adds.
  private static let bound = 0.53

  private static let pairs: [(ColorDescription, ColorDescription)] = [
    (.bt2020, .hlg), (.bt709, .hlg), (.pq, .hlg), (.p3D65, .hlg), (.hlg, .pq),
  ]

  @Test(arguments: pairs.indices) func someColors(pair: Int) throws {
    try Self.search(pair, colors: 60_000, pictures: 40)
  }

  @Test(.takesLong, arguments: pairs.indices) func manyColors(pair: Int) throws {
    try Self.search(pair, colors: 400_000, pictures: 400)
  }

  private static func search(_ pair: Int, colors: Int, pictures: Int) throws {
    let (source, target) = pairs[pair]
    var random = SeededGenerator(seed: UInt64(pair) + 31)
    let width = 512
    let color = color(of: source)
    for _ in 0..<(colors + width * 128 - 1) / (width * 128) {
      let pixels = (0..<width * 128).map { _ in color(&random) }
      try expectHalfACode(source, target, .cs444, width, 128) { pixels[$1 * width + $0] }
    }
    // Each frame has all luma codes, but the same chroma everywhere, because filters do not change
    // constant chroma.
    for _ in 0..<pictures {
      let chroma = color(&random)
      try expectHalfACode(source, target, .cs420, 32, 32) {
        Triple(Double(32 * $1 + $0), chroma.y, chroma.z)
      }
    }
  }

  /// Returns a function that makes dark colors as code values. Components may be negative. Half of
  /// the colors have hardly any luminance.
  private static func color(
    of color: ColorDescription
  ) -> (inout SeededGenerator) -> Triple {
    let transfer = ComponentTransfer(color.transferCharacteristics)!
    let weights = RGBSpace(color.colorPrimaries)!.luminanceWeights
    let coder = Definition.coder(of: color, depth: 10)
    return { random in
      let size = ComponentTransfer.gamma(4).toLinear(.random(in: 0.02...1, using: &random))
      var light = Triple.zero
      for index in 0..<3 {
        light[index] = size * transfer.toLinear(.random(in: -1...1, using: &random))
      }
      if Bool.random(using: &random) {
        let rest = light.x * weights.x + light.z * weights.z
        light.y = -rest / weights.y * .random(in: 0.99...1.01, using: &random)
      }
      return coder(light.componentwise(transfer.toSignal))
    }
  }

  private static func expectHalfACode(
    _ source: ColorDescription, _ target: ColorDescription, _ subsampling: ChromaSubsampling,
    _ width: Int, _ height: Int, _ color: (Int, Int) -> Triple
  ) throws {
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: subsampling)
    let shift = format.chromaSubsampling.verticalShift
    let picture = Pictures.make(format, width, height) { plane, x, y in
      let up = plane > 0 ? shift : 0
      return Int(color(x << up, y << up)[plane])
    }
    let plan = try plan(source, target, format)
    let result = FrameConverter(plan: plan, width: width, height: height).convert(picture)
    let convert = Definition.conversion(
      from: source, to: target, sourceDepth: 10, targetDepth: 10, isMapped: false)
    var worst = (0.0, "")
    // Chroma of 4:2:0 is a mixture of neighbors, so only luma is compared there.
    let codes = (0..<(shift == 0 ? 3 : 1)).map { Pictures.samples(result, plane: $0) }
    for y in 0..<height {
      for x in 0..<width {
        let pixel = color(x, y)
        let expected = convert(pixel)
        for plane in codes.indices {
          let error = abs(Double(codes[plane][y][x]) - expected[plane])
          if error > worst.0 {
            worst = (error, "plane \(plane) of \(pixel): \(codes[plane][y][x]), not \(expected)")
          }
        }
      }
    }
    #expect(worst.0 <= bound, "\(source) to \(target), \(subsampling.rawValue): \(worst)")
  }

  private static func plan(
    _ source: ColorDescription, _ target: ColorDescription, _ format: PixelFormat
  ) throws -> ConversionPlan {
    var options = ConversionOptions()
    (options.toneMapping, options.gamutMapping, options.dither) = (.none, .none, .none)
    func description(_ color: ColorDescription) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: format)
    }
    return try ConversionPlan(from: description(source), to: description(target), options: options)
  }
}
