import Testing

@testable import CodePoints

/// What of static HDR metadata is nonsense.
@Suite struct StaticMetadataFaultTests {
  private func display(
    _ white: (UInt16, UInt16) = (15635, 16450), _ maximum: UInt32 = 10_000_000,
    _ minimum: UInt32 = 1, red: (UInt16, UInt16) = (34000, 16000)
  ) -> MasteringDisplayColorVolume {
    MasteringDisplayColorVolume(
      displayPrimaries: [
        .init(x: 13250, y: 34500), .init(x: 7500, y: 3000), .init(x: red.0, y: red.1),
      ],
      whitePoint: .init(x: white.0, y: white.1), maxDisplayMasteringLuminance: maximum,
      minDisplayMasteringLuminance: minimum)
  }

  /// P3, BT.2020 and BT.709 with D65 make sense.
  @Test func realDisplays() {
    for (_, primaries) in MasteringDisplayColorVolume.shortNames {
      var display = display()
      display.displayPrimaries = primaries
      #expect(display.faults == [])
    }
  }

  /// H.265, D.3.28: x from 5 to 37 000, y to 42 000, the maximum from 50 000 to 100 000 000, the
  /// minimum to 50 000 and below the maximum.
  @Test func impossibleDisplays() {
    #expect(display((5000, 40000)).faults.first?.contains("white point") == true)
    #expect(display((0, 16450)).faults.count == 1)
    #expect(display((15635, 16450), 49_999).faults.first?.contains("from 5 to 10000") == true)
    #expect(display((15635, 16450), 100_000_001).faults.count == 1)
    #expect(display((15635, 16450), 50_000, 50_000).faults.first?.contains("not below") == true)
    #expect(display((15635, 16450), 50_000, 49_999).faults == [])
    // The middle between green and blue: the primaries lie on a line.
    #expect(display((10375, 18750), red: (10375, 18750)).faults.count == 1)
  }

  @Test func swappedPrimaries() {
    var swapped = display()
    swapped.displayPrimaries.swapAt(0, 2)
    #expect(swapped.faults.first?.contains("red, blue, green") == true)
  }

  /// Direct sunlight has some 100 000 lux; no color has x and y above 1 together.
  @Test(arguments: [
    (3_140_000, 15635, 16450, true), (2_000_000_000, 15635, 16450, true),
    (2_000_000_001, 15635, 16450, false), (0, 15635, 16450, false), (3_140_000, 15635, 0, false),
    (3_140_000, 30000, 20001, false),
  ])
  func ambientLight(lux: UInt32, x: UInt16, y: UInt16, makesSense: Bool) {
    let light = AmbientViewingEnvironment(
      ambientIlluminance: lux, ambientLightX: x, ambientLightY: y)
    #expect(light.faults.isEmpty == makesSense)
  }

  /// PQ ends at 10 000 cd/m²; 0 is unknown (H.265, D.3.35).
  @Test(arguments: [
    (1000, 400, true), (0, 400, true), (0, 0, true), (400, 1000, false), (10_001, 400, false),
    (0, 10_001, false),
  ])
  func lightLevels(content: UInt16, average: UInt16, makesSense: Bool) {
    let level = ContentLightLevel(
      maxContentLightLevel: content, maxPicAverageLightLevel: average)
    #expect(level.faults.isEmpty == makesSense)
    #expect(level.doubts.isEmpty == (content > 0 && average > 0))
  }
}
