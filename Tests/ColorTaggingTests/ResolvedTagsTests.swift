// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorTagging

@Suite struct ResolvedTagsTests {
  private func claim(
    _ source: ClaimSource, _ color: ColorDescription, full: Bool? = nil,
    location: ChromaLocation? = nil
  ) -> SignalClaim {
    SignalClaim(
      source: source,
      signal: SignalDescription(color: color, videoFullRangeFlag: full, chromaLocation: location))
  }

  @Test func theContainerIsBelievedForColorAndTheBitstreamForRange() {
    let tags = ResolvedTags([
      claim(.container, .bt709, full: false), claim(.bitstream, .hlg, full: true),
    ])
    #expect(tags.signal.color == .bt709)
    #expect(tags.signal.videoFullRangeFlag == true)
    #expect(tags.evidence[.range] == .bitstream)
    #expect(
      Set(tags.conflicts.map(\.field)) == Set(SignalField.allCases).subtracting([.chromaLocation]))
  }

  @Test func whatOnlyOnePlaceStatesIsTakenFromThere() {
    let partial = ColorDescription(.unspecified, .hlg, .unspecified)
    let tags = ResolvedTags([
      claim(.container, ColorDescription(.bt2020, .unspecified, .unspecified)),
      claim(.bitstream, partial, location: .topLeft),
    ])
    #expect(tags.signal.color == ColorDescription(.bt2020, .hlg, .unspecified))
    #expect(tags.signal.chromaLocation == .topLeft)
    #expect(tags.conflicts.isEmpty)
  }

  @Test func aDecoderThatRepeatsTheBitstreamIsNotHeard() {
    let tags = ResolvedTags([
      claim(.bitstream, .unspecified), claim(.decoder, .bt709, full: false, location: .left),
    ])
    #expect(tags.signal == SignalDescription())
    let other = ResolvedTags([claim(.decoder, .bt709)])
    #expect(other.signal.color == .bt709)
  }

  @Test func theUserIsBelievedFirst() {
    let tags = ResolvedTags([claim(.container, .bt709), claim(.user, .hlg)])
    #expect(tags.signal.color == .hlg)
    #expect(tags.conflicts.map(\.winner) == [.user, .user, .user])
  }

  /// HLG counts as HLG even if it is signaled for receivers that do not know it: as transfer
  /// function 14, with SEI 147 preferring 18.
  @Test func hlgBehindAFallbackIsHLG() {
    let fallback = ColorDescription(.bt2020, .bt2020TenBit, .bt2020NonConstant)
    let preference = claim(
      .preferredTransfer, ColorDescription(.unspecified, .hlg, .unspecified))
    for claims in [
      [claim(.container, fallback), claim(.bitstream, fallback), preference],
      [claim(.container, .unspecified), claim(.bitstream, fallback), preference],
    ] {
      let tags = ResolvedTags(claims)
      #expect(tags.signal.color == .hlg)
      #expect(tags.evidence[.transferFunction] == .preferredTransfer)
      #expect(tags.conflicts.isEmpty)
      #expect(tags.fallbackTransfer == .bt2020TenBit)
    }
    // A container that states the same as SEI 147 conflicts with nothing.
    let stated = ResolvedTags([
      claim(.container, .hlg), claim(.bitstream, fallback), preference,
    ])
    #expect(stated.signal.color == .hlg)
    #expect(stated.conflicts.isEmpty && stated.fallbackTransfer == .bt2020TenBit)
    let plain = ResolvedTags([claim(.container, .hlg), claim(.bitstream, .hlg), preference])
    #expect(plain.conflicts.isEmpty && plain.fallbackTransfer == nil)
    // If somebody retagged the container, it is believed, and not the bitstream and its SEI.
    let retagged = ResolvedTags([
      claim(.container, .pq), claim(.bitstream, fallback), preference,
    ])
    #expect(retagged.signal.color == .pq)
    #expect(retagged.conflicts.count == 2)
    #expect(retagged.fallbackTransfer == nil)
  }

  @Test func boxesThatDisagreeAreAConflict() {
    let tags = ResolvedTags([claim(.container, .hlg), claim(.container, .bt709)])
    #expect(tags.signal.color == .hlg)
    #expect(tags.conflicts.count == 3)
  }
}
