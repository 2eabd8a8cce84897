// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import Testing

@testable import CodePoints

@Suite struct StaticMetadataTests {
  /// Every iPhone writes these bytes in the box: 314 lux and the white of D65.
  @Test func ambientViewingEnvironmentOfAPhone() throws {
    let bytes: [UInt8] = [0x00, 0x2F, 0xE9, 0xA0, 0x3D, 0x13, 0x40, 0x42]
    let value = try AmbientViewingEnvironment(payload: bytes)
    #expect(value.illuminance == 314)
    #expect((value.ambientLightX, value.ambientLightY) == (15635, 16450))
    #expect(value.payload == bytes && value == .usual)
    #expect(AmbientViewingEnvironment(spelling: AmbientViewingEnvironment.usualSpelling) == value)
    #expect(throws: BitstreamError.endOfData(bitPosition: 48, wanted: 16, available: 8)) {
      try AmbientViewingEnvironment(payload: Array(bytes.dropLast()))
    }
  }

  /// The display has P3 with D65, from 0.0001 to 1000 cd/m². The order of the primaries is green,
  /// blue, red (H.265, D.2.28).
  @Test func masteringDisplayRoundTrip() throws {
    let display = MasteringDisplayColorVolume(
      green: .init(x: 13250, y: 34500), blue: .init(x: 7500, y: 3000),
      red: .init(x: 34000, y: 16000), whitePoint: .init(x: 15635, y: 16450),
      maxDisplayMasteringLuminance: 10_000_000, minDisplayMasteringLuminance: 1)
    #expect(display.maximumLuminance == 1000)
    #expect(display.minimumLuminance == 0.0001)
    #expect(display.payload.count == 24)
    #expect(Array(display.payload.prefix(4)) == [0x33, 0xC2, 0x86, 0xC4])
    #expect(try MasteringDisplayColorVolume(payload: display.payload) == display)
  }

  @Test func contentLightLevelBytes() {
    let level = ContentLightLevel(maxContentLightLevel: 1000, maxPicAverageLightLevel: 400)
    #expect(level.payload == [0x03, 0xE8, 0x01, 0x90])
    #expect(throws: BitstreamError.self) { try ContentLightLevel(payload: [3, 0xE8, 1]) }
  }
}
