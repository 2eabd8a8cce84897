// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import Bitstreams
import CodePoints
import ColorTagging
@testable import Editing
@testable import Host
@testable import Inspection
import TestSupport
import Testing

/// Each notice about retagging and RPUs has the code and the arguments that programs base decisions
/// on.
@Suite struct EditingNoticeTests {
  static let editing: [(Notice, Notice.Code, [String: String])] = [
    (.nothingChanged, "nothingChanged", [:]),
    (.reservedCodePoint("matrix 99"), "reservedCodePoint", ["codePoint": "matrix 99"]),
    (.encryptedSamplesNotChanged, "encryptedSamplesNotChanged", [:]),
    (.otherLayersNotChanged, "otherLayersNotChanged", [:]),
    (.gammaKept(isAlone: true), "gammaKept", [:]),
    (.gammaKept(isAlone: false), "gammaKept", [:]),
    (.profileRemoved, "profileRemoved", [:]),
    (.metadataWithoutHDR, "metadataWithoutHDR", [:]),
    (
      .metadataKept([(.init(HDR10Plus.self), "HDR10+")], beside: .bt709), "metadataKept",
      ["metadata": "hdr10Plus", "transferFunction": "BT.709 (1)"]
    ),
    (
      .metadataKept([(.init(HDR10Plus.self), "HDR10+")], beside: .hlg), "metadataKept",
      ["metadata": "hdr10Plus", "transferFunction": "HLG (18)"]
    ),
    (
      .attributeNotKept("owner", of: "a.mov"), "attributeNotKept",
      ["attribute": "owner", "path": "a.mov"]
    ),
    (.rpuNotValid(3, "x is 5"), "rpuNotValid", ["issue": "x is 5", "rpu": "3"]),
    (
      .rpuOfOtherSignal(3, "HLG", .pq), "rpuOfOtherSignal",
      ["rpu": "3", "signal": "HLG", "transferFunction": "PQ (16)"]
    ),
    (.sampleEntryNotHVC1("hev1"), "sampleEntryNotHVC1", ["sampleEntry": "hev1"]),
    (.ambientLightMissing, "ambientLightMissing", [:]),
    (.framesWithoutRPU(2, of: 9), "framesWithoutRPU", ["count": "2", "frameCount": "9"]),
    (.damagedRPUs(2, first: 4), "damagedRPUs", ["count": "2", "first": "4"]),
  ]

  @Test(arguments: editing)
  func ofEditingAndInspection(notice: Notice, code: Notice.Code, arguments: [String: String]) {
    #expect(notice.code == code && notice.arguments == arguments)
  }

  /// Metadata whose values state nothing is refused.
  @Test func impossibleValues() {
    func fault(_ change: (inout TagChanges) -> Void) -> String? {
      var changes = TagChanges()
      change(&changes)
      return changes.metadataFault?.arguments["metadata"]
    }
    #expect(
      fault { $0[ContentColorVolume.self] = .stated(ContentColorVolume()) }
        == ContentColorVolume.key)
    let unknown = ContentLightLevel(maxContentLightLevel: 0, maxPicAverageLightLevel: 0)
    #expect(fault { $0.contentLightLevel = .stated(unknown) } == ContentLightLevel.key)
    #expect(fault { $0.ambientViewingEnvironment = .stated(.usual) } == nil)
  }

  /// Tags hold numbers, so a transfer function without a number is refused before any file is read.
  @Test func tagsStateNumbers() {
    var changes = TagChanges()
    changes.color = ColorDescription(.bt709, .init(unnumberedGamma: 1.8), .bt709)
    let error = #expect(throws: TranscodingError.self) { try Retagger(changes) }
    #expect(
      error?.message
        == "tags are H.273 numbers, and the transfer function gamma 1.8 has no number")
  }

  @Test func bitstreamsThatAreNotChanged() throws {
    let conflict = try #require(
      ResolvedTags([
        SignalClaim(source: .container, signal: SignalDescription(color: .bt709)),
        SignalClaim(source: .bitstream, signal: SignalDescription(color: .hlg)),
      ]).conflicts.first)
    let notice = Notice.bitstreamNotChanged(conflict)
    #expect(try NoticeTable().disagreements(on: Self.editing.map(\.0) + [notice]) == [])
    #expect(notice.code == "bitstreamNotChanged")
    #expect(notice.text.contains(Notice.tagConflict(conflict).text))
  }
}
