// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import NALUnits

/// Sequence parameter sets are read from byte tables.
@Suite struct ParameterSetTests {
  struct Expected: Sendable {
    let name: String
    /// Number, profile, level, chroma format, bit depth, width, height.
    let numbers: [Int]
    /// Color, range and chroma location; `nil` without VUI.
    let signal: SignalDescription?
    var aspect: [UInt16] = []
  }

  static let expected = [
    Expected(
      name: "hevc-sps", numbers: [0, 2, 30, 1, 10, 64, 64],
      signal: SignalDescription(
        color: .hlg, videoFullRangeFlag: false, chromaLocation: .topLeft)),
    Expected(name: "hevc-sps-no-vui", numbers: [0, 2, 123, 1, 10, 1920, 1080], signal: nil),
    Expected(
      name: "hevc-sps-empty-vui", numbers: [0, 2, 123, 1, 10, 1920, 1080],
      signal: SignalDescription()),
    Expected(
      name: "hevc-sps-full-vui", numbers: [0, 2, 123, 1, 10, 1920, 1080],
      signal: SignalDescription(color: .pq, videoFullRangeFlag: false, chromaLocation: .left),
      aspect: [4, 3]),
    Expected(
      name: "hevc-sps-range-only", numbers: [0, 2, 123, 1, 10, 1920, 1080],
      signal: SignalDescription(videoFullRangeFlag: true)),
    Expected(
      name: "hevc-sps-rich", numbers: [3, 2, 123, 1, 10, 1920, 1080],
      signal: SignalDescription(color: .hlg, videoFullRangeFlag: false)),
    Expected(
      name: "avc-sps", numbers: [0, 66, 10, 1, 8, 64, 64],
      signal: SignalDescription(color: .bt709, videoFullRangeFlag: true)),
    Expected(name: "avc-sps-no-vui", numbers: [2, 77, 31, 1, 8, 1280, 720], signal: nil),
    Expected(
      name: "avc-sps-full-vui", numbers: [2, 100, 40, 1, 8, 1920, 1080],
      signal: SignalDescription(
        color: ColorDescription(.smpte170M, .smpte170M, .smpte170M), videoFullRangeFlag: false,
        chromaLocation: .left), aspect: [12, 11]),
    Expected(
      name: "avc-sps-high-422", numbers: [2, 122, 31, 2, 10, 1280, 720],
      signal: SignalDescription(color: .bt709, videoFullRangeFlag: true)),
  ]

  private static func parameterSet(_ name: String) throws -> SequenceParameterSet {
    try Units.parameterSet(Units.payload(Units.unit(name), name), name)
  }

  @Test(arguments: expected) func parameterSets(expected: Expected) throws {
    let set = try Self.parameterSet(expected.name)
    #expect(
      [
        Int(set.parameterSetID), set.profileIdc, set.levelIdc, set.chromaFormatIdc,
        set.bitDepthLuma, set.width, set.height,
      ] == expected.numbers)
    #expect(set.bitDepthChroma == set.bitDepthLuma)
    #expect(set.vui?.signal == expected.signal)
    #expect(set.isHighTier == (expected.name == "hevc-sps-rich"))
    #expect(set.isFrameOnly == (expected.name != "avc-sps-full-vui"))
    if !expected.aspect.isEmpty {
      #expect(set.vui?.aspectRatioIdc == 255)
      #expect(set.vui.map { [$0.sarWidth, $0.sarHeight] } == expected.aspect)
    }
  }

  /// A set that ends before it says whether there is a VUI gives an error and never a crash.
  @Test(arguments: expected) func cutParameterSets(expected: Expected) throws {
    let payload = Units.payload(try Units.unit(expected.name), expected.name)
    let end = try Self.parameterSet(expected.name).vuiFlagPosition / 8
    #expect(end > 4)
    for count in 0...end {
      #expect(throws: (any Error).self) {
        try Units.parameterSet(Array(payload.prefix(count)), expected.name)
      }
    }
  }

  /// The parameter sets that samples need are collected. A later set replaces an earlier one with
  /// the same number.
  @Test func setsAreCollected() throws {
    let stored = try ["hevc-vps", "hevc-sps", "hevc-sei-ambient"].map(Units.unit)
    var sets = try #require(HEVCParameterSets(stored: stored, .hevc))
    #expect(!sets.isWhole && !sets.areInSamples)
    sets.add(sample: [try Units.unit("hevc-idr")])
    #expect(!sets.areInSamples)
    sets.add(sample: [try Units.unit("hevc-pps"), try Units.unit("hevc-sps")])
    #expect(sets.isWhole && sets.areInSamples && !sets.change)
    sets.add(sample: [try Units.unit("hevc-sps-rich")])
    #expect(sets.sets(.sequenceParameterSet).count == 2 && !sets.change)
    // This set has the same number as a set with which pictures were already decoded.
    sets.add(sample: [try Units.unit("hevc-sps-no-vui")])
    #expect(sets.change)
  }
}
