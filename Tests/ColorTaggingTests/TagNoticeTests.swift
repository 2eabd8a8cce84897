// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorTagging

/// Notices about tags have the codes, severities and arguments that programs base decisions on, and
/// their text names the values.
@Suite struct TagNoticeTests {
  @Test func conflicts() throws {
    let tags = ResolvedTags([
      SignalClaim(source: .container, signal: SignalDescription(color: .bt709)),
      SignalClaim(source: .bitstream, signal: SignalDescription(color: .hlg)),
    ])
    let conflict = try #require(tags.conflicts.first { $0.field == .transferFunction })
    let notice = Notice.tagConflict(conflict)
    #expect(notice.code == "tagConflict" && notice.severity == .warning)
    #expect(notice.arguments["believed"] == "container")
    #expect(notice.arguments["other"] == "bitstream")
    #expect(notice.text.contains("BT.709 (1)") && notice.text.contains("HLG (18)"))
  }

  /// The gammas of an ICC profile's curve and of `gama` can differ after the second decimal, even
  /// for the same display. Such a small difference is no conflict.
  @Test func gammasAreComparedToTwoDecimals() {
    func claim(_ source: ClaimSource, _ gamma: Double) -> SignalClaim {
      SignalClaim(
        source: source,
        signal: SignalDescription(
          color: ColorDescription(.unspecified, .init(unnumberedGamma: gamma), .unspecified)))
    }
    #expect(ResolvedTags([claim(.profile, 1.8003), claim(.gamma, 1.8)]).conflicts.isEmpty)
    #expect(ResolvedTags([claim(.profile, 1.9), claim(.gamma, 1.8)]).conflicts.count == 1)
  }

  @Test func numbersWithoutAMeaning() {
    let color = ColorDescription(ColorPrimaries(rawValue: 3), .bt709, .bt709)
    let notes = ResolvedTags([
      SignalClaim(source: .container, signal: SignalDescription(color: color))
    ]).notes
    #expect(notes.map(\.code) == ["meaninglessStatement"])
    #expect(notes.first?.arguments["field"] == "colorPrimaries")
    #expect(notes.first?.text.contains("reserved (3)") == true)
  }
}
