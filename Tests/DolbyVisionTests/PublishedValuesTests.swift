// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

/// The values in known files are those that other software reads there.
@Suite struct PublishedValuesTests {
  /// Profiles are those that libdovi 3.4 asserts for its own samples (`src/tests/rpu.rs`). FFmpeg
  /// guesses the same profiles.
  @Test(
    .needsSharedMedia,
    arguments: [
      ("profile5", 5, nil), ("profile8", 8, nil), ("profile84", 8, nil), ("fel_rpu", 7, .full),
      ("eof_rpu", 7, .full), ("data_before_crc32", 7, .full), ("poly_coef_int_logic", 7, .full),
      ("mel_variable_l8_length13", 7, .minimal), ("unordered_l8_blocks", 8, nil),
      ("empty_dmv1_blocks", 5, nil), ("cmv40_full_rpu", 8, nil), ("p84-01-ref", 8, nil),
      ("profile20_apple", 5, nil),
    ] as [(String, UInt8, EnhancementLayer?)])
  func profiles(name: String, profile: UInt8, layer: EnhancementLayer?) throws {
    let unit = try RPUFiles.unit(name)
    #expect(unit.profile == profile)
    #expect(unit.enhancementLayer == layer)
    #expect(unit.issues == [])
  }

  /// The sample has the blocks that libdovi's test `cmv40_full_rpu` generates.
  @Test(.needsSharedMedia) func allBlocksOfLibdovi() throws {
    let data = try #require(try RPUFiles.unit("cmv40_full_rpu").displayManagement)
    #expect((data.color?.sourceMinPQ, data.color?.sourceMaxPQ) == (7, 3079))
    #expect(
      data.blocks == [
        .level1(Level1(minPQ: 0, maxPQ: 2081, avgPQ: 819)),
        // 600 cd/m² is 2851 in PQ of 12 bits.
        .level2(Level2(targetMaxPQ: 2851)),
        .level4(Level4(anchorPQ: 0, anchorPower: 0)), .level5(Level5(top: 280, bottom: 280)),
        .level6(
          Level6(
            maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1,
            maxContentLightLevel: 1000, maxFrameAverageLightLevel: 400)),
        .level3(Level3()), .level8(Level8(targetDisplayIndex: 255)),
        .level9(Level9(sourcePrimaryIndex: 0)),
        .level10(Level10(targetDisplayIndex: 255, targetMaxPQ: 3000, targetPrimaryIndex: 2)),
        .level11(.referenceCinema), .level254(Level254()),
      ])
  }

  /// The block has 13 bytes, as the sample's name says. Its `clip_trim` differs from libdovi's
  /// default, which is 2048.
  @Test(.needsSharedMedia) func level8OfThirteenBytes() throws {
    let data = try #require(try RPUFiles.unit("mel_variable_l8_length13").displayManagement)
    let blocks = try #require(data.cmv40).blocks(ofLevel: 8)
    guard case .level8(let block)? = blocks.first else {
      Issue.record("no level 8")
      return
    }
    #expect((block.targetMidContrast, block.clipTrim) == (2048, 2011))
    #expect(block.saturationVectorField.isEmpty)
  }

  /// In the first and the third frame of both phone clips, levels 1, 3, 4 and 8 have the values
  /// that FFmpeg 8's decoder gives (`AV_FRAME_DATA_DOVI_METADATA`, read with PyAV 18.1).
  @Test(
    .needsSharedMedia,
    arguments: [
      ("hdr/androidx__dolbyVision-hdr.MOV", 0, [0, 3044, 2077], [2048, 2048, 2048], [2077, 643]),
      ("hdr/androidx__dolbyVision-hdr.MOV", 2, [0, 3044, 2077], [2048, 2048, 2048], [2077, 643]),
      (
        "hdr/androidx__sample_edit_list.mp4", 0, [12, 3067, 1990], [2190, 2048, 2048], [1990, 584]
      ),
      (
        "hdr/androidx__sample_edit_list.mp4", 2, [12, 3070, 1990], [2189, 2048, 2048], [1988, 584]
      ),
    ] as [(String, Int, [UInt16], [UInt16], [UInt16])])
  func blocksOfPhones(
    name: String, frame: Int, level1: [UInt16], level3: [UInt16], level4: [UInt16]
  ) throws {
    let unit = try ReferenceProcessingUnit(
      hevcNALUnit: try RPUFiles.nalUnits(inClip: name)[frame])
    let data = try #require(unit.displayManagement)
    #expect(data.level1 == Level1(minPQ: level1[0], maxPQ: level1[1], avgPQ: level1[2]))
    #expect(
      data.level3 == Level3(minPQOffset: level3[0], maxPQOffset: level3[1], avgPQOffset: level3[2]))
    #expect(data.level4 == Level4(anchorPQ: level4[0], anchorPower: level4[1]))
    #expect(
      data.cmv40?.blocks(ofLevel: 8) == [
        .level8(Level8(targetDisplayIndex: 255, trimSlope: 2458, trimPower: 2208)),
        .level8(Level8(targetDisplayIndex: 20, trimPower: 1900)),
      ])
    #expect(
      data.cmv40?.blocks(ofLevel: 10) == [
        .level10(Level10(targetDisplayIndex: 255, targetMaxPQ: 3696, targetPrimaryIndex: 2)),
        .level10(Level10(targetDisplayIndex: 20, targetMaxPQ: 2672, targetPrimaryIndex: 2)),
      ])
    #expect(data.level11 == .userGenerated)
    #expect((data.level9, data.level254) == (Level9(sourcePrimaryIndex: 0), Level254()))
    #expect(data.level5 == nil && data.level6 == nil)
    #expect(data.isSceneRefresh)
    #expect(unit.issues == [])
  }

  /// Values are those that FFmpeg 8 gives for the other clips: profile 8.1 with CM v4.0, and
  /// profiles 5 and 8 with CM v2.9.
  @Test(.needsSharedMedia) func blocksOfOtherClips() throws {
    func data(_ name: String) throws -> DisplayManagementData {
      let bytes = try RPUFiles.nalUnits(inClip: name)[0]
      return try #require(try ReferenceProcessingUnit(hevcNALUnit: bytes).displayManagement)
    }
    let cmv40 = try data("hdr/dovi_tool__regular.hevc")
    #expect(cmv40.level1 == Level1(minPQ: 0, maxPQ: 2828, avgPQ: 1120))
    #expect(
      cmv40.level6
        == Level6(
          maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1,
          maxContentLightLevel: 3948, maxFrameAverageLightLevel: 120))
    #expect((cmv40.level3, cmv40.level5, cmv40.version) == (Level3(), Level5(), .v40))
    for name in ["hdr/androidx__dvhe_05_05.mp4", "hdr/androidx__hev1_08_05.mp4"] {
      let cmv29 = try data(name)
      #expect(cmv29.level1 == Level1(minPQ: 2, maxPQ: 3383, avgPQ: 610))
      #expect(cmv29.level4 == Level4(anchorPQ: 0, anchorPower: 0))
      #expect(
        cmv29.cmv29.blocks(ofLevel: 2) == [
          .level2(Level2(trimChromaWeight: 1462, trimSaturationGain: 2132, msWeight: 512))
        ])
      #expect(cmv29.cmv40 == nil)
    }
  }
}
