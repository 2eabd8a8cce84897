// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import Testing

@testable import ISOBMFF

/// Before anything is made from a table, its counts are compared with the number of bytes that
/// exist.
@Suite struct TableLimitTests {
  private static func numbers(_ values: [UInt32]) -> [UInt8] {
    var writer = ByteWriter()
    for value in values { writer.append(value) }
    return writer.bytes
  }

  /// Makes a track with one chunk, whose samples all have the same size.
  private static func track(
    _ count: UInt32, size: UInt32 = 1, handler: String = "vide", other: Box? = nil
  ) -> Box {
    var stbl = Box(
      "stbl",
      children: [
        Box("stts", fields: numbers([0, 1, count, 1])),
        Box("stsz", fields: numbers([0, size, count])),
        Box("stsc", fields: numbers([0, 1, 1, count, 1])),
        Box("stco", fields: numbers([0, 1, 0])),
      ])
    if let other { stbl.set(other) }
    let hdlr = Box("hdlr", fields: numbers([0, 0]) + Array(handler.utf8))
    return Box(
      "trak", children: [Box("mdia", children: [hdlr, Box("minf", children: [stbl])])])
  }

  private static func table(_ trak: Box, fileSize: UInt64) throws -> SampleTable {
    try SampleTable(trak, fileSize: fileSize)
  }

  @Test(arguments: [(100, 1, 100), (50, 2, 100), (1, 100, 100)] as [(UInt32, UInt32, UInt64)])
  func asManySamplesAsFitAreTaken(count: UInt32, size: UInt32, fileSize: UInt64) throws {
    #expect(try Self.table(Self.track(count, size: size), fileSize: fileSize).count == Int(count))
  }

  @Test(
    arguments: [(101, 1), (51, 2), (2, 100), (.max, 1), (.max, .max)] as [(UInt32, UInt32)])
  func moreSamplesThanTheFileHoldsAreRefused(count: UInt32, size: UInt32) throws {
    let fault = ISOBMFFError.excessiveCount("stsz", UInt64(count), of: "samples", bytes: 100)
    #expect(throws: fault) { try Self.table(Self.track(count, size: size), fileSize: 100) }
    #expect(
      fault.description == "the box 'stsz' has an impossible count: \(count) samples in 100 bytes")
  }

  /// Old QuickTime files list compressed audio as samples of one byte, one for each moment of
  /// sound. A byte can hold several moments, so there may be more samples than bytes.
  @Test func momentsOfCompressedSoundAreNotBytes() throws {
    #expect(try Self.table(Self.track(600, handler: "soun"), fileSize: 100).count == 600)
    #expect(throws: ISOBMFFError.self) {
      try Self.table(Self.track(6500, handler: "soun"), fileSize: 100)
    }
  }

  /// Every table is refused if its bytes do not hold as many entries as it states.
  @Test(
    arguments: [
      ("stsz", [0, 0, 0xFFFF_FFFF, 1]), ("stsz", [0, 0, 2, 1]),
      ("stsc", [0, 0xFFFF_FFFF, 1, 1, 1]),
      ("stco", [0, 0xFFFF_FFFF, 0]), ("co64", [0, 2, 0, 0, 0]),
    ] as [(String, [UInt32])])
  func everyCountIsComparedWithItsBox(type: String, values: [UInt32]) throws {
    let box = Box(FourCC(stringLiteral: type), fields: Self.numbers(values))
    do {
      _ = try Self.table(Self.track(1, other: box), fileSize: 1000)
      Issue.record("it was read")
    } catch let error as ISOBMFFError {
      let count = values[type == "stsz" ? 2 : 1]
      #expect("\(error)".contains("the box '\(type)' has an impossible count: \(count) "))
    }
  }

  @Test func compactSizesAndEditsAreComparedToo() throws {
    var trak = Self.track(1)
    trak.edit("mdia", "minf", "stbl") { stbl in
      stbl.remove("stsz")
      stbl.set(Box("stz2", fields: Self.numbers([0, 4, 0xFFFF_FFFF, 0])))
    }
    #expect(throws: ISOBMFFError.self) { try Self.table(trak, fileSize: 1 << 40) }
    for version in [0, 0x0100_0000] as [UInt32] {
      #expect(throws: ISOBMFFError.self) {
        try EditList(fields: Self.numbers([version, 0xFFFF_FFFF, 0, 0, 0]))
      }
    }
  }

  @Test func readingCanBeInterrupted() throws {
    #expect(throws: ISOBMFFError.interrupted) {
      try SampleTable(Self.track(1), fileSize: 100) { () throws(ISOBMFFError) in
        throw .interrupted
      }
    }
  }
}
