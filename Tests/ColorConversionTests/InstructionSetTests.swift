// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import Foundation
import MediaCore
import RowOperations
import TestSupport
import Testing

@testable import ColorConversion

/// Frames are the same with every instruction set and on any number of threads.
@Suite struct InstructionSetTests {
  private struct Conversion: CustomTestStringConvertible {
    let source: ColorDescription
    let target: ColorDescription
    let from: PixelFormat
    let to: PixelFormat
    var options = ConversionOptions()
    var isInterlaced = false

    var testDescription: String { "\(source), \(from) → \(target), \(to)" }

    func plan() throws -> ConversionPlan {
      var frames = FrameDescription(
        signal: SignalDescription(color: source, videoFullRangeFlag: false), format: from,
        isInterlaced: isInterlaced)
      frames.toneMap = HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 2)
      return try ConversionPlan(
        from: frames,
        to: FrameDescription(
          signal: SignalDescription(color: target, videoFullRangeFlag: false), format: to),
        options: options)
    }
  }

  private static let conversions: [Conversion] = {
    let packed = PixelFormat.biPlanar420p10
    var all = [
      Conversion(source: .hlg, target: .bt709, from: .yuv420p10, to: .yuv420p8),
      Conversion(source: .pq, target: .bt709, from: packed, to: .yuv420p8),
      Conversion(source: .hlg, target: .pq, from: .yuv420p10, to: packed),
      Conversion(source: .pq, target: .hlg, from: .yuv420p10, to: .yuv420p10),
      Conversion(source: .bt2020, target: .bt709, from: .yuv420p10, to: .yuv420p10),
      Conversion(
        source: .bt601With625Lines, target: .bt709, from: .yuv420p8, to: .yuv420p8,
        isInterlaced: true),
      Conversion(
        source: .hlg, target: ColorDescription(.bt2020, .linear, .bt2020NonConstant),
        from: .yuv420p10, to: .halfRGBA),
    ]
    for tone in ConversionOptions.ToneMapping.allCases where ![.auto, .none].contains(tone) {
      var conversion = all[0]
      conversion.options.toneMapping = tone
      all.append(conversion)
    }
    for gamut in [ConversionOptions.GamutMapping.clip, .desaturate, .bt2407] {
      var conversion = all[4]
      conversion.options.gamutMapping = gamut
      all.append(conversion)
    }
    for tone in [ConversionOptions.ToneMapping.spline, .clip] {
      var conversion = all[1]
      conversion.options.toneMapping = tone
      conversion.options.toneMappingNorm = .ictcp
      all.append(conversion)
    }
    var detailed = all[0]
    detailed.options.highlightDetail = 0.5
    all.append(detailed)
    for inverse in [ConversionOptions.InverseToneMapping.bt2446a, .bt2446c] {
      var conversion = Conversion(
        source: .bt709, target: .hlg, from: .yuv420p8, to: .yuv420p10)
      conversion.options.inverseToneMapping = inverse
      all.append(conversion)
    }
    // Add conversions with curves from tables, with constant luminance, with ICtCp, and with pixels
    // that are computed exactly as defined.
    var plain = ConversionOptions()
    (plain.toneMapping, plain.gamutMapping) = (.none, .none)
    for source in [
      ColorDescription(.bt709, .log316, .bt709), ColorDescription(.bt2020, .pq, .iCtCp),
      ColorDescription(.bt2020, .bt2020TenBit, .bt2020Constant), .pq,
    ] {
      all.append(
        Conversion(
          source: source, target: .p3D65, from: .yuv420p10, to: .yuv420p10, options: plain))
    }
    return all
  }()

  /// Makes a frame with smooth and rough parts, and with legal and illegal colors.
  private static func picture(_ format: PixelFormat, _ width: Int, _ height: Int) -> PixelBuffer {
    var random = SeededGenerator(seed: 8)
    let top = format.bitDepth > 8 ? 1023 : 255
    let planes = (0..<3).map { _ in (0..<512).map { _ in Int.random(in: 0...top, using: &random) } }
    return Pictures.make(format.planar, width, height) { plane, x, y in
      y % 32 < 16 ? planes[plane][(x + 37 * y) % 512] : (x * top / width + y) % (top + 1)
    }
  }

  private static func bytes(_ buffer: PixelBuffer) -> [UInt8] {
    (0..<buffer.format.planeCount).flatMap { index in
      let plane = buffer.planes[index]
      let count = plane.width * buffer.format.bytesPerPosition(ofPlane: index)
      return (0..<plane.height).flatMap { line in
        Array(
          UnsafeRawBufferPointer(start: plane.baseAddress + line * plane.bytesPerRow, count: count))
      }
    }
  }

  private static func source(_ conversion: Conversion) throws -> PixelBuffer {
    let planar = picture(conversion.from, 205, 98)
    guard conversion.from != planar.format else { return planar }
    var options = ConversionOptions()
    options.dither = .none
    let plan = try ConversionPlan(
      from: FrameDescription(
        signal: SignalDescription(color: conversion.source, videoFullRangeFlag: false),
        format: planar.format),
      to: FrameDescription(
        signal: SignalDescription(color: conversion.source, videoFullRangeFlag: false),
        format: conversion.from), options: options)
    return FrameConverter(plan: plan, width: 205, height: 98).convert(planar)
  }

  /// All instruction sets give the same bytes. Error diffusion would carry even the smallest
  /// difference on to other pixels.
  @Test(
    arguments: Array(conversions.indices).shortened(to: 13), ConversionOptions.Dither.allCases)
  func resultsAreTheSame(index: Int, dither: ConversionOptions.Dither) throws {
    var conversion = Self.conversions[index]
    conversion.options.dither = dither
    let plan = try conversion.plan()
    let source = try Self.source(conversion)
    let operations = OperationBuffer(OperationList(plan))
    func convert(_ set: InstructionSet, workers: Int) -> [UInt8] {
      Self.bytes(
        FrameConverter(
          plan: plan, width: 205, height: 98, instructionSet: set, workerCount: workers,
          operations: operations
        ).convert(source))
    }
    let one = convert(.baseline, workers: 1)
    for set in InstructionSet.available {
      for workers in dither == .errorDiffusion ? [1] : [1, 5] {
        let isSame = convert(set, workers: workers) == one
        #expect(isSame, "\(set) with \(workers) workers: \(conversion.testDescription)")
      }
    }
  }

  /// Results are also the same if an environment variable chooses the instruction set of a program.
  @Test(.takesLong) func theEnvironmentChooses() throws {
    let bench = URL(fileURLWithPath: BuiltCandela.path).deletingLastPathComponent()
      .appendingPathComponent("conversion-bench").path
    let results = try InstructionSet.available.map { set in
      try Tool.run(
        "env", ["\(InstructionSet.variable)=\(set.rawValue)", bench, "--digests"])
    }
    let lines = results[0].output.split(separator: "\n")
    #expect(lines.count > 80, "\(results[0].errors)")
    for (set, result) in zip(InstructionSet.available, results) {
      #expect(result.status == 0 && result.output.split(separator: "\n") == lines, "\(set)")
    }
  }

  @Test func namesOfInstructionSetsAreChecked() throws {
    #expect(try InstructionSet.named(nil) == nil)
    #expect(try InstructionSet.named("") == nil)
    for set in InstructionSet.available {
      #expect(try InstructionSet.named(set.rawValue) == set)
    }
    #expect(
      throws: InstructionSet.ChoiceFault.unknown("sse", names: ["baseline", "avx2", "avx512"])
    ) { _ = try InstructionSet.named("sse") }
    #expect(throws: InstructionSet.ChoiceFault.missing("AVX2", available: ["baseline"])) {
      _ = try InstructionSet.named("avx2", available: [.baseline])
    }
  }

  /// The sums that measure light are the same with every instruction set.
  @Test func lightIsTheSame() {
    var random = SeededGenerator(seed: 4)
    for count in [1, 7, 16, 100, 333] {
      let numbers = (0..<count).map { _ in Float.random(in: 0...1, using: &random) }
      let sums = InstructionSet.available.map { set in
        var summary = RowSummary()
        set.kernels.summarize(numbers, count, &summary)
        return [Double(summary.minimum), Double(summary.maximum), summary.sum]
      }
      #expect(sums.allSatisfy { $0 == sums[0] })
    }
  }
}
