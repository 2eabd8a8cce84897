// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

/// RPUs and records are read from byte tables that were made from the standards, not by this
/// program.
@Suite struct RPUFixtureTests {
  private static func unit(_ name: String) throws -> ReferenceProcessingUnit {
    try ReferenceProcessingUnit(hevcNALUnit: Fixture.bytes(name))
  }

  private static func data(_ name: String) throws -> DisplayManagementData {
    try #require(try unit(name).displayManagement)
  }

  /// NAL units and their payloads come back byte for byte, and so does a unit with zeros after it.
  @Test(arguments: Fixture.names("rpu-")) func aUnitIsReadAndWritten(name: String) throws {
    let fixture = try Fixture(name)
    let unit = try Self.unit(name)
    #expect(try unit.hevcNALUnit() == fixture.bytes)
    #expect(try unit.payload() == Array(fixture.fields.dropFirst(2)))
    let padded = try ReferenceProcessingUnit(hevcNALUnit: fixture.bytes + [0, 0])
    #expect(padded.trailingZeroCount == 2 && padded.displayManagement == unit.displayManagement)
    #expect(try padded.hevcNALUnit() == fixture.bytes + [0, 0])
  }

  @Test(
    arguments: [
      ("rpu-84", 8, nil, .v40), ("rpu-81-v29", 8, nil, .v29), ("rpu-81-v40", 8, nil, .v40),
      ("rpu-5", 5, nil, .v29), ("rpu-7-mel", 7, .minimal, .v29), ("rpu-7-fel", 7, .full, .v29),
    ] as [(String, UInt8, EnhancementLayer?, ContentMappingVersion)])
  func kinds(
    name: String, profile: UInt8, layer: EnhancementLayer?, version: ContentMappingVersion
  ) throws {
    let unit = try Self.unit(name)
    #expect(unit.profile == profile)
    #expect(unit.enhancementLayer == layer)
    #expect(unit.displayManagement?.version == version)
    #expect(unit.issues == [])
    #expect(unit.displayManagement?.isSceneRefresh == true)
  }

  @Test(
    arguments: [
      ("rpu-84", .hlg), ("rpu-81-v29", .pq), ("rpu-81-v40", .pq),
    ] as [(String, DataMapping.BaseLayerSignal)])
  func baseLayers(name: String, signal: DataMapping.BaseLayerSignal) throws {
    let unit = try Self.unit(name)
    #expect(unit.dataMapping?.baseLayerSignal(unit.header) == signal)
  }

  /// The RPU that the program makes for HLG equals the one that was made from the standard.
  @Test func generatedUnitsAreTheTables() throws {
    var unit = ReferenceProcessingUnit.profile84(
      level1: Level1(minPQ: 0, maxPQ: 3044, avgPQ: 2077), isSceneRefresh: true,
      level11: .userGenerated)
    #expect(unit == (try Self.unit("rpu-84")))
    unit.displayManagement?.level1 = nil
    #expect(unit != (try Self.unit("rpu-84")))
  }

