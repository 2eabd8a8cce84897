// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Pixels of four integers, for screens and machine learning, match the definition in double
/// precision.
@Suite struct RGBATests {
  private static let displayP3 = ColorDescription(.p3D65, .sRGB, .identity)
  private static let formats: [PixelFormat] = [.bgra8, .rgba8, .rgba16]
  private static let (width, height) = (35, 17)

  private static func options(mapped: Bool) -> ConversionOptions {
    var options = ConversionOptions()
    options.dither = .none
    if !mapped { (options.toneMapping, options.gamutMapping) = (.none, .none) }
    return options
  }

  /// Returns the components of a pixel in the definition's order (G, B, R), and its opacity.
  private static func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> (Triple, opacity: Int) {
    func numbers<Sample: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(
      _: Sample.Type
    ) -> [Int] {
      buffer.withRow(y, as: Sample.self) { row in (0..<4).map { Int(row[x * 4 + $0]) } }
    }
    let all = buffer.format.bitDepth == 8 ? numbers(UInt8.self) : numbers(UInt16.self)
    let (red, blue) = buffer.format.layout == .bgra ? (all[2], all[0]) : (all[0], all[2])
    return (Triple(Double(all[1]), Double(blue), Double(red)), all[3])
  }

  /// Returns the largest error: half a code value from rounding, plus the error of single
  /// precision. The latter is about a sixteenth of a 10-bit code value. At 8 bits, that is little,
  /// but at 16 bits, it is about four code values.
  private static func bound(_ depth: Int) -> Double { depth == 8 ? 0.52 : 4 }

  @Test(arguments: [
    (ColorDescription.bt709, ColorDescription.sRGB, false), (.bt2020, displayP3, false),
    (.hlg, .sRGB, true), (.pq, displayP3, true), (.pq, .pq, false),
  ])
  func madeOfVideo(source: ColorDescription, target: ColorDescription, isMapped: Bool) throws {
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    var random = SeededGenerator(seed: 5)
    let pixels = (0..<Self.width * Self.height).map {
      Definition.codes(AccuracyTests.signal($0, &random), of: source, depth: 10)
    }
    let picture = Pictures.make(format, Self.width, Self.height) {
      Int(pixels[$2 * Self.width + $1][$0])
    }
    for rgba in Self.formats {
      // No range is stated, because the range of RGBA is always full.
      let plan = try ConversionPlan(
        from: FrameDescription(signal: SignalDescription(color: source), format: format),
        to: FrameDescription(signal: SignalDescription(color: target), format: rgba),
        options: Self.options(mapped: isMapped))
      let result = FrameConverter(plan: plan, width: Self.width, height: Self.height)
        .convert(picture)
      var meaning = target
      meaning.matrixCoefficients = .identity
      var worst = (0.0, "")
      for (index, codes) in pixels.enumerated() {
        let expected = try Definition.convert(
          codes, from: source, to: meaning, sourceDepth: 10, targetDepth: rgba.bitDepth,
          isFullTarget: true, isMapped: isMapped)
        let (found, opacity) = Self.pixel(result, index % Self.width, index / Self.width)
        #expect(opacity == (1 << rgba.bitDepth) - 1)
        for component in 0..<3 {
          let error = abs(found[component] - expected[component])
          if error > worst.0 { worst = (error, "\(component) of \(codes) is \(found)") }
        }
      }
      #expect(worst.0 <= Self.bound(rgba.bitDepth), "\(source) to \(rgba): \(worst)")
    }
  }

  /// The pixels of a program become video of limited range, which is the default if no range is
  /// stated. Their opacity is ignored.
  @Test(arguments: formats)
  func madeIntoVideo(rgba: PixelFormat) throws {
    var random = SeededGenerator(seed: 7)
    let maximum = (1 << rgba.bitDepth) - 1
    let pixels = (0..<Self.width * Self.height).map { _ in
      (0..<4).map { _ in Int.random(in: 0...maximum, using: &random) }
    }
    let pool = PixelBufferPool(rgba, width: Self.width, height: Self.height)
    let tags = Attachments(signal: SignalDescription(color: .sRGB))
    func make<Sample: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(
      _: Sample.Type
    ) -> PixelBuffer {
      pool.makeBuffer(attachments: tags, rowsOf: Sample.self) { _, y, row in
        for x in row.indices { row[x] = Sample(pixels[y * Self.width + x / 4][x % 4]) }
      }
    }
    let picture = rgba.bitDepth == 8 ? make(UInt8.self) : make(UInt16.self)
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    let plan = try ConversionPlan(
      from: FrameDescription(signal: tags.signal, format: rgba),
      to: FrameDescription(signal: SignalDescription(color: .bt709), format: format),
      options: Self.options(mapped: false))
    let result = FrameConverter(plan: plan, width: Self.width, height: Self.height)
      .convert(picture)
    let planes = (0..<3).map { Pictures.samples(result, plane: $0) }
    var worst = 0.0
    for index in pixels.indices {
      let (x, y) = (index % Self.width, index / Self.width)
      let expected = try Definition.convert(
        Self.pixel(picture, x, y).0, from: .sRGB, to: .bt709, sourceDepth: rgba.bitDepth,
        targetDepth: 10, isFullSource: true, isMapped: false)
      for plane in 0..<3 {
        worst = max(worst, abs(Double(planes[plane][y][x]) - expected[plane]))
      }
    }
    #expect(worst <= 0.55, "\(worst)")
  }

  /// If only the order of the components differs, their values stay.
  @Test func orders() throws {
    let pool = PixelBufferPool(.rgba8, width: 9, height: 2)
    let source = pool.makeBuffer(
      attachments: Attachments(signal: SignalDescription(color: .sRGB)), rowsOf: UInt8.self
    ) { _, y, row in
      for x in row.indices { row[x] = x % 4 == 3 ? 255 : UInt8(x * 7 + y) }
    }
    func description(_ format: PixelFormat) -> FrameDescription {
      FrameDescription(signal: SignalDescription(color: .sRGB), format: format)
    }
    let plan = try ConversionPlan(
      from: description(.rgba8), to: description(.bgra8), options: Self.options(mapped: false))
    let result = FrameConverter(plan: plan, width: 9, height: 2).convert(source)
    for y in 0..<2 {
      for x in 0..<9 { #expect(Self.pixel(result, x, y) == Self.pixel(source, x, y)) }
    }
  }
}
