// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import Testing

@testable import ISOBMFF

/// Boxes that describe the aperture and the fields of frames are read and written.
@Suite struct PictureBoxTests {
  /// The clean aperture that QuickTime writes for DV PAL. It has 702.9 columns.
  private let payload: [UInt8] = [
    0, 0, 0xA2, 0, 0, 0, 0, 59, 0, 0, 2, 0x40, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 2, 0, 0,
    0, 0, 0, 0, 0, 1,
  ]

  @Test func cleanApertureIsReadAndWritten() throws {
    let aperture = try CleanAperture(payload)
    #expect(aperture.payload == payload)
    #expect(aperture.width == .init(41472, 59) && aperture.horizontalOffset == .init(-1, 2))
    let columns = aperture.columns(ofWidth: 720)
    #expect(abs(columns.lowerBound - 8.042) < 0.001 && abs(columns.upperBound - 710.958) < 0.001)
    #expect(aperture.rows(ofHeight: 576) == 0...576)
  }

  @Test(arguments: [3, 7, 15, 23, 31]) func emptyAperturesAreNone(place: Int) {
    var broken = payload
    broken.replaceSubrange(place - 3...place, with: [0, 0, 0, 0])
    #expect(throws: ISOBMFFError.self) { try CleanAperture(broken) }
    #expect(throws: ISOBMFFError.self) { try CleanAperture(Array(payload.dropLast())) }
  }

  @Test func aNumberWithoutAMeaningIsNamed() {
    let broken = payload.prefix(4) + [0xFF, 0xFF, 0xFF, 0xFF] + payload.dropFirst(8)
    let error = #expect(throws: ISOBMFFError.self) { try CleanAperture(Array(broken)) }
    #expect(
      error?.description
        == "the box 'clap' has -1 as its cleanApertureWidthD; expected a number above 0")
  }

  @Test func fractionsStayExactWhereTheyCan() {
    let width = CleanAperture.Fraction(41472, 59)
    #expect(width.scaled(by: 360, over: 720) == .init(20736, 59))
    #expect(CleanAperture.Fraction(-1, 2).adding(halfOf: 3) == .init(1, 1))
  }

  @Test(arguments: [([2, 9], true), ([2, 14], false), ([2, 1], true), ([2, 6], false)])
  func fields(payload: [UInt8], isTopFirst: Bool) throws {
    #expect(try FieldInformation(payload).isTopFirst == isTopFirst)
  }

  @Test func fieldsThatAreNotStated() throws {
    #expect(try FieldInformation([1, 0]).isTopFirst == nil)
    #expect(try FieldInformation([2, 0]).isTopFirst == nil)
    #expect(throws: ISOBMFFError.self) { try FieldInformation([3, 0]) }
    #expect(throws: ISOBMFFError.self) { try FieldInformation([2]) }
    #expect(FieldInformation(interleavedTopFirst: false).payload == [2, 14])
  }
}
