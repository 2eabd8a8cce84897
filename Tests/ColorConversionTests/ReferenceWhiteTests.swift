// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import Testing

@testable import ColorConversion

/// Conversions between SDR and HDR put white and the peaks where they belong. Options can move
/// white and the peaks.
@Suite struct ReferenceWhiteTests {
  private static let full444 = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
  private static let light = ColorDescription(.bt2020, .linear, .bt2020NonConstant)

  /// Converts grays without dither, and returns their signals (0…1).
  private static func grays(
    _ signals: [Double], _ source: ColorDescription, _ target: ColorDescription,
    _ change: (inout ConversionOptions) -> Void
  ) throws -> [Double] {
    var options = ConversionOptions()
    options.dither = .none
    change(&options)
    func description(_ color: ColorDescription) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: color, videoFullRangeFlag: false), format: full444)
    }
    let plan = try ConversionPlan(
      from: description(source), to: description(target), options: options)
    let picture = Pictures.make(full444, signals.count, 1) { plane, x, _ in
      plane == 0 ? Int((64 + 876 * signals[x]).rounded()) : 512
    }
    let result = FrameConverter(plan: plan, width: signals.count, height: 1).convert(picture)
    return Pictures.samples(result, plane: 0)[0].map { (Double($0) - 64) / 876 }
  }

  /// BT.2408, 2.1: diffuse white is 75 % of HLG on every display, because HLG is relative.
  @Test(arguments: [100.0, 400, 1000, 2000, 10_000])
  func whiteIsThreeQuartersOfHLG(peak: Double) throws {
    let hlg = try Self.grays([1], .bt709, .hlg) { $0.hlgPeakLuminance = peak }
    #expect(abs(hlg[0] - 0.75) < 0.001, "\(hlg)")
    let sdr = try Self.grays([0.75], .hlg, .bt709) {
      ($0.hlgPeakLuminance, $0.toneMapping) = (peak, .none)
    }
    #expect(abs(sdr[0] - 1) < 0.0015, "\(sdr)")
    let mapped = try Self.grays([0.75, 1], .hlg, .bt709) { $0.hlgPeakLuminance = peak }
    #expect(abs(mapped[0] - 0.9) < 0.02 && abs(mapped[1] - 1) < 0.002, "\(mapped)")
  }

  /// If white is stated, it is absolute: here, 203 cd/m² on a display of 400 cd/m². For this
  /// display, BT.2100's OOTF has the gamma 1.2 + 0.42 · log10(0.4) = 1.0329, so scene light is
  /// 0.5187, and the signal is 0.8786.
  @Test func aStatedWhiteIsAbsolute() throws {
    let hlg = try Self.grays([1], .bt709, .hlg) {
      ($0.hlgPeakLuminance, $0.hdrReferenceWhite) = (400, 203)
    }
    #expect(abs(hlg[0] - 0.8786) < 0.001, "\(hlg)")
  }

  /// PQ is absolute: 203 cd/m² is 58 % of PQ (BT.2408, 2.1). The peak of HLG's display does not
  /// matter.
  @Test func whiteOfPQStays() throws {
    let pq = try Self.grays([1], .bt709, .pq) { $0.hlgPeakLuminance = 400 }
    #expect(abs(pq[0] - 0.5807) < 0.001, "\(pq)")
  }

  /// Method A of BT.2446 expands SDR white to the peak, and not beyond.
  @Test(arguments: [400.0, 1000, 2000])
  func expansionEndsAtThePeak(peak: Double) throws {
    let hlg = try Self.grays([0.5, 0.8, 0.9, 1], .bt709, .hlg) {
      ($0.hlgPeakLuminance, $0.inverseToneMapping) = (peak, .bt2446a)
    }
    #expect(hlg == hlg.sorted() && hlg[2] < 0.97, "\(hlg)")
    #expect(abs(hlg[3] - 1) < 0.01, "\(hlg)")
  }

  /// With a headroom of 2, expansion ends at twice diffuse white: 406 cd/m², or 65.4 % of PQ (ST
  /// 2084).
  @Test func expansionEndsAtTheHeadroom() throws {
    let pq = try Self.grays([1], .bt709, .pq) {
      ($0.headroom, $0.inverseToneMapping) = (2, .bt2446a)
    }
    #expect(abs(pq[0] - PQ.inverseEOTF(406)) < 0.005, "\(pq)")
  }

  /// sRGB and gamma 2.2 are display curves, so scene light is never written with them.
  @Test(arguments: [TransferCharacteristics.sRGB, .gamma22])
  func onlyCameraCurvesAreReadAsTheScene(transfer: TransferCharacteristics) throws {
    let target = ColorDescription(.bt709, transfer, .bt709)
    let signals = [0.1, 0.2, 0.5, 0.75]
    let scene = try Self.grays(signals, .hlg, target) { $0.sdrReading = .scene }
    #expect(try scene == Self.grays(signals, .hlg, target) { _ in })
    let camera = try Self.grays([0.75], .hlg, .bt709) { $0.sdrReading = .scene }
    #expect(abs(camera[0] - 1) < 0.002, "\(camera)")
  }

  /// In an integer format, linear light cannot go beyond 1, so it is tone-mapped: highlights stay
  /// apart, and diffuse white lies below 1.
  @Test func linearLightOfWholeNumbersIsToneMapped() throws {
    let linear = try Self.grays([0.75, 0.85, 1], .hlg, Self.light) { _ in }
    #expect(linear[0] < linear[1] - 0.02 && linear[1] < linear[2] - 0.02, "\(linear)")
    #expect(abs(linear[2] - 1) < 0.01)
  }
}
