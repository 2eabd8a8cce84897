// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

@Suite struct DisplayManagementEditingTests {
  /// Level 1 stays within libdovi's bounds (`blocks/level1.rs`). For a dark shot, libdovi's XML
  /// test has a maximum of 2081 and an average of 1229.
  @Test(
    arguments: [
      ([0, 3044, 2077], .v40, [0, 3044, 2077]), ([100, 500, 300], .v40, [12, 2081, 1229]),
      ([100, 500, 300], .v29, [12, 2081, 819]), ([3, 4095, 4095], .v40, [3, 4095, 4094]),
      ([0, 65535, 5000], .v29, [0, 4095, 4094]),
    ] as [([UInt16], ContentMappingVersion, [UInt16])])
  func level1IsBounded(measured: [UInt16], version: ContentMappingVersion, expected: [UInt16]) {
    var data = DisplayManagementData(color: nil)
    if version == .v40 { data.level11 = .userGenerated }
    data.setLevel1(minPQ: measured[0], maxPQ: measured[1], avgPQ: measured[2])
    #expect(
      data.level1 == Level1(minPQ: expected[0], maxPQ: expected[1], avgPQ: expected[2]))
  }

  @Test func anAverageCanStayAsMeasured() {
    var data = DisplayManagementData(color: nil)
    data.setLevel1(minPQ: 0, maxPQ: 3000, avgPQ: 300, minimumAverage: 0)
    #expect(data.level1?.avgPQ == 300)
  }

  /// When pixels have changed, a phone's RPU is edited to match. Everything else in it stays, in
  /// the same order.
  @Test(.needsSharedMedia) func changedPixels() throws {
    var unit = try RPUFiles.unit("iphone14pro-dolbyVision-hdr.rpu")
    let source = unit
    var data = try #require(unit.displayManagement)
    data.setLevel1(minPQ: 5, maxPQ: 3000, avgPQ: 1500)
    data.level3 = nil
    data.level4?.anchorPQ = 1490
    data.setActiveArea(Level5(top: 40, bottom: 42))
    data.isSceneRefresh = false
    unit.displayManagement = data
    let again = try ReferenceProcessingUnit(hevcNALUnit: try unit.hevcNALUnit())
    let written = try #require(again.displayManagement)
    #expect(written.blocks.map(\.level) == [1, 4, 5, 8, 8, 9, 10, 10, 11, 254])
    #expect(written.level1 == Level1(minPQ: 5, maxPQ: 3000, avgPQ: 1500))
    #expect(written.level4 == Level4(anchorPQ: 1490, anchorPower: 643))
    #expect(written.level5 == Level5(top: 40, bottom: 42))
    #expect(written.sceneRefreshFlag == 0)
    #expect((again.header, again.mapping) == (source.header, source.mapping))
    let others = source.displayManagement?.cmv40?.blocks.filter { $0.level != 3 }
    #expect(written.cmv40?.blocks == others)
    #expect(written.color == source.displayManagement?.color)
  }

  @Test func theWholePictureIsStatedOnlyWhereAnAreaWas() {
    var data = DisplayManagementData(color: nil)
    data.setActiveArea(Level5())
    #expect(data.level5 == nil)
    data.setActiveArea(Level5(left: 2))
    data.setActiveArea(Level5())
    #expect(data.level5 == Level5())
    data.level5 = nil
    #expect(data.blocks.isEmpty)
  }

  /// If a group of levels does not exist, removing a level from it does not create the group.
  @Test func removingMakesNothing() {
    var data = DisplayManagementData(color: nil)
    data.level3 = nil
    #expect(data.cmv40 == nil && data.version == .v29)
    data.level9 = Level9(sourcePrimaryIndex: 2)
    #expect(data.cmv40?.blocks.map(\.level) == [9, 254])
    #expect(data.version == .v40)
  }

  /// Alignment bits that are not 0 survive reading and writing. An edit moves what follows them, so
  /// it clears them.
  @Test func oddAlignmentIsKeptUntilAnEdit() throws {
    var unit = ReferenceProcessingUnit.profile84(
      level1: Level1(minPQ: 0, maxPQ: 3000, avgPQ: 1300), isSceneRefresh: true)
    unit.displayManagement?.cmv29.alignmentBits = 1
    let payload = try unit.payload()
    var again = try ReferenceProcessingUnit(payload: payload)
    #expect(again.displayManagement?.cmv29.alignmentBits == 1)
    #expect(try again.payload() == payload)
    #expect(again.issues == ["dm_alignment_zero_bit (CM v2.9) is 1, expected 0"])
    again.displayManagement?.level6 = nil
    #expect(again.issues == [])
  }
}
