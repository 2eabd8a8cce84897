// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import Testing

@testable import ColorConversion

/// A plan names options that do nothing, and says what it assumes.
@Suite struct PlanNotesTests {
  private func plan(
    _ source: ColorDescription, _ target: ColorDescription, format: PixelFormat = .yuv420p10,
    lux: Double? = nil, maxCLL: UInt16? = nil,
    _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> ConversionPlan {
    var options = ConversionOptions()
    change(&options)
    var from = FrameDescription(
      signal: SignalDescription(color: source), format: .yuv420p10)
    from.staticHDRMetadata.contentLightLevel = maxCLL.map {
      ContentLightLevel(maxContentLightLevel: $0, maxPicAverageLightLevel: 0)
    }
    from.staticHDRMetadata.ambientViewingEnvironment = lux.map {
      AmbientViewingEnvironment(
        ambientIlluminance: UInt32($0 * 10_000), ambientLightX: 15_635, ambientLightY: 16_450)
    }
    return try ConversionPlan(
      from: from, to: FrameDescription(signal: SignalDescription(color: target), format: format),
      options: options)
  }

  private struct Case: CustomTestStringConvertible {
    let source: ColorDescription
    let target: ColorDescription
    let idle: Set<String>
    let change: @Sendable (inout ConversionOptions) -> Void
    var testDescription: String { "\(source) → \(target): \(idle)" }
  }

  private static let sRGB = ColorDescription(.bt709, .sRGB, .bt709)

  private static let cases: [Case] = [
    Case(source: .hlg, target: .bt709, idle: []) { _ in },
    Case(source: .hlg, target: .bt709, idle: ["headroom"]) { $0.headroom = 2 },
    Case(source: .hlg, target: .pq, idle: []) { $0.headroom = 2 },
    Case(source: .hlg, target: .pq, idle: ["headroom"]) { $0.headroom = 10 },
    Case(source: .bt709, target: .pq, idle: ["headroom"]) { $0.headroom = 2 },
    Case(source: .bt709, target: .pq, idle: ["headroom"]) {
      ($0.headroom, $0.inverseToneMapping) = (2, .bt2446c)
    },
    Case(source: .bt709, target: .pq, idle: []) {
      ($0.headroom, $0.inverseToneMapping) = (2, .bt2446a)
    },
    Case(source: .bt709, target: .hlg, idle: ["inverseToneMapping"]) {
      ($0.sdrReading, $0.inverseToneMapping) = (.scene, .bt2446a)
    },
    Case(source: .hlg, target: .bt709, idle: ["hlgSurround"]) { $0.hlgSurround = .source },
    Case(source: .hlg, target: sRGB, idle: ["sdrReading"]) { $0.sdrReading = .scene },
    Case(source: .hlg, target: .bt709, idle: []) { $0.sdrReading = .scene },
    Case(source: .hlg, target: .hlg, idle: ["toneMapping", "hlgPeakLuminance"]) {
      ($0.toneMapping, $0.hlgPeakLuminance) = (.bt2390, 400)
    },
    Case(source: .hlg, target: .bt709, idle: ["toneMappingNorm"]) {
      ($0.toneMapping, $0.toneMappingNorm) = (.bt2446a, .maxRGB)
    },
    Case(source: .hlg, target: .bt709, idle: ["highlightDetail"]) {
      ($0.toneMapping, $0.highlightDetail) = (.bt2390, 0.5)
    },
    Case(source: .bt2020, target: .bt709, idle: ["highlightDetail"]) { $0.highlightDetail = 1 },
    Case(source: .pq, target: .bt709, idle: []) { $0.highlightDetail = 1 },
    Case(source: .pq, target: .hlg, idle: ["hdrReferenceWhite"]) { $0.hdrReferenceWhite = 100 },
    Case(source: .bt709, target: .hlg, idle: []) { $0.hdrReferenceWhite = 100 },
    Case(source: .bt2020, target: .bt709, idle: ["toneMapping", "dither"]) {
      ($0.toneMapping, $0.dither) = (.reinhard, .errorDiffusion)
    },
  ]

  @Test(arguments: cases)
  private func whatDoesNothingIsSaid(example: Case) throws {
    let plan = try plan(example.source, example.target, example.change)
    let keys = plan.idleOptions.compactMap { $0.arguments["key"] }
    #expect(Set(keys) == Set(example.idle.map { "video.conversion.\($0)" }))
  }

  /// H.265, D.3.39, does not allow an ambient illuminance of 0. Less than 0.1 lux is not plausible,
  /// and neither is more than direct sunlight, 100 000 lux.
  @Test(arguments: [(0.0, false), (0.01, false), (5, true), (314, true), (429_496, false)])
  func implausibleSurroundsAreIgnored(lux: Double, isUsed: Bool) throws {
    let plan = try plan(.hlg, .bt709, lux: lux) { $0.hlgSurround = .source }
    #expect(plan.steps.contains { "\($0)".contains("in a surround of") } == isUsed)
    #expect(plan.assumptions.map(\.code) == (isUsed ? [] : ["ambientLightIgnored"]))
  }

  @Test func anAssumedPeakIsCalledAssumed() throws {
    func text(_ plan: ConversionPlan) -> String { plan.steps.map(\.description).joined() }
    let silent = try plan(.pq, .bt709)
    #expect(text(silent).contains("from 1000 (assumed) to 203 cd/m²"))
    #expect(silent.assumptions.map(\.code) == ["peakLuminanceAssumed"])
    #expect(silent.assumptions.first?.arguments == ["luminance": "1000"])
    #expect(try plan(.pq, .hlg).assumptions == silent.assumptions)
    #expect(try plan(.pq, .pq).assumptions.isEmpty)
    let stated = try plan(.pq, .bt709, maxCLL: 1000)
    #expect(text(stated).contains("from 1000 to 203") && stated.assumptions.isEmpty)
    let odd = try plan(.pq, .bt709, maxCLL: 65_535)
    #expect(odd.assumptions.contains { $0.arguments["luminance"] == "65535" })
    // Method C of BT.2446 is the same for every source, so no peak is assumed.
    let fixed = try plan(.pq, .bt709) { $0.toneMapping = .bt2446c }
    #expect(text(fixed).contains("tone map by 'bt2446c' to 203 cd/m²") && fixed.assumptions.isEmpty)
  }

  @Test func stepsSayWhatIsDone() throws {
    let rgb = ColorDescription(.bt709, .sRGB, .identity)
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    let source = FrameDescription(
      signal: SignalDescription(color: rgb), format: format, isInterlaced: true)
    let target = FrameDescription(
      signal: SignalDescription(color: .bt709), format: .yuv420p10)
    let steps = try ConversionPlan(from: source, to: target).steps.map(\.description)
    #expect(steps.contains("samples are R'G'B', identity (0)"), "\(steps)")
    #expect(steps.contains("reduce chroma to 4:2:0, left (0), in each field"))
  }
}
