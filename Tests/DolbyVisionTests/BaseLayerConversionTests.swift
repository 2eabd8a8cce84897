// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

/// RPUs of profile 7 are converted so that they fit the base layer without the enhancement layer.
@Suite struct BaseLayerConversionTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    [0x7C, 0x01] + RPUFiles.split(try SharedMedia.bytes("metadata/rpu/\(name).bin"))[0]
  }

  /// The converted units are the same as those that dovi_tool makes.
  @Test(.needsSharedMedia, arguments: ["mel", "fel"]) func storedPairs(name: String) throws {
    let unit = try ReferenceProcessingUnit(hevcNALUnit: Self.bytes("\(name)_orig"))
    #expect(unit.profile == 7 && unit.enhancementLayer == (name == "mel" ? .minimal : .full))
    let converted = try #require(unit.forBaseLayerAlone)
    #expect(try converted.hevcNALUnit() == Self.bytes("\(name)_to_81"))
    #expect(converted.profile == 8 && converted.issues == [])
  }

  /// The instructions for displays and the mapping of the base layer do not change.
  @Test(arguments: ["rpu-7-mel", "rpu-7-fel"]) func onlyTheLayerIsLeftOut(name: String) throws {
    let unit = try ReferenceProcessingUnit(hevcNALUnit: Fixture.bytes(name) + [0, 0])
    let converted = try #require(unit.forBaseLayerAlone)
    #expect(converted.displayManagement == unit.displayManagement)
    #expect(converted.dataMapping?.curves == unit.dataMapping?.curves)
    #expect(converted.enhancementLayer == nil && converted.trailingZeroCount == 0)
    let written = try ReferenceProcessingUnit(hevcNALUnit: converted.hevcNALUnit())
    #expect(written == converted)
  }

  /// A unit may refer to the mapping of another one.
  @Test func mappingsOfOtherUnits() throws {
    var unit = try ReferenceProcessingUnit(hevcNALUnit: Fixture.bytes("rpu-7-fel"))
    unit.mapping = .previous(id: 3)
    let converted = try #require(unit.forBaseLayerAlone)
    #expect(converted.mapping == .previous(id: 3) && converted.profile == 8)
    #expect(try ReferenceProcessingUnit(hevcNALUnit: converted.hevcNALUnit()) == converted)
  }

  @Test func otherProfiles() throws {
    let single = try ReferenceProcessingUnit(hevcNALUnit: Fixture.bytes("rpu-81-v40"))
    #expect(single.forBaseLayerAlone == single)
    let closed = try ReferenceProcessingUnit(hevcNALUnit: Fixture.bytes("rpu-5"))
    #expect(closed.forBaseLayerAlone == nil)
  }
}
