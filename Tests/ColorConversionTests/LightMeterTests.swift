// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
@testable import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

@Suite struct LightMeterTests {
  private static let hlg = FrameDescription(
    signal: SignalDescription(color: .hlg, videoFullRangeFlag: false), format: .yuv420p10)

  /// The properties of a frame, except its size.
  struct Kind: CustomTestStringConvertible, Sendable {
    let subsampling: ChromaSubsampling
    let bitDepth: Int
    let isFullRange: Bool
    let color: ColorDescription
    let location: ChromaLocation
    let isInterlaced: Bool

    var testDescription: String {
      "\(subsampling.rawValue), \(bitDepth) bits, \(isFullRange ? "full" : "limited"), \(color), "
        + "\(location)\(isInterlaced ? ", interlaced" : "")"
    }

    var frames: FrameDescription {
      FrameDescription(
        signal: SignalDescription(
          color: color, videoFullRangeFlag: isFullRange, chromaLocation: location),
        format: PixelFormat(bitDepth: bitDepth, chromaSubsampling: subsampling),
        isInterlaced: isInterlaced)
    }

    /// Returns a frame with random code values. Half of its chroma is near gray, so that not all
    /// colors are outside of R'G'B'.
    func picture(_ size: VideoDimensions) -> (buffer: PixelBuffer, defined: InterpolatedPicture) {
      var random = SeededGenerator(seed: UInt64(size.width))
      let format = frames.format
      let (gray, most) = (1 << (bitDepth - 1), 1 << bitDepth - 1)
      let planes = (0..<3).map { plane in
        let size = format.planeSize(plane, width: size.width, height: size.height)
        return (0..<size.height).map { _ in
          (0..<size.width).map { _ in
            plane == 0 || Bool.random(using: &random)
              ? Int.random(in: 0...most, using: &random)
              : .random(in: gray * 4 / 5...gray * 6 / 5, using: &random)
          }
        }
      }
      return (
        Pictures.make(format, size.width, size.height) { planes[$0][$2][$1] },
        InterpolatedPicture(
          planes, shifts: (subsampling.horizontalShift, subsampling.verticalShift), color,
          bitDepth: bitDepth, isFullRange: isFullRange, location: location,
          isInterlaced: isInterlaced)
      )
    }

    static let all = [ChromaSubsampling.cs420, .cs422, .cs444].flatMap { subsampling in
      [8, 10, 12, 16].flatMap { bitDepth in
        [false, true].flatMap { isFullRange in
          [ColorDescription.hlg, .pq].flatMap { color in
            (0..<6).flatMap { location in
              [false, true].map { isInterlaced in
                Kind(
                  subsampling: subsampling, bitDepth: bitDepth, isFullRange: isFullRange,
                  color: color, location: ChromaLocation(rawValue: location),
                  isInterlaced: isInterlaced)
              }
            }
          }
        }
      }
    }
  }

  /// Returns the light of an R'G'B' color by BT.2100, as the PQ signal of its largest component.
  /// HLG is shown on a display of 1000 cd/m².
  private static func signal(_ color: Triple, isHLG: Bool) -> Double {
    let light =
      isHLG
      ? HLG.ootf(
        color.componentwise(HLG.inverseOETF), weights: Triple(0.2627, 0.678, 0.0593),
        peakLuminance: 1000)
      : color.componentwise(PQ.eotf)
    return PQ.inverseEOTF(light.max())
  }

  private static let small = VideoDimensions(width: 32, height: 4)

  private static let sizes = [(1, 1), (2, 3), (16, 8), (61, 33), (130, 5)].map {
    VideoDimensions(width: $0.0, height: $0.1)
  }

