// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// The vector code that compares frames agrees with the definition in double precision.
@Suite struct DifferenceMeterTests {
  static let sizes = [
    (8, 8), (9, 11), (16, 16), (33, 21), (64, 36), (127, 70), (130, 9), (3, 3), (320, 200),
  ]

  /// Makes a frame with smooth and busy parts, and a second frame. The two differ less at the top
  /// than below.
  private func pair(
    _ formats: (PixelFormat, PixelFormat), _ width: Int, _ height: Int, seed: UInt64
  ) -> (PixelBuffer, PixelBuffer) {
    var random = SeededGenerator(seed: seed)
    func peak(_ format: PixelFormat) -> Int { 1 << format.bitDepth - 1 }
    let top = 1 << formats.0.bitDepth - 1
    let first = Pictures.make(formats.0, width, height) { plane, x, y in
      let smooth = (x * 5 + y * 3 + plane * 40) * top / 2048
      return min(max(smooth + (x > width / 2 ? .random(in: -40...40, using: &random) : 0), 0), top)
    }
    let planes = (0..<formats.0.planeCount).map { Pictures.samples(first, plane: $0) }
    let shift = formats.0.bitDepth - formats.1.bitDepth
    let second = Pictures.make(formats.1, width, height) { plane, x, y in
      let near = planes[plane][y][x] + .random(in: -9...9, using: &random) * (y > 10 ? 4 : 1)
      return min(max(near, 0), top) >> shift
    }
    return (first, second)
  }

  @Test(arguments: sizes.shortened(to: 6), InstructionSet.available)
  func samplesAreComparedAsDefined(size: (Int, Int), instructionSet: InstructionSet) throws {
    let (width, height) = size
    for (depth, other) in [(8, 8), (10, 10), (10, 8), (16, 16)] {
      let formats = (
        PixelFormat(bitDepth: depth, chromaSubsampling: .cs420),
        PixelFormat(bitDepth: other, chromaSubsampling: .cs420)
      )
      let (first, second) = pair(formats, width, height, seed: UInt64(width + depth))
      let meter = try #require(
        SampleDifferenceMeter(
          formats.0, formats.1, width: width, height: height, instructionSet: instructionSet))
      // The meter measures twice, because the result must not depend on earlier frames.
      _ = meter.measure(second.format == first.format ? second : first, second)
      let planes = meter.measure(first, second)
      for (index, plane) in planes.enumerated() {
        let size = formats.0.planeSize(index, width: width, height: height)
        let a = Pictures.samples(first, plane: index).flatMap { $0.map(Double.init) }
        let b = Pictures.samples(second, plane: index).flatMap {
          $0.map { Double($0 << (depth - other)) }
        }
        let error = SampleDifference.meanSquaredError(a, b)
        let expected = SampleDifference.signalToNoise(meanSquaredError: error, peak: meter.peak)
        let found = SampleDifference.signalToNoise(
          meanSquaredError: plane.squaredError / Double(plane.count), peak: meter.peak)
        #expect(plane.count == size.width * size.height)
        #expect(found == expected || abs(found - expected) < 0.01, "\(found) \(expected)")
        let similarity = SampleDifference.structuralSimilarity(
          a, b, width: size.width, height: size.height, peak: meter.peak)
        #expect((similarity == nil) == (plane.similarity == nil))
        #expect(abs((similarity ?? 0) - (plane.similarity ?? 0)) < 0.0005)
      }
    }
  }

  @Test func sameSamplesHaveNoDifference() throws {
    let format = PixelFormat.yuv420p10
    let (first, _) = pair((format, format), 65, 43, seed: 3)
    let meter = try #require(SampleDifferenceMeter(format, format, width: 65, height: 43))
    for plane in meter.measure(first, first) {
      #expect(plane.squaredError == 0)
      #expect(abs(try #require(plane.similarity) - 1) < 1e-6)
    }
  }

  /// The mean, the 95th percentile and the maximum of ΔE ITP between two frames are right: they
  /// are compared with the definition of ΔE ITP for each pair of pixels.
  @Test(arguments: [
    (ColorDescription.hlg, ColorDescription.bt709), (.pq, .hlg), (.bt709, .bt709),
    (.p3D65, .pq), (.bt2020, .hlg),
  ])
  func lightIsComparedAsDefined(first: ColorDescription, second: ColorDescription) throws {
    let (width, height) = (96, 40)
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    var random = SeededGenerator(seed: 5)
    func pixels(_ color: ColorDescription) -> [Triple] {
      (0..<width * height).map {
        Definition.codes(AccuracyTests.signal($0, &random), of: color, depth: 10)
      }
    }
    let (a, b) = (pixels(first), pixels(second))
    func frame(_ pixels: [Triple]) -> PixelBuffer {
      Pictures.make(format, width, height) { Int(pixels[$2 * width + $1][$0]) }
    }
    func description(_ color: ColorDescription) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: format)
    }
    let meter = try LightDifferenceMeter(
      description(first), description(second), width: width, height: height)
    let found = meter.measure(frame(a), frame(b))
    let target = ColorDescription(.bt2020, .pq, .iCtCp)
    let full = (0..<3).map {
      Quantization(component: $0, of: .iCtCp, isFullRange: true, bitDepth: 16)
    }
    func iCtCp(_ codes: Triple, _ color: ColorDescription) throws -> Triple {
      let codes = try Definition.convert(
        codes, from: color, to: target, sourceDepth: 10, targetDepth: 16, isFullTarget: true,
        isMapped: false)
      return Triple((0..<3).map { full[$0].signal(codes[$0]) })
    }
    let expected = try zip(a, b).map {
      ICtCp.difference(try iCtCp($0, first), try iCtCp($1, second))
    }.sorted()
    let mean = expected.reduce(0, +) / Double(expected.count)
    let percentile = expected[Int((0.95 * Double(expected.count)).rounded(.up)) - 1]
    #expect(abs(found.mean - mean) < 0.02, "\(found.mean) \(mean)")
    #expect(abs(found.percentile95 - percentile) < 0.02, "\(found) \(percentile)")
    let maximum = try #require(expected.last)
    #expect(abs(found.maximum - maximum) < 0.02, "\(found) \(maximum)")
    #expect(meter.summary == found)
  }
}
