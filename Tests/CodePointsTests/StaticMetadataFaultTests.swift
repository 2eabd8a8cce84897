// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import CodePoints

/// Static HDR metadata that makes no sense is found.
@Suite struct StaticMetadataFaultTests {
  private func display(
    _ white: (UInt16, UInt16) = (15635, 16450), _ maximum: UInt32 = 10_000_000,
    _ minimum: UInt32 = 1, red: (UInt16, UInt16) = (34000, 16000)
  ) -> MasteringDisplayColorVolume {
    MasteringDisplayColorVolume(
      green: .init(x: 13250, y: 34500), blue: .init(x: 7500, y: 3000),
      red: .init(x: red.0, y: red.1), whitePoint: .init(x: white.0, y: white.1),
      maxDisplayMasteringLuminance: maximum, minDisplayMasteringLuminance: minimum)
  }

  /// P3, BT.2020 and BT.709 with D65 make sense.
  @Test func realDisplays() {
    for named in MasteringDisplayColorVolume.shortNames {
      var display = display()
      (display.green, display.blue, display.red) = (named.green, named.blue, named.red)
      #expect(display.faults == [])
    }
  }

  /// H.265, D.3.28: x goes from 5 to 37 000 and y from 5 to 42 000. The maximum goes from 50 000 to
  /// 100 000 000. The minimum is at most 50 000 and below the maximum.
  @Test func impossibleDisplays() {
    #expect(display((5000, 40000)).faults == [.whitePointOutside])
    #expect(display((0, 16450)).faults == [.coordinatesOfNoDisplay])
    #expect(display((15635, 16450), 49_999).faults == [.maximumLuminanceOutOfRange(4.9999)])
    #expect(
      display((15635, 16450), 100_000_001).faults == [.maximumLuminanceOutOfRange(10_000.0001)])
    #expect(
      display((15635, 16450), 50_000, 50_000).faults
        == [.luminancesOutOfOrder(minimum: 5, maximum: 5)])
    #expect(display((15635, 16450), 50_000, 49_999).faults == [])
    // Red is in the middle between green and blue, so the primaries lie on a line.
    let line = display((10375, 18750), red: (10375, 18750))
    #expect(line.faults.map(\.code) == ["primariesOutOfOrder"])
  }

  @Test func swappedPrimaries() {
    var swapped = display()
    (swapped.green, swapped.red) = (swapped.red, swapped.green)
    #expect(swapped.faults == [.primariesOutOfOrder("red, blue, green")])
  }

  /// Direct sunlight has some 100 000 lux, and more than twice as much is a fault. No color has a y
  /// of 0, and none has x + y above 1.
  @Test(
    arguments: [
      (3_140_000, 15635, 16450, []), (2_000_000_000, 15635, 16450, []),
      (2_000_000_001, 15635, 16450, ["ambientLightAboveSunlight"]),
      (0, 15635, 16450, ["noAmbientLight"]), (3_140_000, 15635, 0, ["lightOfNoColor"]),
      (3_140_000, 30000, 20001, ["lightOfNoColor"]),
    ] as [(UInt32, UInt16, UInt16, [Notice.Code])])
  func ambientLight(lux: UInt32, x: UInt16, y: UInt16, codes: [Notice.Code]) {
    let light = AmbientViewingEnvironment(
      ambientIlluminance: lux, ambientLightX: x, ambientLightY: y)
    #expect(light.faults.map(\.code) == codes)
  }

  /// PQ ends at 10 000 cd/m², and 0 means unknown (H.265, D.3.35).
  @Test(
    arguments: [
      (1000, 400, []), (0, 400, []), (0, 0, []), (400, 1000, ["lightLevelsOutOfOrder"]),
      (10_001, 400, ["lightLevelAbovePQ"]), (0, 10_001, ["lightLevelAbovePQ"]),
    ] as [(UInt16, UInt16, [Notice.Code])])
  func lightLevels(content: UInt16, average: UInt16, codes: [Notice.Code]) {
    let level = ContentLightLevel(
      maxContentLightLevel: content, maxPicAverageLightLevel: average)
    #expect(level.faults.map(\.code) == codes)
    #expect(level.doubts == (content > 0 && average > 0 ? [] : [.lightLevelUnknown]))
  }

  /// Each notice has the code and the arguments on which programs base decisions.
  static let codes: [(Notice, Notice.Code, [String: String])] = [
    (.coordinatesOfNoDisplay, "coordinatesOfNoDisplay", [:]),
    (.coordinatesOfNoColor, "coordinatesOfNoColor", [:]),
    (.lightOfNoColor(x: 0.75, y: 0.5), "lightOfNoColor", ["x": "0.75", "y": "0.5"]),
    (.coordinatesOutOfRange, "coordinatesOutOfRange", [:]),
    (
      .primariesOutOfOrder("red, blue, green"), "primariesOutOfOrder", ["order": "red, blue, green"]
    ),
    (.whitePointOutside, "whitePointOutside", [:]),
    (.maximumLuminanceOutOfRange(4), "maximumLuminanceOutOfRange", ["maximum": "4.0"]),
    (.minimumLuminanceOutOfRange(6), "minimumLuminanceOutOfRange", ["minimum": "6.0"]),
    (
      .luminancesOutOfOrder(minimum: 5, maximum: 5), "luminancesOutOfOrder",
      ["maximum": "5.0", "minimum": "5.0"]
    ),
    (.minimumLuminanceUnknown, "minimumLuminanceUnknown", [:]),
    (.maximumLuminanceBelowSDR(80), "maximumLuminanceBelowSDR", ["maximum": "80.0"]),
    (.lightLevelAbovePQ, "lightLevelAbovePQ", [:]),
    (.lightLevelsOutOfOrder, "lightLevelsOutOfOrder", [:]),
    (.lightLevelUnknown, "lightLevelUnknown", [:]),
    (.lightLevelsEmpty, "lightLevelsEmpty", [:]),
    (.noAmbientLight, "noAmbientLight", [:]),
    (.ambientLightAboveSunlight(300_000), "ambientLightAboveSunlight", ["illuminance": "300000.0"]),
    (.colorVolumeEmpty, "colorVolumeEmpty", [:]),
    (.colorVolumeOutOfOrder, "colorVolumeOutOfOrder", [:]),
    (.colorVolumeAbovePeak, "colorVolumeAbovePeak", [:]),
  ]

  @Test func theArticleHasThem() throws {
    #expect(try NoticeTable().disagreements(on: Self.codes.map(\.0)) == [])
  }

  @Test(arguments: codes) func code(
    notice: Notice, code: Notice.Code, arguments: [String: String]
  ) {
    #expect(notice.code == code && notice.arguments == arguments)
  }
}
