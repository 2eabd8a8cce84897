// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

@Suite struct ReferenceProcessingUnitIssuesTests {
  private static func issues(_ change: (inout ReferenceProcessingUnit) -> Void) -> [String] {
    var unit = ReferenceProcessingUnit.profile84(
      level1: Level1(minPQ: 0, maxPQ: 3000, avgPQ: 1300), isSceneRefresh: true)
    change(&unit)
    return unit.issues
  }

  @Test func whatShouldNotBeIsNamed() {
    #expect(Self.issues { _ in } == [])
    #expect(
      Self.issues { $0.header.blBitDepthMinus8 = 4 } == ["BL_bit_depth_minus8 is 4, expected 2"])
    #expect(
      Self.issues { $0.header.vdrRPUProfile = 3 }
        == ["vdr_rpu_profile is 3, expected 0 with full range, or 1"])
    #expect(
      Self.issues { $0.displayManagement?.level1 = Level1(minPQ: 0, maxPQ: 900, avgPQ: 1300) }
        == ["level 1 max_PQ is 900, expected at least avg_PQ, 1300"])
    #expect(
      Self.issues { $0.displayManagement?.cmv40?.blocks.removeLast() }
        == ["number of level 254 blocks is 0, expected 1"])
    // Compressed metadata leaves out this block and the static part.
    #expect(
      Self.issues {
        $0.header.reservedZero3Bits = 1
        $0.displayManagement?.color = nil
        $0.displayManagement?.cmv40?.blocks.removeLast()
      } == [])
    #expect(
      Self.issues { $0.displayManagement?.color?.sourceMinPQ = 3079 }
        == ["source_max_PQ is 3079, expected more than source_min_PQ, 3079"])
    #expect(
      Self.issues { $0.displayManagement?.level9 = Level9(sourcePrimaryIndex: 255) }
        == ["level 9 source_primary_index is 255, expected the index of known primaries"])
    #expect(
      Self.issues {
        $0.displayManagement?.cmv29.blocks.append(.other(level: 3, payload: [0, 0, 0, 0, 0]))
      } == ["level 3 is among the blocks of CM v2.9, which has no such level"])
    // A level that the program does not know, because it is newer, is no issue.
    #expect(
      Self.issues { $0.displayManagement?.cmv40?.blocks.append(.other(level: 16, payload: [1])) }
        == [])
  }

  @Test func everyLevelMayOccurSoManyTimes() {
    let issues = Self.issues {
      for _ in 0..<9 { $0.displayManagement?.cmv29.blocks.append(.level2(Level2())) }
      for _ in 0..<2 { $0.displayManagement?.cmv40?.blocks.append(.level3(Level3())) }
    }
    #expect(
      issues == [
        "number of level 2 blocks is 9, expected 0 to 8",
        "number of level 3 blocks is 2, expected 0 to 1",
      ])
  }
}
