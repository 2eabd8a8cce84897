// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorTagging

/// Numbers without a meaning in H.273 are ignored. Claims of R'G'B' are ignored if the video is not
/// R'G'B'.
@Suite struct ReservedNumberTests {
  private func claim(
    _ source: ClaimSource, _ primaries: UInt16, _ transfer: UInt16, _ matrix: UInt16
  ) -> SignalClaim {
    SignalClaim(
      source: source,
      signal: SignalDescription(
        color: ColorDescription(
          ColorPrimaries(rawValue: primaries), TransferCharacteristics(rawValue: transfer),
          MatrixCoefficients(rawValue: matrix))))
  }

  @Test(arguments: [0, 3, 99, 255, 256, 65_535] as [UInt16])
  func theBitstreamDecides(number: UInt16) {
    let matrix: UInt16 = number == 0 ? 3 : number
    let tags = ResolvedTags([
      claim(.container, number, number, matrix), claim(.bitstream, 9, 18, 9),
    ])
    #expect(tags.signal.color == .hlg)
    #expect(tags.evidence[.colorPrimaries] == .bitstream)
    #expect(tags.conflicts.isEmpty)
    #expect(tags.notes.count == 3)
    #expect(tags.notes.allSatisfy { $0.code == "meaninglessStatement" })
  }

  @Test func nothingIsLeftWhereNobodyElseSpeaks() {
    let tags = ResolvedTags([claim(.bitstream, 3, 3, 3)])
    #expect(tags.signal.color.isUnspecified)
    #expect(tags.notes.count == 3)
  }

  @Test func identityIsForRGBAlone() {
    let claims = [claim(.container, 1, 1, 0), claim(.bitstream, 1, 1, 1)]
    #expect(ResolvedTags(claims, isRGB: false).signal.color == .bt709)
    let kept = ResolvedTags(claims, isRGB: true).signal.color.matrixCoefficients
    #expect(kept == .identity)
  }

  @Test func profilesAndGammaComeAfterBoxes() {
    let tags = ResolvedTags([
      claim(.container, 1, 2, 1), claim(.gamma, 2, 4, 2), claim(.bitstream, 1, 1, 1),
    ])
    #expect(tags.signal.color.triple == "1/4/1")
    #expect(tags.evidence[.transferFunction] == .gamma)
  }
}
