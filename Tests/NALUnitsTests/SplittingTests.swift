// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import NALUnits
import TestSupport
import Testing

/// Byte streams and samples are split into NAL units, and emulation prevention is removed.
@Suite struct SplittingTests {
  private static let names = Fixture.names("hevc-") + Fixture.names("avc-") + Fixture.names("rpu-")

  /// Tests that select fixtures by the beginning of their names get all of them.
  @Test func noFixtureIsMissing() {
    #expect(Fixture.names("rpu-").count == 6 && Fixture.names("hevc-sei-").count == 10)
    #expect(Fixture.names().count == 64)
    #expect(throws: (any Error).self) { try Fixture("nothing") }
  }

  /// Emulation prevention bytes (3) are where the standard demands them, and only there.
  @Test(arguments: names.filter { !$0.hasSuffix("idr") }) func payloads(name: String) throws {
    let fixture = try Fixture(name)
    let header = Units.headerSize(name)
    let payload = Units.payload(try Units.unit(name), name)
    #expect(payload == Array(fixture.fields.dropFirst(header)))
    #expect(!Units.hasStartCode(fixture.bytes))
  }

  @Test(arguments: [3, 4, 6]) func byteStreams(codeLength: Int) throws {
    let units = try Self.names.map(Fixture.bytes)
    let code = [UInt8](repeating: 0, count: codeLength - 1) + [1]
    #expect(units.count == 32)
    #expect(Units.split(annexB: units.flatMap { code + $0 }) == units)
    // Zeros after the last unit and bytes before the first start code belong to no unit.
    #expect(Units.split(annexB: [9, 9] + code + units[0] + [0, 0, 0]) == [units[0]])
  }

  @Test func streamsWithoutUnits() {
    for bytes in [[], [0], [0, 0, 1], [0, 0, 0, 1], [1, 2, 3], [0, 0, 1, 0, 0, 1]] as [[UInt8]] {
      #expect(Units.split(annexB: bytes).isEmpty, "\(bytes)")
    }
    #expect(Units.split(annexB: [0, 0, 1, 7]) == [[7]])
  }

  @Test(arguments: [1, 2, 3, 4]) func samples(lengthSize: Int) throws {
    let names = Self.names.filter { $0 != "hevc-sei-long" }
    let units = try names.map(Fixture.bytes).filter { lengthSize > 1 || $0.count < 256 }
    let sample = units.flatMap { bytes in
      (0..<lengthSize).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }
    #expect(units.count > 20)
    #expect(Units.split(sample: sample, lengthSize: lengthSize) == units)
    // A unit that is cut off is left out, wherever the cut is.
    for count in sample.count - units[units.count - 1].count..<sample.count {
      let cut = Units.split(sample: Array(sample.prefix(count)), lengthSize: lengthSize)
      #expect(cut == units.dropLast())
    }
  }

  @Test func samplesWithoutUnits() {
    for bytes in [[], [0], [0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 9, 1], [255, 255, 255, 255, 1]]
      as [[UInt8]]
    {
      #expect(Units.split(sample: bytes, lengthSize: 4).isEmpty, "\(bytes)")
    }
    #expect(Units.split(sample: [0, 0, 0, 0, 0, 0, 0, 1, 7], lengthSize: 4) == [[7]])
  }

  // MARK: Units of Dolby Vision

  /// Returns two slices, each followed by units of Dolby Vision, and an end-of-sequence unit; and
  /// the same without the units of Dolby Vision.
  private static func dolbyVision() throws -> (all: [[UInt8]], plain: [[UInt8]]) {
    let (slice, rpu) = (try Fixture.bytes("hevc-idr"), try Fixture.bytes("rpu-84"))
    let (layer, end): ([UInt8], [UInt8]) = ([63 << 1, 1, 0x26, 1, 9], [36 << 1, 1])
    return ([slice, layer, rpu, slice, rpu, end], [slice, slice, end])
  }

  private static func rest(of bytes: [UInt8], without ranges: [Range<Int>]) -> [UInt8] {
    bytes.indices.filter { index in !ranges.contains { $0.contains(index) } }.map { bytes[$0] }
  }

  private static func places(annexB bytes: [UInt8]) -> [Range<Int>] {
    NALUnit.dolbyVision(annexB: bytes.span)
  }

  private static func places(sample: [UInt8], _ lengthSize: Int) -> [Range<Int>] {
    NALUnit.dolbyVision(sample: sample.span, lengthSize: lengthSize)
  }

  @Test(arguments: [3, 4, 6]) func dolbyVisionInByteStreams(codeLength: Int) throws {
    let code = [UInt8](repeating: 0, count: codeLength - 1) + [1]
    let (all, plain) = try Self.dolbyVision()
    // Zeros after the last unit belong to no unit.
    let stream: [UInt8] = all.flatMap { code + $0 } + [0, 0]
    let rest = Self.rest(of: stream, without: Self.places(annexB: stream))
    #expect(Units.split(annexB: rest) == plain)
    #expect(Self.places(annexB: rest).isEmpty)
    // If a byte stream has only an RPU, all of its bytes belong to Dolby Vision.
    let alone = code + all[2] + [0]
    #expect(Self.places(annexB: alone) == [0..<alone.count])
    for bytes in [[], [0, 0, 1], [0, 0, 1, 2, 0x7C], [0, 1, 0x7C, 1, 9]] as [[UInt8]] {
      #expect(Self.places(annexB: bytes).isEmpty, "\(bytes)")
    }
  }

  @Test(arguments: [2, 3, 4]) func dolbyVisionInSamples(lengthSize: Int) throws {
    let (all, plain) = try Self.dolbyVision()
    let sample = all.flatMap { NALUnit($0, .hevc).lengthPrefixed(lengthSize) }
    let found = Self.places(sample: sample, lengthSize)
    let rest = Self.rest(of: sample, without: found)
    #expect(Units.split(sample: rest, lengthSize: lengthSize) == plain)
    // An RPU that is cut off is found, too. If it stayed, a decoder would refuse the whole sample.
    let whole = NALUnit(all[0], .hevc).lengthPrefixed(lengthSize)
    let cut = whole + NALUnit(all[2], .hevc).lengthPrefixed(lengthSize).dropLast(9)
    #expect(Self.places(sample: cut, lengthSize) == [whole.count..<cut.count])
    for bytes in [[], [0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]] as [[UInt8]] {
      #expect(Self.places(sample: bytes, lengthSize).isEmpty)
    }
  }

  @Test func lengthsAndStartCodesAreWritten() throws {
    let unit = try Units.unit("hevc-idr")
    for size in 1...4 {
      #expect(Units.split(sample: unit.lengthPrefixed(size), lengthSize: size) == [unit.bytes])
    }
    #expect(Units.split(annexB: unit.annexB + unit.annexB) == [unit.bytes, unit.bytes])
  }
}
