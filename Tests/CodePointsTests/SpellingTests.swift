// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import CodePoints

@Suite struct SpellingTests {
  /// Apple's constants' values and FFmpeg's names with the numbers of H.273.
  @Test(arguments: [
    ("ITU_R_709_2", "bt709", 1), ("SMPTE_C", "smpte170m", 6), ("ITU_R_2020", "bt2020", 9),
    ("P3_D65", "smpte432", 12), ("DCI_P3", "smpte431", 11),
  ])
  func primariesInAllSpellings(apple: String, ffmpeg: String, number: UInt8) {
    let expected = ColorPrimaries(rawValue: number)
    #expect(ColorPrimaries(spelling: apple) == expected)
    #expect(ColorPrimaries(spelling: ffmpeg.uppercased()) == expected)
    #expect(ColorPrimaries(spelling: "\(number)") == expected)
  }

  @Test(arguments: [
    ("ITU_R_709_2", "bt709", 1), ("SMPTE_240M_1995", "smpte240m", 7),
    ("SMPTE_ST_2084_PQ", "smpte2084", 16), ("ITU_R_2100_HLG", "arib-std-b67", 18),
  ])
  func transferFunctionsInAllSpellings(apple: String, ffmpeg: String, number: UInt8) {
    let expected = TransferCharacteristics(rawValue: number)
    #expect(TransferCharacteristics(spelling: apple) == expected)
    #expect(TransferCharacteristics(spelling: ffmpeg) == expected)
  }

  @Test(arguments: [
    ("ITU_R_709_2", "bt709", 1), ("ITU_R_601_4", "smpte170m", 6),
    ("ITU_R_2020", "bt2020nc", 9),
  ])
  func matricesInAllSpellings(apple: String, ffmpeg: String, number: UInt8) {
    let expected = MatrixCoefficients(rawValue: number)
    #expect(MatrixCoefficients(spelling: apple) == expected)
    #expect(MatrixCoefficients(spelling: ffmpeg) == expected)
  }

  @Test func everyNameLeadsBackToItsNumber() {
    func check<Point: CodePoint>(_: Point.Type) {
      for name in Point.names {
        #expect(Point(spelling: name.ffmpeg)?.rawValue == name.rawValue)
        if let apple = name.apple { #expect(Point(spelling: apple)?.rawValue == name.rawValue) }
      }
    }
    check(ColorPrimaries.self)
    check(TransferCharacteristics.self)
    check(MatrixCoefficients.self)
  }

  @Test(arguments: [
    ("709", "1/1/1"), ("601-525", "6/1/6"), ("601-625", "5/1/6"), ("p3", "12/1/1"),
    ("display-p3", "12/13/1"), ("Display P3", "12/13/1"), ("p3-d65", "12/1/1"),
    ("hdr10", "9/16/9"), ("HDR-10", "9/16/9"), ("hdr10+", "9/16/9"),
    ("2020", "9/1/9"), ("hlg", "9/18/9"), ("HLG", "9/18/9"), ("pq", "9/16/9"), ("none", "2/2/2"),
    ("9/18/9", "9/18/9"), ("bt2020/arib-std-b67/bt2020nc", "9/18/9"), ("bt2020", "9/1/9"),
    ("Rec. 709", "1/1/1"), ("smpte2084", "9/16/9"),
  ])
  func shortNamesAndTriples(text: String, triple: String) {
    #expect(ColorDescription(spelling: text)?.triple == triple)
  }

  @Test(arguments: ["", "hlgg", "9/18", "9/18/9/1", "9//9", "300/1/1", "bt20", "bt2020nc"])
  func othersAreRefused(text: String) {
    #expect(ColorDescription(spelling: text) == nil)
  }

  @Test func reservedNumbersSurvive() {
    let color = ColorDescription(
      ColorPrimaries(rawValue: 77), TransferCharacteristics(rawValue: 250),
      MatrixCoefficients(rawValue: 3))
    #expect(color.triple == "77/250/3")
    #expect("\(color.colorPrimaries)" == "reserved (77)")
  }
}
