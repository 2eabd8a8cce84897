// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

/// Movies keep samples in places where a careless editor would lose them.
@Suite struct OddLayoutTests {
  /// Makes a track with one chunk for each offset. Each chunk has one sample, and all samples have
  /// the same size.
  private static func track(
    _ id: UInt32, offsets: [UInt32], size: UInt32, extra: [Box] = []
  ) -> Box {
    func words(_ values: [UInt32]) -> [UInt8] {
      values.flatMap { value in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
      }
    }
    let count = UInt32(offsets.count)
    let stbl = Box(
      "stbl",
      children: [
        Box("stsd", fields: words([0, 0])), Box("stsc", fields: words([0, 1, 1, 1, 1])),
        Box("stsz", fields: words([0, 0, count] + offsets.map { _ in size })),
        Box("stco", fields: words([0, count] + offsets)),
      ] + extra)
    let tkhd = words([0, 0, 0, id, 0, 0]) + [UInt8](repeating: 0, count: 60)
    let media = Box(
      "mdia",
      children: [
        Box("mdhd", fields: words([0, 0, 0, 600, 0, 0])),
        Box("hdlr", fields: words([0, 0, FourCC("vide").rawValue, 0, 0, 0])),
        Box("minf", children: [stbl]),
      ])
    return Box("trak", children: [Box("tkhd", fields: tkhd), media])
  }

  private static func movie(_ tracks: [Box]) -> Box {
    let mvhd = Box("mvhd", fields: [UInt8](repeating: 0, count: 100))
    return Box("moov", children: [mvhd] + tracks)
  }

  private static func rewritten(
    _ file: [UInt8], movieFirst: Bool = false, patches: BytePatches = BytePatches(),
    growth: Int = 0
  ) throws -> [UInt8] {
    let source = MemoryByteSource(file)
    var editor = try BoxEditor(source)
    try editor.edit { (moov) throws(ISOBMFFError) in
      if growth > 0 {
        moov.children.append(Box("udta", fields: [UInt8](repeating: 7, count: growth)))
      }
    }
    try editor.patch(patches)
    var sink = MemorySink(source: source)
    try editor.write(to: &sink, movieFirst: movieFirst)
    return sink.bytes
  }

  private static func samples(_ file: [UInt8]) throws -> [[UInt8]] {
    try Movie(MemoryByteSource(file)).tracks.flatMap { track in
      try SampleTable(track).ranges.map { Array(file[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }
  }

  private static let type = Box("ftyp", fields: Array("isom0000isom".utf8))

  /// Samples stay even if they are in a box for padding, where some cameras leave them.
  @Test(arguments: ["free", "skip", "wide", "mdat"] as [FourCC])
  func samplesInPaddingStay(box: FourCC) throws {
    let data = Box(box, fields: Array(1...40))
    let first = UInt32(Self.type.size + 8)
    let file =
      Self.type.bytes + data.bytes
      + Self.movie([Self.track(1, offsets: [first, first + 20], size: 10)]).bytes
    for movieFirst in [true, false] {
      let result = try Self.rewritten(file, movieFirst: movieFirst, growth: 50)
      #expect(try Self.samples(result) == [Array(1...10), Array(21...30)])
    }
  }

  /// If the movie box grows, it uses the padding after it. If the padding is large enough, nothing
  /// else moves.
  @Test(arguments: [(20, 60), (20, 12), (52, 60), (200, 60)])
  func paddingIsUsed(growth: Int, padding: Int) throws {
    let track = Self.track(1, offsets: [0], size: 10)
    let front = Self.type.size + Self.movie([track]).size + padding
    let movie = Self.movie([Self.track(1, offsets: [UInt32(front + 8)], size: 10)])
    let file =
      Self.type.bytes + movie.bytes
      + Box("free", fields: [UInt8](repeating: 0, count: padding - 8)).bytes
      + Box("mdat", fields: Array(1...10)).bytes
    let result = try Self.rewritten(file, growth: growth - 8)
    #expect(try Self.samples(result) == [Array(1...10)])
    if growth == padding || growth + 8 <= padding { #expect(result.count == file.count) }
  }

  @Test func offsetsToNowhereAreRefused() throws {
    func file(_ offset: UInt32, size: UInt32 = 10) -> [UInt8] {
      Self.type.bytes + Self.movie([Self.track(1, offsets: [offset], size: size)]).bytes
        + Box("mdat", fields: Array(1...10)).bytes
    }
    let length = UInt64(file(0).count)
    #expect(throws: ISOBMFFError.missingSamples(end: 4010, fileSize: length)) {
      try Self.rewritten(file(4000), growth: 100)
    }
    // This offset points into the movie box itself.
    #expect(throws: ISOBMFFError.strayOffset(40)) {
      try Self.rewritten(file(40), growth: 100)
    }
    // A chunk without bytes may begin where the file ends.
    #expect(throws: Never.self) {
      try Self.rewritten(file(UInt32(length), size: 0), growth: 100)
    }
  }

  /// If two tracks share whole samples, a change of these samples shows in both. The tracks are
  /// refused if they share only a part of a sample.
  @Test func sharedSamples() throws {
    let data = Box("mdat", fields: Array(1...40))
    let first = UInt32(Self.type.size + 8)
    let part = BytePatches.Patch(UInt64(first) + 2..<UInt64(first) + 4, with: [99, 98, 97])
    let patches = try BytePatches([part, part])
    func file(second: UInt32) -> [UInt8] {
      Self.type.bytes + data.bytes
        + Self.movie([
          Self.track(1, offsets: [first, first + 20], size: 10),
          Self.track(2, offsets: [second], size: 10),
        ]).bytes
    }
    let changed: [UInt8] = [1, 2, 99, 98, 97] + Array(5...10)
    let result = try Self.rewritten(file(second: first), patches: patches)
    #expect(try Self.samples(result) == [changed, Array(21...30), changed])
    #expect(throws: ISOBMFFError.overlappingSamples(offset: UInt64(first) + 3)) {
      try Self.rewritten(file(second: first + 3), patches: patches)
    }
  }

  /// The offsets of auxiliary information, which encrypted tracks have, move along with the
  /// samples.
  @Test func auxiliaryOffsetsMove() throws {
    let data = Box("mdat", fields: Array(1...40))
    func file(_ position: UInt32) -> [UInt8] {
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: position >> UInt32($0)) }
      let saio = Box("saio", fields: [0, 0, 0, 0, 0, 0, 0, 1] + bytes)
      let movie = Self.movie([
        Self.track(1, offsets: [position + 4], size: 10, extra: [saio])
      ])
      return Self.type.bytes + movie.bytes + data.bytes
    }
    let start = UInt32(file(0).count - 40)
    let result = try Self.rewritten(file(start), growth: 100)
    let moved = try #require(
      Movie(MemoryByteSource(result)).tracks.first?.box.first("mdia", "minf", "stbl", "saio"))
    let offset = moved.fields.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    #expect(result[offset] == 1)
    #expect(try Self.samples(result) == [Array(5...14)])
  }
}
