// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

/// Each number of a movie that becomes part of a sum has a bound, and is read up to that bound but
/// not beyond.
@Suite struct NumberBoundTests {
  /// Functions that read back a field with a given value, by box and field. They return `nil` for
  /// "not stated".
  private static let readers: [String: @Sendable (UInt64) throws -> UInt64?] = [
    "elst segment_duration": { try edits([($0, 0)]).entries[0].segmentDuration },
    "elst sum of segment_duration": { try edits([($0 / 2, -1), ($0 - $0 / 2, -1)]).duration },
    "elst media_time": { UInt64(try edits([(1, Int64(bitPattern: $0))]).entries[0].mediaTime) },
    "mvhd timescale": { try header("mvhd", timescale: $0).timescale.map { UInt64($0) } },
    "mdhd timescale": { try header("mdhd", timescale: $0).timescale.map { UInt64($0) } },
    "mvhd duration": { try known(header("mvhd", duration: $0).duration) },
    "tkhd duration": { try known(header("tkhd", duration: $0).duration) },
    "mdhd duration": { try known(header("mdhd", duration: $0).duration) },
    "tfdt baseMediaDecodeTime": { try fragment(time: $0)?.decodeTimeStamp.magnitude },
    "stts sample_delta": { delta in
      let stts = Box("stts", fields: bytes([UInt32(0), UInt32(1), UInt32(1), UInt32(delta)]))
      let minf = Box("minf", children: [Box("stbl", children: [stts])])
      _ = try SampleTimes.checkedCount(
        of: Box("trak", children: [Box("mdia", children: [minf])]))
      return delta
    },
    "trun sum of sample_duration": { try fragment(lasting: $0)?.duration.magnitude },
  ]

  private static func known(_ duration: UInt64) -> UInt64? { duration == .max ? nil : duration }

  private static func bytes(_ numbers: [any FixedWidthInteger]) -> [UInt8] {
    var writer = ByteWriter()
    for number in numbers { writer.append(number) }
    return writer.bytes
  }

  private static func edits(_ entries: [(duration: UInt64, time: Int64)]) throws -> EditList {
    try EditList(
      fields: bytes([UInt32(1 << 24), UInt32(entries.count)])
        + entries.flatMap { bytes([$0.duration, $0.time, UInt32(0x1_0000)]) })
  }

  private static func header(
    _ type: FourCC, timescale: UInt64 = 600, duration: UInt64 = 1
  ) throws -> HeaderFields {
    let number = [UInt32(truncatingIfNeeded: timescale)] + (type == "tkhd" ? [0] : [])
    let front = bytes([UInt32(1 << 24), UInt64(0), UInt64(0)]) + number.flatMap { bytes([$0]) }
    return try HeaderFields(
      Box(type, fields: front + bytes([duration]) + [UInt8](repeating: 0, count: 80)))
  }

  /// Returns the only fragment of track 1, with runs that last as long as requested.
  private static func fragment(time: UInt64 = 0, lasting: UInt64 = 0) throws -> TrackFragment? {
    var runs: [Box] = []
    var rest = lasting
    while rest > 0 || runs.isEmpty {
      // This many samples have the default duration.
      let count = min(rest / UInt64(UInt32.max), UInt64(UInt32.max))
      runs.append(Box("trun", fields: bytes([UInt32(0), UInt32(count)])))
      rest -= count * UInt64(UInt32.max)
      guard rest < UInt64(UInt32.max) else { continue }
      runs.append(
        Box("trun", fields: bytes([UInt32(0x100), UInt32(1), UInt32(rest)])))
      rest = 0
    }
    let tfhd = Box("tfhd", fields: bytes([UInt32(8), UInt32(1), UInt32.max]))
    let tfdt = Box("tfdt", fields: bytes([UInt32(1 << 24), time]))
    let moof = Box("moof", children: [Box("traf", children: [tfhd, tfdt] + runs)])
    let movie = try Fixture.bytes("movie-hlg") + moof.bytes
    return try Movie.fragments(in: MemoryByteSource(movie))[1]?.first
  }

  @Test(arguments: NumberBound.all)
  func everyNumberIsReadUpToItsBound(bound: NumberBound) throws {
    let read = try #require(Self.readers["\(bound.box) \(bound.field)"])
    let most = UInt64(bound.most)
    #expect(try read(most) == most)
    for number in [most + 1, .max] where number <= UInt64(UInt32.max) || bound.most > 1 << 32 {
      switch bound.beyond {
      case .clipped: #expect(try read(number) == most)
      case .unstated: #expect(try read(number) == nil)
      case .refused:
        guard bound.field != "media_time" || number != .max else { continue }
        #expect(throws: ISOBMFFError.self) { try read(number) }
      }
    }
  }

  /// If an edit list is beyond its bound, the error names the box, the field, and what is allowed.
  @Test func aListBeyondItsBoundSaysWhere() throws {
    let fault = #expect(throws: ISOBMFFError.self) { try Self.edits([(.max, 0), (.max, 100)]) }
    #expect(
      fault?.description.hasPrefix("the box 'elst' has 72057594037927936 as its sum of ") ?? false)
    let times = [(300, 0), (1 << 40, 0)] as [(UInt64, Int64)]
    let fields = try Self.edits(times).box.fields
    // At 30 ticks a second, 2⁴⁰ ticks are more than a thousand years. A single edit is clipped,
    // because it ends with the media. The sum of two edits is refused.
    #expect(throws: ISOBMFFError.self) { try EditList(fields: fields, timescale: 30) }
    #expect(
      try EditList(fields: Self.edits([(1 << 40, 0)]).box.fields, timescale: 30).duration
        == 30 << 31)
  }

  @Test func unknownDurationsStayUnknown() throws {
    var header = try Self.header("tkhd", duration: .max)
    header.lengthen(by: 300)
    #expect(header.duration == .max)
    #expect(
      EditList(entries: [
        .init(segmentDuration: .max, mediaTime: -1), .init(segmentDuration: 300, mediaTime: 0),
      ]).duration == .max)
  }
}
