// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorTagging

/// Each decision follows one of the four rules in Apple's "Tagging media with video color
/// information".
@Suite struct TaggingDecisionTests {
  @Test func propertiesTagAnUntaggedSourceWithoutConversion() {
    let decision = TaggingDecision(source: .unspecified, colorProperties: .hlg)
    #expect(decision.rule == .tagUntaggedSource)
    #expect(decision.output == .hlg)
    #expect(decision.source.isUnspecified)
  }

  @Test func propertiesConvertATaggedSource() {
    let decision = TaggingDecision(source: .hlg, colorProperties: .bt709)
    #expect(decision.rule == .convertTaggedSource)
    #expect((decision.source, decision.output) == (.hlg, .bt709))
  }

  @Test func withoutPropertiesTagsPropagateAlsoInPart() {
    let partial = ColorDescription(.bt2020, .unspecified, .unspecified)
    for source in [ColorDescription.p3D65, partial] {
      let decision = TaggingDecision(source: source, colorProperties: nil)
      #expect(decision.rule == .propagate)
      #expect(decision.output == source)
    }
  }

  @Test func withoutPropertiesAnUntaggedSourceStaysUntagged() {
    let decision = TaggingDecision(source: .unspecified, colorProperties: nil)
    #expect(decision.rule == .leaveUntagged)
    #expect(decision.output.isUnspecified)
  }

  @Test func hlgImpliesWhatIsMissing() {
    let source = ColorDescription(.bt2020, .hlg, .unspecified)
    let decision = TaggingDecision(source: source, colorProperties: .bt709)
    #expect(decision.rule == .convertTaggedSource)
    #expect(decision.source == .hlg)
    #expect(decision.inferred == [.yCbCrMatrix])
  }

  @Test func aPartThatImpliesNothingCountsAsUntaggedAndIsNamed() {
    let source = ColorDescription(.bt709, .unspecified, .bt709)
    let decision = TaggingDecision(source: source, colorProperties: .hlg)
    #expect(decision.rule == .tagUntaggedSource)
    #expect(decision.ignored == [.colorPrimaries])
    #expect(decision.source == ColorDescription(.unspecified, .unspecified, .bt709))
  }
}
