// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// Tone mapping keeps these promises with every operator.
@Suite struct ToneMappingTests {
  private static let full444 = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)

  private static func description(
    _ color: ColorDescription, _ format: PixelFormat = full444
  ) -> FrameDescription {
    var description = FrameDescription(
      signal: SignalDescription(color: color, videoFullRangeFlag: false), format: format)
    description.toneMap = HeadroomAdaptiveToneMap(
      referenceWhiteCurveFor: binaryLogarithm(1000 / 203))
    return description
  }

  private static func options(
    _ change: (inout ConversionOptions) -> Void
  ) -> ConversionOptions {
    var options = ConversionOptions()
    options.dither = .none
    change(&options)
    return options
  }

  /// Returns the luma codes of a gray ramp, and how far its chroma is from neutral.
  private static func ramp(
    _ source: ColorDescription, _ target: ColorDescription, _ options: ConversionOptions
  ) throws -> (luma: [Int], chroma: Int) {
    let plan = try ConversionPlan(
      from: description(source), to: description(target), options: options)
    let picture = Pictures.make(full444, 877, 2) { plane, x, _ in plane == 0 ? 64 + x : 512 }
    let result = FrameConverter(plan: plan, width: 877, height: 2).convert(picture)
    let chroma = (1...2).flatMap { Pictures.samples(result, plane: $0)[1] }.map { abs($0 - 512) }
    return (Pictures.samples(result, plane: 0)[1], chroma.max() ?? 0)
  }

  @Test(arguments: ConversionOptions.ToneMapping.allCases, [ColorDescription.hlg, .pq])
  func neutralStaysNeutralBlackBlackAndTheRampRises(
    tone: ConversionOptions.ToneMapping, source: ColorDescription
  ) throws {
    for norm in ToneNorm.allCases {
      let (luma, chroma) = try Self.ramp(
        source, .bt709,
        Self.options {
          $0.toneMapping = tone
          $0.toneMappingNorm = norm
        })
      #expect(chroma == 0, "\(tone) \(norm)")
      #expect(luma[0] == 64, "\(tone) \(norm)")
      #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 }, "\(tone) \(norm)")
      // The ramp ends at white, even for PQ, which goes up to 10 000 cd/m². Only method C can end
      // elsewhere.
      #expect(luma[876] == 940 || tone == .bt2446c, "\(tone) \(norm)")
    }
  }

  /// The same light becomes nearly the same luma, whether it comes as HLG or as PQ.
  @Test(arguments: [18.0, 51, 100, 203, 400, 800])
  func hlgAndPQAgree(luminance: Double) throws {
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    let scene = HLG.inverseOOTF(
      Triple(repeating: luminance), weights: weights, peakLuminance: 1000)
    let hlg = Int((HLG.oetf(scene.x) * 876).rounded())
    let pq = Int((PQ.inverseEOTF(luminance) * 876).rounded())
    let fromHLG = try Self.ramp(.hlg, .bt709, Self.options { _ in }).luma[hlg]
    let fromPQ = try Self.ramp(.pq, .bt709, Self.options { _ in }).luma[pq]
    #expect(abs(fromHLG - fromPQ) <= 3)
  }

  /// If HDR becomes HDR with a lower peak, the brightest gray gets the luminance of that peak, in
  /// cd/m².
  @Test func headroomAndPeaksLimitHDR() throws {
    func peak(
      _ target: ColorDescription, mastered: Double?, _ change: (inout ConversionOptions) -> Void
    ) throws -> (luminance: Double, isMapped: Bool) {
      var source = Self.description(.pq)
      source.staticHDRMetadata.masteringDisplay = mastered.map {
        MasteringDisplayColorVolume(
          green: .init(x: 0, y: 0), blue: .init(x: 0, y: 0), red: .init(x: 0, y: 0),
          whitePoint: .init(x: 0, y: 0), maxDisplayMasteringLuminance: UInt32($0 * 10_000),
          minDisplayMasteringLuminance: 0)
      }
      let plan = try ConversionPlan(
        from: source, to: Self.description(target, .halfRGBA), options: Self.options(change))
      let code = Int((64 + 876 * PQ.inverseEOTF(mastered ?? 1000)).rounded())
      let picture = Pictures.make(Self.full444, 16, 2) { plane, _, _ in plane == 0 ? code : 512 }
      let result = FrameConverter(plan: plan, width: 16, height: 2).convert(picture)
      let signal = Double(
        (result.planes[0].baseAddress + 8).load(as: Float16.self))
      let luminance =
        target == .pq
        ? PQ.eotf(signal)
        : 1000 * HLG.inverseOETF(signal) * HLG.inverseOETF(signal).ootfGain
      return (luminance, plan.steps.contains { if case .toneMap = $0 { true } else { false } })
    }
    let bright = try peak(.hlg, mastered: 4000) { _ in }
    #expect(bright.isMapped)
    #expect(abs(bright.luminance - 1000) < 15)
    let half = try peak(.pq, mastered: 1000) { $0.headroom = 2 }
    #expect(abs(half.luminance - 406) < 6)
    #expect(try !peak(.pq, mastered: 1000) { _ in }.isMapped)
    #expect(throws: ConversionRefusal.self) {
      try peak(.pq, mastered: 1000) { ($0.headroom, $0.toneMapping) = (2, .bt2446a) }
    }
  }

  /// In HDR, SDR's white is at 203 cd/m² (BT.2408), or is expanded to 1000 cd/m² (BT.2446, method
  /// A).
  @Test(arguments: [(ConversionOptions.InverseToneMapping.none, 203.0), (.bt2446a, 1000)])
  func whiteOfSDRInHDR(inverse: ConversionOptions.InverseToneMapping, luminance: Double) throws {
    let ramp = try Self.ramp(.bt709, .pq, Self.options { $0.inverseToneMapping = inverse })
    #expect(ramp.luma[0] == 64)
    #expect(ramp.chroma <= 1)
    let expected = 64 + 876 * PQ.inverseEOTF(luminance)
    #expect(abs(Double(ramp.luma[876]) - expected) < 4)
    #expect(zip(ramp.luma, ramp.luma.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// After a conversion there and back, grays are off by one code value at most.
  @Test(arguments: [
    (ColorDescription.bt709, ColorDescription.bt2020), (.hlg, .pq), (.bt709, .hlg),
  ])
  func neutralsReturn(first: ColorDescription, second: ColorDescription) throws {
    let options = Self.options {
      $0.toneMapping = .none
      $0.gamutMapping = .none
    }
    let there = try ConversionPlan(
      from: Self.description(first), to: Self.description(second), options: options)
    let back = try ConversionPlan(
      from: Self.description(second), to: Self.description(first), options: options)
    let picture = Pictures.make(Self.full444, 877, 1) { plane, x, _ in plane == 0 ? 64 + x : 512 }
    let middle = FrameConverter(plan: there, width: 877, height: 1).convert(picture)
    let result = FrameConverter(plan: back, width: 877, height: 1).convert(middle)
    let luma = Pictures.samples(result, plane: 0)[0]
    let worst = luma.enumerated().map { abs($1 - 64 - $0) }.max() ?? 0
    #expect(worst <= 1)
    for plane in 1...2 {
      let isNeutral = Pictures.samples(result, plane: plane)[0].allSatisfy { $0 == 512 }
      #expect(isNeutral)
    }
  }

  /// NaN and infinite numbers become samples within the range.
  @Test func whatIsNoNumberIsContained() throws {
    let linear = ColorDescription(.bt2020, .linear, .bt2020NonConstant)
    let strange: [Float16] = [.nan, .infinity, -.infinity, 65504, -65504, .leastNonzeroMagnitude]
    let picture = PixelBufferPool(.halfRGBA, width: 64, height: 4).makeBuffer(
      attachments: Attachments()
    ) { planes in
      for y in 0..<4 {
        let row = (planes[0].baseAddress + y * planes[0].bytesPerRow)
          .assumingMemoryBound(to: Float16.self)
        for x in 0..<256 { row[x] = strange[(x * 7 + y) % strange.count] }
      }
    }
    for target in [ColorDescription.bt709, .hlg, .pq] {
      let plan = try ConversionPlan(
        from: Self.description(linear, .halfRGBA), to: Self.description(target),
        options: Self.options { _ in })
      for set in InstructionSet.available {
        let result = FrameConverter(
          plan: plan, width: 64, height: 4, instructionSet: set
        ).convert(picture)
        for plane in 0..<3 {
          let isInside = Pictures.samples(result, plane: plane).joined().allSatisfy {
            (0...1023).contains($0)
          }
          #expect(isInside, "\(target) \(set)")
        }
      }
    }
  }
}

extension Double {
  /// The factor x^0.2, by which HLG's OOTF at 1000 cd/m² multiplies a gray.
  fileprivate var ootfGain: Double { ComponentTransfer.gamma(0.2).toLinear(self) }
}

extension ConversionStep {
  /// Whether the step is one of those from R'G'B' to R'G'B'.
  fileprivate var isBetweenSignals: Bool {
    switch self {
    case .upsampleChroma, .dequantize, .toRGB, .fromRGB, .downsampleChroma, .quantize: false
    default: true
    }
  }
}
