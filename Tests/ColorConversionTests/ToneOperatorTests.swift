// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Tone operators match their definition in double precision, for all kinds of source colors.
@Suite struct ToneOperatorTests {
  /// The largest error in 10-bit code values: half from rounding, plus what single precision and
  /// the straight pieces of curves add.
  private static let bound = 0.55

  private static let weights = RGBSpace(.bt2020)!.luminanceWeights

  /// Returns the largest error among grays, the colors of a lattice, random colors and dark colors.
  private static func worst(
    _ source: ColorDescription, _ target: ColorDescription,
    _ change: (inout ConversionOptions) -> Void, map: (Triple) -> Triple
  ) throws -> (error: Double, what: String) {
    var options = ConversionOptions()
    (options.gamutMapping, options.dither) = (.none, .none)
    change(&options)
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    func description(_ color: ColorDescription) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: format)
    }
    let plan = try ConversionPlan(
      from: description(source), to: description(target), options: options)
    var random = SeededGenerator(seed: 3)
    let (width, height) = (128, 64)
    let pixels = (0..<width * height).map {
      Definition.codes(AccuracyTests.signal($0, &random), of: source, depth: 10)
    }
    let picture = Pictures.make(format, width, height) { Int(pixels[$2 * width + $1][$0]) }
    let result = FrameConverter(plan: plan, width: width, height: height).convert(picture)
    let planes = (0..<3).map { Pictures.samples(result, plane: $0) }
    var worst = (error: 0.0, what: "")
    for (index, pixel) in pixels.enumerated() {
      let expected = Definition.convert(pixel, from: source, to: target, map: map)
      for plane in 0..<3 {
        let code = planes[plane][index / width][index % width]
        let error = abs(Double(code) - expected[plane])
        if error > worst.error { worst = (error, "\(plane) of \(pixel): \(code), \(expected)") }
      }
    }
    return worst
  }

  private static func toBT709(_ light: Triple) -> Triple {
    RGBSpace(.bt2020)!.matrix(to: RGBSpace(.bt709)!) * (light / 203)
  }

  @Test(
    arguments: [ColorDescription.hlg, .pq],
    [
      (.bt2446a, .bt2446A(BT2446A())), (.bt2446b, .bt2446B(BT2446B())),
      (.bt2446c, .bt2446C(BT2446C())),
    ] as [(ConversionOptions.ToneMapping, ToneOperator)])
  func methodsOfBT2446(
    source: ColorDescription, tone: (mapping: ConversionOptions.ToneMapping, method: ToneOperator)
  ) throws {
    let method = tone.method
    for (target, map) in [
      (ColorDescription.bt2020, { method.map($0) / 203 }),
      (.bt709, { Self.toBT709(method.map($0)) }),
    ] as [(ColorDescription, (Triple) -> Triple)] {
      let worst = try Self.worst(source, target, { $0.toneMapping = tone.mapping }, map: map)
      #expect(worst.error <= Self.bound, "\(target): \(worst.what)")
    }
  }

  @Test(arguments: [ConversionOptions.InverseToneMapping.bt2446a, .bt2446c])
  func inverseMethodsOfBT2446(tone: ConversionOptions.InverseToneMapping) throws {
    let method: ToneOperator = tone == .bt2446a ? .bt2446A(BT2446A()) : .bt2446C(BT2446C())
    for target in [ColorDescription.pq, .hlg] {
      let worst = try Self.worst(
        .bt2020, target, { $0.inverseToneMapping = tone }, map: { method.inverse($0 * 203) })
      #expect(worst.error <= Self.bound, "\(target): \(worst.what)")
    }
  }

  @Test(arguments: ToneNorm.allCases, ConversionOptions.ToneMapping.curves)
  func curves(norm: ToneNorm, mapping: ConversionOptions.ToneMapping) throws {
    let type = try #require(mapping.curve)
    let map = ToneMap(
      type.init(sourcePeak: 1000, targetPeak: 203), norm: norm, space: RGBSpace(.bt2020)!)
    for source in [ColorDescription.hlg, .pq] {
      let worst = try Self.worst(
        source, .bt709,
        {
          $0.toneMapping = mapping
          $0.toneMappingNorm = norm
        }, map: { Self.toBT709(map.map($0)) })
      #expect(worst.error <= Self.bound, "\(source): \(worst.what)")
    }
  }

  /// Pixels outside the target's gamut become what BT.2407 defines.
  @Test func gamutMappingOfBT2407() throws {
    let gamut = BT2407Gamut(from: RGBSpace(.bt2020)!, to: RGBSpace(.bt709)!)
    let worst = try Self.worst(
      .bt2020, .bt709, { $0.gamutMapping = .bt2407 },
      map: { gamut.map(Self.toBT709($0 * 203)) })
    #expect(worst.error <= Self.bound, "\(worst.what)")
  }
}
