// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

@Suite struct SpellingTests {
  /// The values of Apple's constants, FFmpeg's names and the numbers of H.273 all mean the same.
  @Test(arguments: [
    ("ITU_R_709_2", "bt709", 1), ("SMPTE_C", "smpte170m", 6), ("ITU_R_2020", "bt2020", 9),
    ("P3_D65", "smpte432", 12), ("DCI_P3", "smpte431", 11),
  ])
  func primariesInAllSpellings(apple: String, ffmpeg: String, number: UInt16) {
    let expected = ColorPrimaries(rawValue: number)
    #expect(ColorPrimaries(spelling: apple) == expected)
    #expect(ColorPrimaries(spelling: ffmpeg.uppercased()) == expected)
    #expect(ColorPrimaries(spelling: "\(number)") == expected)
  }

  @Test(arguments: [
    ("ITU_R_709_2", "bt709", 1), ("SMPTE_240M_1995", "smpte240m", 7),
    ("SMPTE_ST_2084_PQ", "smpte2084", 16), ("ITU_R_2100_HLG", "arib-std-b67", 18),
  ])
  func transferFunctionsInAllSpellings(apple: String, ffmpeg: String, number: UInt16) {
    let expected = TransferCharacteristics(rawValue: number)
    #expect(TransferCharacteristics(spelling: apple) == expected)
    #expect(TransferCharacteristics(spelling: ffmpeg) == expected)
  }

  @Test(arguments: [
    ("ITU_R_709_2", "bt709", 1), ("ITU_R_601_4", "smpte170m", 6),
    ("ITU_R_2020", "bt2020nc", 9),
  ])
  func matricesInAllSpellings(apple: String, ffmpeg: String, number: UInt16) {
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

  /// A gamma without a code point is known by its name. A gamma that a code point stands for
  /// becomes that code point.
  @Test(arguments: [
    ("gamma 1.8", "gamma 1.8", "1/gamma 1.8/1"), ("Gamma 1.8", "gamma 1.8", "1/gamma 1.8/1"),
    ("gamma1.8", "gamma 1.8", "1/gamma 1.8/1"), ("gamma 2.2", "gamma 2.2 (4)", "1/4/1"),
    ("gamma 2.4", "BT.709 (1)", "1/1/1"), ("gamma 1.8003", "gamma 1.8", "1/gamma 1.8003/1"),
  ])
  func functionsWithoutANumber(text: String, description: String, spelling: String) throws {
    let transfer = try #require(TransferCharacteristics(spelling: text))
    #expect(transfer.description == description)
    let color = ColorDescription(.bt709, transfer, .bt709)
    #expect(color.spelling == spelling)
    #expect(ColorDescription(spelling: spelling) == color)
    #expect(color.numbered.triple == "1/\(transfer.rawValue)/1")
  }

  @Test(arguments: ["gamma", "gamma 0.45", "gamma 7", "gamma nan", "gamma 1,8", "log"])
  func noFunctions(text: String) {
    #expect(TransferCharacteristics(spelling: text) == nil)
    #expect(ColorPrimaries(spelling: "gamma 1.8") == nil)
  }

  /// A transfer function without a code point is equal neither to one with a code point nor to
  /// another one without.
  @Test func namesTellFunctionsApart() {
    let log = TransferCharacteristics(unnumbered: "some log", isHDR: true)
    #expect(log != .unspecified && log.numbered == .unspecified && log.isSpecified)
    #expect(log != .init(unnumbered: "other log") && log != .init(unnumberedGamma: 1.8))
    #expect(log.isHDR && log.dynamicRangeText == "HDR (some log)" && "\(log)" == "some log")
  }

  @Test func reservedNumbersSurvive() {
    let color = ColorDescription(
      ColorPrimaries(rawValue: 77), TransferCharacteristics(rawValue: 250),
      MatrixCoefficients(rawValue: 3))
    #expect(color.triple == "77/250/3")
    #expect("\(color.colorPrimaries)" == "reserved (77)")
  }
}