  @Test func mappings() throws {
    let mapping = try #require(try Self.unit("rpu-5").dataMapping)
    #expect(mapping.curves.map(\.pivots) == [[0, 512, 1023], [0, 1023], [0, 1023]])
    #expect(
      mapping.curves[0].pieces.first
        == .polynomial([
          Coefficient(0, 100_000), Coefficient(0, 8_000_000), Coefficient(0, 250_000),
        ]))
    guard case .mmr(let constant, let rows)? = mapping.curves[1].pieces.first else {
      Issue.record("\(mapping.curves[1])")
      return
    }
    #expect(constant == Coefficient(0, 4_194_304))
    #expect(rows.count == 2 && rows.allSatisfy { $0.count == 7 })
    #expect(rows[0][5] == Coefficient(-1, 8_388_607))
    let color = try #require(try Self.data("rpu-5").color)
    #expect((color.signalColorSpace, color.signalChromaFormat) == (2, 2))
    #expect(color.yccToRGBCoef == [8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545])
    #expect(color.rgbToLMSCoef[1] == -349)
    #expect((color.sourceMinPQ, color.sourceMaxPQ) == (7, 3079))
  }

  @Test func residuals() throws {
    let full = try #require(try Self.unit("rpu-7-fel").dataMapping?.nlq)
    #expect(full.nlqPredPivotValue == [0, 1023])
    #expect(
      full.components == [
        .init(
          nlqOffset: 512, vdrInMax: Coefficient(0, 8_388_607),
          linearDeadzoneSlope: Coefficient(0, 4_194_304),
          linearDeadzoneThreshold: Coefficient(0, 65536)),
        .init(
          nlqOffset: 512, vdrInMax: Coefficient(1, 0),
          linearDeadzoneSlope: Coefficient(0, 2_097_152)),
        .init(
          nlqOffset: 512, vdrInMax: Coefficient(2, 1), linearDeadzoneThreshold: Coefficient(0, 1)),
      ])
  }

  @Test func blocksOfBothVersions() throws {
    let trims: [ExtensionBlock] = [
      .level2(Level2()),
      .level2(
        Level2(
          targetMaxPQ: 2851, trimSlope: 2100, trimOffset: 2000, trimPower: 2300,
          trimSaturationGain: 1900, msWeight: -1)),
    ]
    let first: [ExtensionBlock] =
      [.level1(Level1(minPQ: 7, maxPQ: 2828, avgPQ: 1120))] + trims
      + [.level4(Level4(anchorPQ: 1120, anchorPower: 643))]
    let mastering = ExtensionBlock.level6(
      Level6(
        maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1,
        maxContentLightLevel: 940, maxFrameAverageLightLevel: 200))
    #expect(
      try Self.data("rpu-81-v29").blocks
        == first + [.level5(Level5(top: 280, bottom: 280)), mastering])
    let data = try Self.data("rpu-81-v40")
    #expect(data.cmv29.blocks == first + [.level5(Level5()), mastering])
    #expect(
      data.cmv40?.blocks == [
        .level3(Level3(maxPQOffset: 2060)),
        .level8(Level8(targetDisplayIndex: 1, trimSlope: 2100, trimPower: 1900)),
        .level8(Level8(targetDisplayIndex: 20, targetMidContrast: 2011, clipTrim: 2040)),
        .level9(Level9(sourcePrimaryIndex: 0)),
        .level10(
          Level10(
            targetDisplayIndex: 20, targetMaxPQ: 3079, targetMinPQ: 62, targetPrimaryIndex: 0)),
        .level11(.referenceCinema), .level254(Level254()),
      ])
    #expect(
      try Self.data("rpu-5").blocks.last
        == .level255(Level255(dmRunMode: 1, dmRunVersion: 2, dmDebug: [3, 4, 5, 6])))
  }

  @Test(
    arguments: [
      ("dvvC-84", 8, 2, 4, false), ("dvcC-5", 5, 6, 0, false), ("dvcC-7", 7, 6, 6, true),
    ] as [(String, UInt8, UInt8, UInt8, Bool)])
  func records(
    name: String, profile: UInt8, level: UInt8, compatibility: UInt8, isEnhanced: Bool
  ) throws {
    let content = try Fixture.content(name)
    let record = try ConfigurationRecord(payload: content)
    #expect((record.versionMajor, record.versionMinor) == (1, 0))
    #expect((record.profile, record.level) == (profile, level))
    #expect(record.baseLayerSignalCompatibilityID == compatibility)
    #expect(record.hasRPU && record.hasBaseLayer && record.hasEnhancementLayer == isEnhanced)
    #expect(record.payload == content)
    for count in 0..<5 {
      #expect(throws: DolbyVisionError.self) {
        try ConfigurationRecord(payload: Array(content.prefix(count)))
      }
    }
  }

  /// From an RPU of profile 5, the program makes the same RPU for reshaped frames as libdovi does.
  @Test(.needsSharedMedia) func profile5BecomesProfile81() throws {
    func unit(_ name: String) throws -> [UInt8] {
      RPUFiles.split(try FileBytes.read(SharedMedia.path("metadata/rpu/\(name).bin")))[0]
    }
    let source = try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 0x01] + unit("profile5-02"))
    #expect(
      try source.profile81.hevcNALUnit() == [0x7C, 0x01] + unit("profile8_from_profile5-02"))
  }
}
