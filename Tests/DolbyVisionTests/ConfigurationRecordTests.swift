import Testing

@testable import DolbyVision

@Suite struct ConfigurationRecordTests {
  /// `dvvC` of an iPhone: version 1.0, profile 8, level 2, RPU and base layer, compatibility 4.
  @Test func phoneRecord() throws {
    let payload: [UInt8] = [1, 0, 0x10, 0x15, 0x40] + [UInt8](repeating: 0, count: 19)
    let record = try #require(ConfigurationRecord(payload: payload))
    #expect((record.profile, record.level, record.baseLayerSignalCompatibilityID) == (8, 2, 4))
    #expect(record.hasRPU && record.hasBaseLayer && !record.hasEnhancementLayer)
    #expect("\(record)" == "profile 8.4, level 2")
    #expect(record.payload == payload)
  }

  @Test func aShortRecordIsNone() {
    #expect(ConfigurationRecord(payload: [1, 0, 0x10, 0x15]) == nil)
  }
}