  /// Random colors, legal and illegal ones, have the levels that the definition gives, in whole
  /// frames and in parts of frames. Every instruction set gives the same levels to the bit.
  @Test(arguments: Kind.all.shortened(to: 73))
  func levelsAreThoseOfTheDefinition(kind: Kind) throws {
    for size in Self.sizes {
      let (picture, defined) = kind.picture(size)
      let meters = try InstructionSet.available.map { set in
        try #require(
          LightMeter(
            kind.frames, size: size, peakLuminance: 1000, scale: .pqSignal, instructionSet: set))
      }
      let (width, height) = (size.width, size.height)
      let parts =
        min(width, height) > 4
        ? [(0..<width, 0..<height), (3..<width - 2, 1..<height - 1)] : [(0..<width, 0..<height)]
      for (columns, lines) in parts {
        let all = meters.map { meter in
          let levels = meter.measure(picture, columns: columns, lines: lines)
          return [levels.minimum, levels.maximum, levels.mean]
        }
        #expect(all.allSatisfy { $0 == all[0] })
        let expected = lines.flatMap { line in
          columns.map { Self.signal(defined.pixel($0, line), isHLG: kind.color == .hlg) }
        }
        let mean = expected.reduce(0, +) / Double(expected.count)
        for (level, expected) in zip(all[0], [expected.min() ?? -1, expected.max() ?? -1, mean]) {
          // Levels are stored in 12 bits. A tenth of a step is allowed.
          #expect(abs(level - expected) < 0.1 / 4095, "\(size)")
        }
      }
    }
  }

  /// A histogram of rows that are far apart counts their pixels with interpolated chroma, which
  /// also comes from rows that are not counted.
  @Test(arguments: Kind.all.shortened(to: 24)) func countedRowsAreInterpolated(kind: Kind) throws {
    let size = VideoDimensions(width: 64, height: 43)
    let (picture, defined) = kind.picture(size)
    let histograms = try InstructionSet.available.map { set in
      let meter = try #require(
        LightMeter(
          kind.frames, size: size, peakLuminance: 1000, scale: .pqSignal, instructionSet: set))
      return meter.histogram(of: picture, step: 8, white: 0.6)
    }
    #expect(histograms.allSatisfy { $0 == histograms[0] })
    var expected = LightHistogram()
    var edges = 0.0
    for line in stride(from: 4, to: 43, by: 8) {
      for column in 0..<64 {
        let signal = Self.signal(defined.pixel(column, line), isHLG: kind.color == .hlg)
        let place = signal * Double(LightHistogram.binCount)
        // Single precision may put pixels at the edge of a bin into the next one.
        if abs(place - place.rounded()) < 0.02 { edges += 1 }
        expected.add(bin: LightHistogram.bin(of: Float(signal)))
      }
    }
    #expect(histograms[0].total == expected.total)
    let moved = zip(histograms[0].counts, expected.counts).reduce(0) { $0 + abs($1.0 - $1.1) }
    #expect(Double(moved) <= 2 * edges)
  }

  /// Cr rises by 200 code values of 10 bits from one chroma column to the next. Cubic convolution
  /// overshoots by 1/16 halfway to the next sample, so R' is 0.5 + 1.4746 · 212.5 / 896. Repeated
  /// samples would give 0.5 + 1.4746 · 200 / 896.
  @Test(arguments: [(ColorDescription.pq, 2454.9), (.hlg, 305.3)])
  func peaksAreThoseOfInterpolatedChroma(color: ColorDescription, peak: Double) throws {
    let frames = FrameDescription(
      signal: SignalDescription(color: color, videoFullRangeFlag: false), format: .yuv420p10)
    let size = VideoDimensions(width: 32, height: 16)
    let meter = try #require(LightMeter(frames, size: size, scale: .luminance))
    let picture = Pictures.make(.yuv420p10, 32, 16) { plane, x, _ in
      plane == 0 ? 502 : plane == 2 && x >= 8 ? 712 : 512
    }
    let levels = meter.measure(picture, columns: 0..<32, lines: 0..<16)
    #expect(abs(levels.maximum - peak) < 0.1, "\(levels)")
  }

  /// Black bars of equal width on both sides, or above and below, are not counted. Black on only
  /// one side is counted, because it may be a dark room.
  @Test func barsAreNotCounted() throws {
    func total(_ width: Int, _ height: Int, _ isLit: @escaping (Int, Int) -> Bool) throws -> Int {
      let picture = Pictures.make(.yuv420p10, width, height) { plane, x, y in
        plane == 0 ? isLit(x, y) ? 700 : 64 : 512
      }
      let meter = try #require(LightMeter(Self.hlg, size: picture.size))
      return meter.histogram(of: picture, step: 2, white: 0.6).total
    }
    #expect(try total(40, 20) { _, _ in true } == 400)
    #expect(try total(100, 20) { x, _ in (30..<70).contains(x) } == 400)
    #expect(try total(40, 60) { _, y in (20..<40).contains(y) } == 400)
    #expect(try total(40, 20) { x, _ in x < 10 } == 400)
  }

  /// HLG's white and all signals above it are 1000 cd/m². A signal of 75 % is 203 cd/m² (BT.2408,
  /// table 1), which is 58 % of PQ.
  @Test func grays() throws {
    let meter = try #require(LightMeter(Self.hlg, size: Self.small))
    for (code, signal, tolerance) in [
      (1019, 0.7518, 0.0002), (940, 0.7518, 0.0002), (721, 0.581, 0.001), (64, 0, 0.0002),
    ] {
      let gray = Pictures.make(.yuv420p10, 32, 4) { plane, _, _ in plane == 0 ? code : 512 }
      let levels = meter.measure(gray, columns: 0..<32, lines: 0..<4)
      #expect(abs(levels.mean - signal) < tolerance)
      #expect(levels.maximum == levels.minimum)
    }
  }

  /// The light of some signals is published. PQ signals of 0.5081 and 1 are 100 and 10 000 cd/m²
  /// (SMPTE ST 2084, annex A), and 58 % of PQ is 203 cd/m² (BT.2408, table 1). 75 % of HLG is 203
  /// cd/m² on a display of 1000 cd/m², and 101 cd/m² on one of 400 cd/m² (BT.2408, 2.2; BT.2100,
  /// note 5f).
  @Test(arguments: [
    (ColorDescription.pq, 1000.0, 509, 100.0, 0.5), (.pq, 1000, 940, 10_000, 0.2),
    (.pq, 1000, 572, 203, 2), (.hlg, 1000, 721, 203, 0.6), (.hlg, 400, 721, 101, 0.5),
    (.hlg, 1000, 940, 1000, 0.02), (.pq, 1000, 64, 0, 1e-4),
  ])
  func luminance(
    color: ColorDescription, peak: Double, code: Int, expected: Double, tolerance: Double
  ) throws {
    let description = FrameDescription(
      signal: SignalDescription(color: color, videoFullRangeFlag: false), format: .yuv420p10)
    let meter = try #require(
      LightMeter(description, size: Self.small, peakLuminance: peak, scale: .luminance))
    let gray = Pictures.make(.yuv420p10, 32, 4) { plane, _, _ in plane == 0 ? code : 512 }
    let levels = meter.measure(gray, columns: 0..<32, lines: 0..<4)
    #expect(abs(levels.maximum - expected) < tolerance, "\(levels)")
    #expect(abs(levels.mean - expected) < tolerance)
  }

  /// SDR has no light in cd/m². No matrix turns constant luminance or ICtCp into R'G'B'.
  @Test func whatCannotBeMeasured() {
    for color in [
      ColorDescription.bt709,
      ColorDescription(.bt2020, .pq, .bt2020Constant), ColorDescription(.bt2020, .pq, .iCtCp),
    ] {
      let description = FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: .yuv420p10)
      #expect(LightMeter(description, size: Self.small) == nil)
    }
  }
}
