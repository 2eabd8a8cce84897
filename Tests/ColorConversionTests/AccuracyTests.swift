// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Conversions with every transfer function and matrix, in both directions, match the definition in
/// double precision.
@Suite struct AccuracyTests {
  /// Every transfer function and every matrix that video uses, with primaries of all kinds.
  static let colors: [ColorDescription] = chosen + otherCurves

  /// Colors with the curves that no color in `chosen` has.
  private static let otherCurves = SDRCurve.all.filter { curve in
    !chosen.contains { curve.codePoints.contains($0.transferCharacteristics) }
  }.map { ColorDescription(.bt709, $0.code, .bt709) }

  private static let chosen: [ColorDescription] = [
    .bt709, .bt601With525Lines, .bt601With625Lines, .p3D65, .bt2020, .hlg, .pq,
    ColorDescription(.bt709, .sRGB, .identity),
    ColorDescription(.bt470M, .gamma22, .fcc),
    ColorDescription(.bt470BG, .gamma28, .bt470BG),
    ColorDescription(.smpte240M, .smpte240M, .smpte240M),
    ColorDescription(.bt709, .linear, .yCgCo),
    ColorDescription(.bt709, .log100, .bt709),
    ColorDescription(.bt709, .log316, .bt709),
    ColorDescription(.bt709, .xvYCC, .bt709),
    ColorDescription(.bt709, .bt1361, .bt709),
    ColorDescription(.p3DCI, .smpte428, .derivedNonConstant),
    ColorDescription(.film, .bt709, .derivedNonConstant),
    ColorDescription(.bt2020, .bt2020TwelveBit, .bt2020Constant),
    ColorDescription(.p3D65, .bt709, .derivedConstant),
    ColorDescription(.bt2020, .hlg, .iCtCp),
    ColorDescription(.bt2020, .pq, .iCtCp),
    ColorDescription(.bt2020, .pq, .bt2020Constant),
    ColorDescription(.p3D65, .hlg, .bt709),
  ]

  /// Returns a gray, which may be brighter than white, or a color whose R', G' and B' are between 0
  /// and 1: a point of a lattice, a random color, or a dark one.
  static func signal(_ index: Int, _ random: inout SeededGenerator) -> Triple {
    switch index % 8 {
    case 0: return Triple(repeating: Double(index) / 1024)
    case 1:
      return Triple(
        Double(index / 8 % 5), Double(index / 40 % 5), Double(index / 200 % 5)) / 4
    default:
      var color = Triple(
        .random(in: 0...1, using: &random), .random(in: 0...1, using: &random),
        .random(in: 0...1, using: &random))
      if index % 8 == 7 { color *= color * color }
      return color
    }
  }

  /// The largest error: half a code value from rounding, plus what single precision adds.
  private static let bound = 0.55

  @Test(arguments: colors.shortened(to: 12))
  func everyPairIsRightToHalfACode(source: ColorDescription) throws {
    for target in Self.colors { try Self.expectHalfACode(source, target, depth: 10) }
  }

  /// If the result has 8 bits, curves are less precise, but still precise enough.
  @Test(arguments: colors.shortened(to: 8))
  func eightBitsAreRightToHalfACode(source: ColorDescription) throws {
    for target in [ColorDescription.bt709, .p3D65, .hlg, .pq, Self.chosen[7], Self.chosen[9]] {
      try Self.expectHalfACode(source, target, depth: 8)
    }
  }

  /// Results of 12 bits are right, too, although their code values are only a quarter as far apart
  /// as those of 10 bits.
  @Test(arguments: colors.shortened(to: 8))
  func twelveBitsAreRightToHalfACode(source: ColorDescription) throws {
    for target in [ColorDescription.bt709, .bt2020, .p3D65, .hlg, .pq] + Self.precise {
      try Self.expectHalfACode(source, target, depth: 12, sourceDepth: 12)
    }
  }

  /// Colors are also right with constant luminance, which applies a curve twice, and with
  /// logarithmic curves, even above white.
  @Test(arguments: precise.shortened(to: 2), [8, 10, 12])
  func hardCodingsAreRightToHalfACode(coding: ColorDescription, depth: Int) throws {
    for other in [ColorDescription.bt2020, .bt709, .hlg] {
      let sourceDepth = max(depth, 10)
      try Self.expectHalfACode(
        coding, other, depth: depth, sourceDepth: sourceDepth, height: 128, brightest: 1.08)
      try Self.expectHalfACode(
        other, coding, depth: depth, sourceDepth: sourceDepth, height: 128, brightest: 1.08)
    }
  }

  private static let precise: [ColorDescription] = [
    ColorDescription(.bt2020, .bt2020TwelveBit, .bt2020Constant),
    ColorDescription(.p3D65, .bt709, .derivedConstant),
    ColorDescription(.bt709, .log100, .bt709), ColorDescription(.bt709, .log316, .bt709),
  ]

  /// Converts a frame, and compares each sample of the result with the definition.
  private static func expectHalfACode(
    _ source: ColorDescription, _ target: ColorDescription, depth: Int, sourceDepth: Int = 10,
    height: Int = 32, brightest: Double = 1
  ) throws {
    let width = 64
    let plan = try plan(source, target, sourceDepth, depth)
    guard !plan.isIdentity else { return }
    var random = SeededGenerator(seed: 11)
    let coder = Definition.coder(of: source, depth: sourceDepth)
    let pixels = (0..<width * height).map { coder(signal($0, &random) * brightest) }
    let format = PixelFormat(bitDepth: sourceDepth, chromaSubsampling: .cs444)
    let picture = Pictures.make(format, width, height) { Int(pixels[$2 * width + $1][$0]) }
    let result = FrameConverter(plan: plan, width: width, height: height).convert(picture)
    let planes = (0..<3).map { Pictures.samples(result, plane: $0) }
    let convert = Definition.conversion(
      from: source, to: target, sourceDepth: sourceDepth, targetDepth: depth, isMapped: false)
    var worst = (0.0, "")
    for (index, pixel) in pixels.enumerated() {
      let expected = convert(pixel)
      for plane in 0..<3 {
        let code = planes[plane][index / width][index % width]
        let error = abs(Double(code) - expected[plane])
        if error > worst.0 { worst = (error, "plane \(plane) of \(pixel) is \(code)") }
      }
    }
    #expect(worst.0 <= bound, "\(source) to \(target), \(depth) bits: \(worst)")
  }

  private static func plan(
    _ source: ColorDescription, _ target: ColorDescription, _ sourceDepth: Int, _ depth: Int
  ) throws -> ConversionPlan {
    var options = ConversionOptions()
    (options.toneMapping, options.gamutMapping, options.dither) = (.none, .none, .none)
    func description(_ color: ColorDescription, _ depth: Int) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false),
        format: PixelFormat(bitDepth: depth, chromaSubsampling: .cs444))
    }
    return try ConversionPlan(
      from: description(source, sourceDepth), to: description(target, depth), options: options)
  }
}
