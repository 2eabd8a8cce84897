// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import DolbyVision

@Suite struct StaticMetadataTests {
  /// If all blocks of CM v4.0 are static, compressed metadata lacks the whole group.
  @Test func aGroupOfStaticBlocksAloneComesBack() throws {
    var whole = DisplayManagementData(color: ColorMetadata(sourceMinPQ: 7, sourceMaxPQ: 3079))
    whole.level1 = Level1(minPQ: 0, maxPQ: 3000, avgPQ: 1300)
    whole.cmv40 = ExtensionBlockGroup([.level254(Level254()), .other(level: 32, payload: [1])])
    var data = whole
    (data.color, data.cmv40) = (nil, nil)
    #expect(data.staticMetadata == nil)
    data.complete(with: try #require(whole.staticMetadata))
    #expect(data == whole)
  }

  /// Blocks of levels that the metadata has itself are not added again.
  @Test func ownBlocksStay() throws {
    var earlier = DisplayManagementData(color: ColorMetadata(sourceMinPQ: 7, sourceMaxPQ: 3079))
    earlier.level6 = Level6(maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1)
    var data = DisplayManagementData(color: nil)
    data.level6 = Level6(maxDisplayMasteringLuminance: 2000, minDisplayMasteringLuminance: 1)
    data.complete(with: try #require(earlier.staticMetadata))
    #expect(data.color == earlier.color && data.cmv40 == nil)
    #expect(data.blocks.count == 1 && data.level6?.maxDisplayMasteringLuminance == 2000)
  }
}
