// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import ColorConversion

/// Notices about conversions have the codes and arguments on which programs base decisions.
@Suite struct ConversionNoticeTests {
  private static let codes: [(Notice, Notice.Code, [String: String])] = [
    (
      .ambientLightIgnored(0, plausible: 0.01...200_000), "ambientLightIgnored",
      ["illuminance": "0"]
    ),
    (
      .peakIgnored("MaxCLL", 65_535, plausible: 1...10_000), "peakLuminanceIgnored",
      ["luminance": "65535", "statement": "MaxCLL"]
    ),
    (.peakAssumed(1000), "peakLuminanceAssumed", ["luminance": "1000"]),
    (
      .fixedCurveNotFitted(hlgPeakLuminance: 2000), "fixedCurveNotFitted",
      ["hlgPeakLuminance": "2000"]
    ),
    (
      .optionHasNoEffect("dither", because: "the bit depth is not reduced"),
      "settingHasNoEffect",
      [
        "key": "video.conversion.dither",
        "reason": "the bit depth is not reduced",
      ]
    ),
  ]

  @Test func theArticleHasThem() throws {
    #expect(try NoticeTable().disagreements(on: Self.codes.map(\.0)) == [])
  }

  @Test(arguments: codes)
  func code(notice: Notice, code: Notice.Code, arguments: [String: String]) {
    #expect(notice.code == code && notice.arguments == arguments)
  }
}
