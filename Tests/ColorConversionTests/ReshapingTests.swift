// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Conversions of Dolby Vision's base layers match the definition in double precision.
@Suite struct ReshapingTests {
  /// Returns curves of the kinds that RPUs have: eight quadratic pieces for luma, and regressions
  /// of order 1 to 3 for chroma.
  private static func curves(_ random: inout SeededGenerator) -> [SignalReshaping.Curve] {
    let pivots = [0, 5, 10, 20, 39, 256, 512, 768, 1023].map { Double($0) / 1023 }
    let bend = Double.random(in: -0.2...0.2, using: &random)
    let luma = SignalReshaping.Piece.polynomial([0.01, 0.98 - bend, bend])
    return [SignalReshaping.Curve(pivots: pivots, pieces: .init(repeating: luma, count: 8))]
      .compactMap { $0 }
      + (1...2).compactMap { component in
        var rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          (0..<7).map { _ in Double.random(in: -0.05...0.05, using: &random) }
        }
        rows[0][component] += 1
        return SignalReshaping.Curve(
          pivots: [0, 1], pieces: [.regression(constant: 0.02, coefficients: rows)])
      }
  }

  static let targets: [(color: ColorDescription, depth: Int)] = [
    (.pq, 10), (.pq, 12), (.hlg, 10), (.bt709, 8),
  ]

  /// What the samples of a test are.
  enum Samples: CaseIterable {
    case scenes, noiseInBlack
    /// One component of light is nearly 0 beside the others. In single precision, it would be off
    /// by several codes.
    case edgeOfGamut

    func make(_ reshaping: SignalReshaping, _ random: inout SeededGenerator) -> [Int] {
      let (luma, chroma) =
        switch self {
        case .scenes: (0...1023, 420...600)
        case .noiseInBlack: (0...40, 500...524)
        case .edgeOfGamut: (0...1023, 0...1023)
        }
      while true {
        let samples = [luma, chroma, chroma].map { Int.random(in: $0, using: &random) }
        guard self == .edgeOfGamut else { return samples }
        let light = reshaping.light(
          of: Triple(samples.map { Double($0) / 1023 }), middle: 512 / 1023)
        if light.min() > 0, light.min() < light.max() / 1000 { return samples }
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3], Samples.allCases)
  func samplesAreRightToHalfACode(seed: UInt64, kind: Samples) throws {
    var random = SeededGenerator(seed: seed)
    let reshaping = kind == .scenes ? SignalReshaping.ipt.with(Self.curves(&random)) : .ipt
    let (width, height) = (64, 32)
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    let samples = (0..<width * height).map { _ in kind.make(reshaping, &random) }
    let picture = Pictures.make(format, width, height) { samples[$2 * width + $1][$0] }
    var base = FrameDescription(
      signal: SignalDescription(color: .pq, videoFullRangeFlag: true), format: format)
    base.needsReshaping = true
    for (color, depth) in Self.targets {
      let target = FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false),
        format: PixelFormat(bitDepth: depth, chromaSubsampling: .cs444))
      var options = ConversionOptions()
      options.dither = .none
      let plan = try ConversionPlan(from: base, to: target, options: options)
      let result = FrameConverter(plan: plan, width: width, height: height).convert(
        picture, reshaping: reshaping)
      let define = PixelDefinition(plan.reshaped(by: reshaping))
      let planes = (0..<3).map { Pictures.samples(result, plane: $0) }
      var worst = 0.0
      for (index, sample) in samples.enumerated() {
        let codes = Triple(Double(sample[0]), Double(sample[1] - 512), Double(sample[2] - 512))
        let expected = define(codes)
        for plane in 0..<3 {
          let code = min(max(expected[plane], 0), Double((1 << depth) - 1))
          worst = max(worst, abs(Double(planes[plane][index / width][index % width]) - code))
        }
      }
      #expect(worst <= 0.6, "\(color), \(depth) bits: \(worst)")
    }
  }

  /// In black, noise makes components of any size beside each other. If most of these pixels were
  /// computed in double precision, a dark film would take twice as long.
  @Test func fewPixelsOfBlackAreInDoubt() {
    var doubt = PrecisionDoubt(.yuv420p10)
    doubt.read(.pq)
    doubt.mix(SignalReshaping.ipt.conesToRGB)
    let share = doubt.uncertainShare(before: .pq)
    let light = 0.01 / PQ.peakLuminance
    #expect(doubt.slopeOfShare(before: .pq, after: .pq) * light < share / 10)
  }

  /// A sample on a pivot belongs to the piece that begins there, even if the curve jumps at that
  /// pivot and rounding moves the sample.
  @Test(arguments: [8, 10, 12]) func piecesBeginAtTheirPivots(depth: Int) throws {
    var random = SeededGenerator(seed: UInt64(depth))
    let largest = (1 << depth) - 1
    let side = 1 << (depth / 2)
    var base = FrameDescription(
      signal: SignalDescription(color: .pq, videoFullRangeFlag: true),
      format: PixelFormat(bitDepth: depth, chromaSubsampling: .cs444))
    base.needsReshaping = true
    let target = FrameDescription(
      signal: SignalDescription(color: .pq, videoFullRangeFlag: false),
      format: PixelFormat(bitDepth: 12, chromaSubsampling: .cs444))
    var options = ConversionOptions()
    options.dither = .none
    let plan = try ConversionPlan(from: base, to: target, options: options)
    let picture = Pictures.make(base.format, side, side) { plane, x, y in
      plane == 0 ? y * side + x : (largest + 1) / 2
    }
    for count in 1...SignalReshaping.Curve.mostPieces {
      let inner = Set((1..<count).map { _ in Int.random(in: 1..<largest, using: &random) }).sorted()
      let pivots = [0] + inner + [largest]
      let luma = try #require(
        SignalReshaping.Curve(
          pivots: pivots.map { Double($0) / Double(largest) },
          pieces: pivots.dropLast().indices.map { .polynomial([0.9 - 0.1 * Double($0), 0, 0]) }))
      let result = FrameConverter(plan: plan, width: side, height: side).convert(
        picture, reshaping: SignalReshaping.ipt.with([luma, .identity, .identity]))
      let codes = Array(Pictures.samples(result, plane: 0).joined())
      for code in 0...largest {
        let piece = inner.count { $0 <= code }
        let expected = 256 + 3504 * (0.9 - 0.1 * Double(piece))
        #expect(abs(Double(codes[code]) - expected) <= 2, "\(count) pieces, code \(code)")
      }
    }
  }

  /// A plan has a reshaping step only if the frames need reshaping.
  @Test func plans() throws {
    let target = FrameDescription(
      signal: SignalDescription(color: .pq, videoFullRangeFlag: false), format: .yuv420p10)
    var base = target
    #expect(try ConversionPlan(from: base, to: target).isIdentity)
    base.needsReshaping = true
    base.signal.videoFullRangeFlag = true
    let plan = try ConversionPlan(from: base, to: target)
    #expect(plan.steps.contains { if case .reshape = $0 { true } else { false } })
  }

  /// A plan for HDR10 contains a second plan for the base layer, unless the HDR10 frames need no
  /// conversion. The second plan has the same steps as a plan that is made for the base layer
  /// directly.
  @Test(arguments: [ColorDescription.bt709, .hlg, ColorDescription(.bt2020, .pq, .iCtCp), .pq])
  func conversionsTakeTheBaseLayer(color: ColorDescription) throws {
    let hdr10 = FrameDescription(
      signal: SignalDescription(color: .pq, videoFullRangeFlag: false), format: .yuv420p10)
    var base = hdr10
    base.needsReshaping = true
    base.signal.videoFullRangeFlag = true
    let target = FrameDescription(
      signal: SignalDescription(color: color, videoFullRangeFlag: false), format: .yuv420p10)
    let plan = try ConversionPlan(from: hdr10, to: target)
    if plan.isIdentity {
      #expect(plan.reshaping == nil)
    } else {
      #expect(try plan.reshaping?.steps == ConversionPlan(from: base, to: target).steps)
    }
  }
}
