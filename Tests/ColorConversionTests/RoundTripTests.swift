// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Colors survive a conversion to another 10-bit signal and back, without dither.
@Suite struct RoundTripTests {
  private static let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
  private static let side = 96

  private static func convert(
    _ picture: PixelBuffer, from source: ColorDescription, to target: ColorDescription,
    toneMapping: ConversionOptions.ToneMapping = .auto
  ) throws -> PixelBuffer {
    func description(_ color: ColorDescription) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: format)
    }
    var options = ConversionOptions()
    options.dither = .none
    options.toneMapping = toneMapping
    let plan = try ConversionPlan(
      from: description(source), to: description(target), options: options)
    return FrameConverter(plan: plan, width: side, height: side).convert(picture)
  }

  /// How far colors are from where they began, in code values of 10 bits.
  private struct Loss {
    var worst = 0.0
    var sum = 0.0

    mutating func add(_ before: Triple, _ after: Triple) {
      for index in 0..<3 {
        worst = max(worst, abs(before[index] - after[index]))
        sum += abs(before[index] - after[index])
      }
    }
  }

  /// A conversion there and back loses hardly more than the rounding in between costs. The loss is
  /// compared with that of a conversion in double precision that is rounded to the same 10 bits on
  /// the way.
  @Test(arguments: [
    (ColorDescription.bt709, ColorDescription.bt2020), (.hlg, .pq), (.bt709, .hlg), (.p3D65, .hlg),
  ])
  func colorsReturn(source: ColorDescription, between: ColorDescription) throws {
    var random = SeededGenerator(seed: 12)
    let pixels = (0..<Self.side * Self.side).map { _ in
      Definition.codes(
        Triple(
          .random(in: 0...1, using: &random), .random(in: 0...1, using: &random),
          .random(in: 0...1, using: &random)), of: source, depth: 10)
    }
    let picture = Pictures.make(Self.format, Self.side, Self.side) {
      Int(pixels[$2 * Self.side + $1][$0])
    }
    let there = try Self.convert(picture, from: source, to: between)
    let back = try Self.convert(there, from: between, to: source)
    let planes = (0..<3).map { Pictures.samples(back, plane: $0) }
    var (ours, definition) = (Loss(), Loss())
    for (index, pixel) in pixels.enumerated() {
      var result = Triple.zero
      for plane in 0..<3 {
        result[plane] = Double(planes[plane][index / Self.side][index % Self.side])
      }
      ours.add(pixel, result)
      definition.add(pixel, try Self.defined(pixel, source, between))
    }
    #expect(ours.worst <= definition.worst + 1)
    #expect(ours.sum <= definition.sum * 1.02)
  }

  private static func defined(
    _ pixel: Triple, _ source: ColorDescription, _ between: ColorDescription
  ) throws -> Triple {
    let there = try Definition.convert(
      pixel, from: source, to: between, sourceDepth: 10, targetDepth: 10)
    return try Definition.convert(
      there.rounded(.toNearestOrEven), from: between, to: source, sourceDepth: 10, targetDepth: 10
    ).rounded(.toNearestOrEven)
  }

  /// After a conversion there and back, grays are off by one code value at most. There is no tone
  /// mapping on the way back, because it would make room for highlights that SDR does not have.
  @Test(arguments: [
    (ColorDescription.bt709, ColorDescription.bt2020), (.hlg, .pq), (.bt709, .hlg), (.p3D65, .hlg),
  ])
  func graysReturn(source: ColorDescription, between: ColorDescription) throws {
    let picture = Pictures.make(Self.format, Self.side, Self.side) { plane, x, y in
      plane == 0 ? min(64 + (y * Self.side + x) / 10, 940) : 512
    }
    let back = try Self.convert(
      try Self.convert(picture, from: source, to: between), from: between, to: source,
      toneMapping: .none)
    for plane in 0..<3 {
      let (old, new) = (
        Pictures.samples(picture, plane: plane), Pictures.samples(back, plane: plane)
      )
      let isSame = zip(old.joined(), new.joined()).allSatisfy { abs($0 - $1) <= 1 }
      #expect(isSame)
    }
  }
}
