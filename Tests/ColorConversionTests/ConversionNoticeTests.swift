// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import ColorConversion

/// The wording of notices on conversions.
@Suite struct ConversionNoticeTests {
  private static let wordings: [(Notice, Notice.Code, String)] = [
    (
      .ambientLightIgnored(0, plausible: 0.01...200_000), "ambientLightIgnored",
      "the source's ambient illuminance of 0 lux is ignored, plausible are 0.01 to 200000: HLG "
        + "is read for the reference surround"
    ),
    (
      .peakIgnored("MaxCLL", 65_535, plausible: 1...10_000), "peakLuminanceIgnored",
      "the source's MaxCLL of 65535 cd/m² is ignored, plausible are 1 to 10000"
    ),
    (
      .peakAssumed(1000), "peakLuminanceAssumed",
      "the source does not say how bright it is: 1000 cd/m² are assumed"
    ),
    (
      .fixedCurveNotFitted(hlgPeakLuminance: 2000), "fixedCurveNotFitted",
      "'bt2446c' is made for HLG on a display of 1000 cd/m², and is not fitted to "
        + "hlgPeakLuminance 2000"
    ),
    (
      .optionHasNoEffect(IdleOption(name: "dither", reason: "no bits are taken away")),
      "settingHasNoEffect",
      "video.conversion.dither has no effect: no bits are taken away"
    ),
  ]

  @Test func theArticleHasThem() throws {
    #expect(try NoticeTable().disagreements(on: Self.wordings.map(\.0)) == [])
  }

  @Test(arguments: wordings)
  func wording(notice: Notice, code: Notice.Code, text: String) {
    #expect(notice.code == code && notice.text == text)
  }
}
