// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// The same picture from every instruction set, on any number of threads.
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
      try ConversionPlan(
        from: PictureDescription(
          signal: SignalDescription(color: source, videoFullRangeFlag: false), format: from,
          isInterlaced: isInterlaced),
        to: PictureDescription(
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
    // Curves by tables, constant luminance, ICtCp, and pixels that are computed as defined.
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

  /// With error diffusion, which hands on every difference.
  private static let diffused: [Conversion] = [conversions[0], conversions[4]].map {
    var conversion = $0
    conversion.options.dither = .errorDiffusion
    return conversion
  }

  /// A picture of smooth and of rough parts, legal and illegal colors.
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
    let planar = picture(conversion.from, 333, 162)
    guard conversion.from != planar.format else { return planar }
    var options = ConversionOptions()
    options.dither = .none
    let plan = try ConversionPlan(
      from: PictureDescription(
        signal: SignalDescription(color: conversion.source, videoFullRangeFlag: false),
        format: planar.format),
      to: PictureDescription(
        signal: SignalDescription(color: conversion.source, videoFullRangeFlag: false),
        format: conversion.from), options: options)
    return FrameConverter(plan: plan, width: 333, height: 162).convert(planar)
  }

  @Test(arguments: conversions.indices)
  func resultsAreTheSame(index: Int) throws {
    let conversion = Self.conversions[index]
    let plan = try conversion.plan()
    let source = try Self.source(conversion)
    let operations = OperationBuffer(OperationList(plan))
    func convert(_ set: InstructionSet, workers: Int) -> [UInt8] {
      Self.bytes(
        FrameConverter(
          plan: plan, width: 333, height: 162, instructionSet: set, workerCount: workers,
          operations: operations
        ).convert(source))
    }
    for set in InstructionSet.available {
      let one = convert(set, workers: 1)
      for workers in 2...5 {
        let isSame = convert(set, workers: workers) == one
        #expect(isSame, "\(set) with \(workers) workers: \(conversion.testDescription)")
      }
    }
    guard InstructionSet.available.contains(.avx512) else { return }
    let isSame = convert(.avx2, workers: 1) == convert(.avx512, workers: 1)
    #expect(isSame, "AVX2 and AVX-512: \(conversion.testDescription)")
  }

  /// At most one sample of 10 000, by one code value: of half floats, by one in 11 bits.
  @Test(arguments: conversions.indices)
  func theBaselineIsTheSameButForRounding(index: Int) throws {
    let (a, b) = try Self.baselineAndBest(Self.conversions[index])
    let differences = zip(a, b).map { abs($0 - $1) }
    #expect(differences.allSatisfy { $0 <= 1 })
    let count = differences.count { $0 != 0 }
    #expect(count <= a.count / 10_000, "\(count) of \(a.count)")
  }

  /// A sample that is rounded otherwise changes what those after it are rounded to, by one code
  /// value and not on average.
  @Test(arguments: diffused.indices)
  func theBaselineDiffusesTheSame(index: Int) throws {
    let (a, b) = try Self.baselineAndBest(Self.diffused[index])
    let differences = zip(a, b).map { $0 - $1 }
    #expect(differences.allSatisfy { abs($0) <= 1 })
    #expect(abs(differences.reduce(0, +)) <= a.count / 10_000)
  }

  /// The code values of the slowest and of the fastest kernels.
  private static func baselineAndBest(_ conversion: Conversion) throws -> ([Int], [Int]) {
    let plan = try conversion.plan()
    let source = try source(conversion)
    let results = [InstructionSet.baseline, .current].map { set in
      codes(
        FrameConverter(plan: plan, width: 333, height: 162, instructionSet: set).convert(source))
    }
    return (results[0], results[1])
  }

  private static func codes(_ buffer: PixelBuffer) -> [Int] {
    let bytes = bytes(buffer)
    guard buffer.format.bytesPerSample > 1 else { return bytes.map(Int.init) }
    let isShifted = buffer.format.layout == .biPlanar
    return stride(from: 0, to: bytes.count, by: 2).map { index in
      let word = Int(bytes[index]) | Int(bytes[index + 1]) << 8
      return isShifted ? word >> (16 - buffer.format.bitDepth) : word
    }
  }
}
