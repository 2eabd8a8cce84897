// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import DolbyVision

@Suite struct ConfigurationRecordTests {
  /// An iPhone's `dvvC` states version 1.0, profile 8, level 2, an RPU, a base layer, and
  /// compatibility 4.
  @Test func phoneRecord() throws {
    let payload: [UInt8] = [1, 0, 0x10, 0x15, 0x40] + [UInt8](repeating: 0, count: 19)
    let record = try ConfigurationRecord(payload: payload)
    #expect((record.profile, record.level, record.baseLayerSignalCompatibilityID) == (8, 2, 4))
    #expect(record.hasRPU && record.hasBaseLayer && !record.hasEnhancementLayer)
    #expect("\(record)" == "profile 8.4, level 2")
    #expect(record.payload == payload)
  }

  @Test func aShortRecordIsNone() {
    let error = #expect(throws: DolbyVisionError.self) {
      try ConfigurationRecord(payload: [1, 0, 0x10, 0x15])
    }
    #expect(
      error?.description
        == "the configuration record cannot be read: the data ends early: 4 bits are needed "
        + "at bit 32, but 0 are left")
  }

  /// Levels follow the table in Dolby Vision Profiles and Levels, as in FFmpeg and HandBrake.
  /// FATE's `dv84.mov` has the level of 1080p30, and an iPhone's clip has that of 720p30.
  @Test(
    arguments: [
      (1280, 720, 24, 1), (1280, 720, 30, 2), (1280, 720, 29.97, 2), (1920, 1080, 24, 3),
      (1920, 1080, 30, 4), (1920, 1080, 60, 5), (3840, 2160, 24, 6), (3840, 2160, 30, 7),
      (3840, 2160, 48, 8), (3840, 2160, 59.94, 9), (3840, 2160, 120, 10), (7680, 4320, 30, 11),
      (7680, 4320, 60, 12), (7680, 4320, 120, 13), (640, 360, 25, 1), (1440, 480, 24, 3),
      (2160, 3840, 30, 7), (3840, 1600, 15, 5), (7680, 4320, 121, nil), (8192, 16, 1, nil),
      (0, 720, 30, nil), (1280, 720, 0, nil), (1280, 720, .nan, nil), (1280, 720, .infinity, nil),
    ] as [(Int, Int, Double, UInt8?)])
  func levels(width: Int, height: Int, frameRate: Double, level: UInt8?) {
    #expect(
      ConfigurationRecord.level(width: width, height: height, frameRate: frameRate) == level)
  }

  /// New records have the same levels as real ones: the box of a public clip, `01 00 10 55 40`, has
  /// level 10, and that of FATE's `dv84.mov` has level 4.
  @Test func recordsFor84() throws {
    let payload: [UInt8] = [1, 0, 0x10, 0x55, 0x40] + [UInt8](repeating: 0, count: 19)
    let record = ConfigurationRecord(width: 3840, height: 2160, frameRate: 120)
    #expect(record?.payload == payload)
    #expect(try record == ConfigurationRecord(payload: payload))
    #expect(
      ConfigurationRecord(width: 1920, height: 1080, frameRate: 30)?.payload.prefix(5)
        == [1, 0, 0x10, 0x25, 0x40])
    let hdr10 = ConfigurationRecord(
      baseLayerSignalCompatibilityID: 1, width: 3840, height: 2160, frameRate: 24)
    #expect(hdr10?.description == "profile 8.1, level 6")
    #expect(ConfigurationRecord(width: 16384, height: 8192, frameRate: 30) == nil)
  }

  @Test func metadataCompression() throws {
    #expect(try ConfigurationRecord(payload: [1, 0, 0x10, 0x15, 0x44]).metadataCompression == 1)
    #expect(try ConfigurationRecord(payload: [1, 0, 0x10, 0x15, 0x40]).metadataCompression == 0)
    // The reserved bits beside it stay.
    var record = try ConfigurationRecord(payload: [1, 0, 0x10, 0x15, 0x45])
    record.metadataCompression = 3
    #expect(record.payload == [1, 0, 0x10, 0x15, 0x4D])
  }

  /// Rates that were measured in files, including a phone's, become the nearest nominal rate. A
  /// rate that is not near a nominal rate stays.
  @Test(arguments: [
    (24000.0 / 1001, 24.0), (25.0, 25.0), (25.02, 25.0), (30000.0 / 1001, 30.0), (30.4, 30.0),
    (37.5, 37.5),
    (50.0, 50.0), (60000.0 / 1001, 60.0),
  ])
  func nominalFrameRates(measured: Double, nominal: Double) {
    #expect(ConfigurationRecord.nominalFrameRate(measured) == nominal)
  }
}
