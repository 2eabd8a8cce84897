// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import Testing

@testable import ColorConversion

@Suite struct ConversionPlanTests {
  private func picture(
    _ color: ColorDescription, full: Bool? = nil, location: ChromaLocation? = nil,
    format: PixelFormat = .yuv420p10
  ) -> FrameDescription {
    FrameDescription(
      signal: SignalDescription(
        color: color, videoFullRangeFlag: full, chromaLocation: location), format: format)
  }

  /// If source and target mean the same, pixels stay as they are, whatever the code points are.
  @Test(
    arguments: [
      (.hlg, .hlg), (.bt709, ColorDescription(.bt709, .smpte170M, .bt709)),
      (.bt2020, ColorDescription(.bt2020, .bt2020TenBit, .bt2020NonConstant)),
      (.bt601With625Lines, ColorDescription(.bt470BG, .bt709, .bt470BG)),
      (.hlg, .unspecified), (.unspecified, .hlg),
    ] as [(ColorDescription, ColorDescription)])
  func pixelsStayWhereTheMeaningIsTheSame(source: ColorDescription, target: ColorDescription) throws
  {
    #expect(try ConversionPlan(from: picture(source), to: picture(target)).isIdentity)
  }

  @Test func whatTheTargetLeavesOpenIsNoDifference() throws {
    let source = picture(.hlg, full: true, location: .topLeft)
    #expect(try ConversionPlan(from: source, to: picture(.hlg)).isIdentity)
    #expect(
      try !ConversionPlan(from: source, to: picture(.hlg, full: false)).isIdentity)
    // An unstated range counts as limited, and an unstated chroma location as left.
    let stated = picture(.hlg, full: false, location: .left)
    #expect(try ConversionPlan(from: picture(.hlg), to: stated).isIdentity)
  }

  @Test func anHDRSourceIsToneMappedOnlyIntoSDR() throws {
    func isToneMapped(_ target: ColorDescription) throws -> Bool {
      try ConversionPlan(from: picture(.hlg), to: picture(target)).steps.contains {
        if case .toneMap = $0 { true } else { false }
      }
    }
    #expect(try isToneMapped(.bt709))
    #expect(try !isToneMapped(.pq))
  }

  /// The peak of a PQ source is MaxCLL if that is plausible. Otherwise, it is the mastering
  /// display's peak if that is plausible. Otherwise, it is 1000 cd/m².
  @Test(
    arguments: [
      (600, nil, 600), (50, 4000, 4000), (300, 4000, 300), (nil, nil, 1000), (0, 20_000, 1000),
    ]
      as [(UInt16?, Double?, Double)])
  func thePeakOfPQ(maxCLL: UInt16?, display: Double?, expected: Double) throws {
    var source = picture(.pq)
    source.staticHDRMetadata.contentLightLevel = maxCLL.map {
      ContentLightLevel(maxContentLightLevel: $0, maxPicAverageLightLevel: 0)
    }
    source.staticHDRMetadata.masteringDisplay = display.map {
      MasteringDisplayColorVolume(
        green: .init(x: 0, y: 0), blue: .init(x: 0, y: 0), red: .init(x: 0, y: 0),
        whitePoint: .init(x: 0, y: 0), maxDisplayMasteringLuminance: UInt32($0 * 10_000),
        minDisplayMasteringLuminance: 0)
    }
    let plan = try ConversionPlan(from: source, to: picture(.bt709))
    let peaks = plan.steps.compactMap { step -> Double? in
      guard case .toneMap(.curve(let map), _) = step else { return nil }
      return (map.curve as? SplineToneCurve)?.sourcePeak
    }
    #expect(abs((peaks.first ?? 0) - expected) < 1e-9)
  }

  @Test func unknownFunctionsAreRefusedWithBothEnds() {
    let reserved = ColorDescription(.bt709, TransferCharacteristics(rawValue: 3), .bt709)
    let error = #expect(throws: ConversionRefusal.self) {
      try ConversionPlan(from: picture(reserved), to: picture(.hlg))
    }
    #expect(error?.description.contains("reserved (3)") == true)
    #expect(error?.description.contains("HLG (18)") == true)
  }
}
