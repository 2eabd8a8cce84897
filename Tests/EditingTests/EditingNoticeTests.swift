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

/// The wording of each notice of retagging and of RPUs, and the code that programs decide by.
@Suite struct EditingNoticeTests {
  static let editing: [(Notice, Notice.Code, String)] = [
    (
      .nothingChanged, "nothingChanged", "every place says so already; nothing is changed"
    ),
    (
      .reservedCodePoint("matrix 99"), "reservedCodePoint",
      "matrix 99: H.273 gives this number no meaning"
    ),
    (
      .encryptedSamplesNotChanged, "encryptedSamplesNotChanged",
      "the samples are encrypted; what they say themselves is not changed"
    ),
    (
      .otherLayersNotChanged, "otherLayersNotChanged",
      "a second layer or view says of its colors what it said before"
    ),
    (
      .gammaKept(isAlone: true), "gammaKept",
      "a 'gama' atom is kept, which states a transfer function"
    ),
    (
      .gammaKept(isAlone: false), "gammaKept",
      "a 'gama' atom is kept; readers believe 'colr' before it"
    ),
    (
      .profileRemoved, "profileRemoved", "an ICC profile, which states other colors, is removed"
    ),
    (
      .metadataWithoutHDR, "metadataWithoutHDR",
      "the color is not HDR, for which HDR metadata says nothing"
    ),
    (
      .metadataKept([(.init(HDR10Plus.self), "HDR10+")], beside: .bt709), "metadataKept",
      "kept, although the color is not HDR now: HDR10+"
    ),
    (
      .metadataKept([(.init(HDR10Plus.self), "HDR10+")], beside: .hlg), "metadataKept",
      "kept, although it is not for HLG (18): HDR10+"
    ),
    (
      .attributeNotKept(.owner, of: "a.mov"), "attributeNotKept",
      "a.mov: its owner could not be kept"
    ),
    (.rpuNotValid(3, "x is 5"), "rpuNotValid", "RPU 3 is not valid: x is 5"),
    (
      .rpuOfOtherSignal(3, "HLG", .pq), "rpuOfOtherSignal",
      "RPU 3 maps HLG to Dolby Vision, but the video is PQ (16)"
    ),
    (
      .sampleEntryNotHVC1("hev1"), "sampleEntryNotHVC1",
      "the sample entry is 'hev1'; Apple's players want 'hvc1'"
    ),
    (
      .ambientLightMissing, "ambientLightMissing",
      "the file has no 'amve' box, which Dolby Vision 8.4 needs"
    ),
    (
      .framesWithoutRPU(2, of: 9), "framesWithoutRPU", "no RPU in 2 of 9 frames"
    ),
    (
      .damagedRPUs(2, first: 4), "damagedRPUs",
      "2 RPUs are damaged, the first is RPU 4, counted from 0"
    ),
  ]

  @Test(arguments: editing)
  func ofEditingAndInspection(notice: Notice, code: Notice.Code, text: String) {
    #expect(notice.code == code && notice.text == text)
  }

  /// Values of every kind are refused that cannot be so, and those that state nothing.
  @Test func impossibleValues() {
    func fault(_ change: (inout TagChanges) -> Void) -> String? {
      var changes = TagChanges()
      change(&changes)
      return changes.metadataFault?.message
    }
    #expect(
      fault { $0[ContentColorVolume.self] = .stated(ContentColorVolume()) }
        == "contentColorVolume: it states nothing")
    let unknown = ContentLightLevel(maxContentLightLevel: 0, maxPicAverageLightLevel: 0)
    #expect(
      fault { $0.contentLightLevel = .stated(unknown) }
        == "contentLightLevel: 0,0 states nothing, and 'none' removes the statement")
    #expect(fault { $0.ambientViewingEnvironment = .stated(.usual) } == nil)
  }

  @Test func bitstreamsThatAreNotChanged() throws {
    let conflict = try #require(
      TagResolver.resolve([
        SignalClaim(source: .container, signal: SignalDescription(color: .bt709)),
        SignalClaim(source: .bitstream, signal: SignalDescription(color: .hlg)),
      ]).conflicts.first)
    let notice = Notice.bitstreamNotChanged(conflict)
    #expect(try NoticeTable().disagreements(on: Self.editing.map(\.0) + [notice]) == [])
    #expect(notice.code == "bitstreamNotChanged")
    #expect(notice.text == "not changed: \(Notice.tagConflict(conflict).text)")
  }
}
