// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

/// Whole movies are read from byte tables. They have one or two frames, and their samples come
/// before the movie box.
@Suite struct MovieFixtureTests {
  private static let names = ["movie-hlg", "movie-hdr10", "movie-avc"]

  private static func edited(
    _ bytes: [UInt8], movieFirst: Bool = true, adding box: Box? = nil
  ) throws -> [UInt8] {
    let source = MemoryByteSource(bytes)
    var editor = try BoxEditor(source)
    try editor.edit { (moov) throws(ISOBMFFError) in if let box { moov.children.append(box) } }
    var sink = MemorySink(source: source)
    try editor.write(to: &sink, movieFirst: movieFirst)
    return sink.bytes
  }

  private static func samples(_ file: [UInt8]) throws -> [[UInt8]] {
    let track = try #require(try Movie(MemoryByteSource(file)).tracks.first)
    return try SampleTable(track).ranges.map {
      Array(file[Int($0.lowerBound)..<Int($0.upperBound)])
    }
  }

  @Test func headersOfAMovie() throws {
    let movie = try Movie(MemoryByteSource(Fixture.bytes("movie-hlg")))
    #expect(movie.isQuickTime && !movie.isFragmented && movie.missingData == nil)
    #expect(movie.header.timescale == 600 && movie.header.duration == 48)
    let track = try #require(movie.tracks.first)
    #expect(movie.tracks.count == 1 && track.handler == "vide" && track.header.trackID == 1)
    #expect(track.editList?.entries == [.init(segmentDuration: 48, mediaTime: 0)])
    // The matrix makes a quarter turn and a shift by 64 samples, so that the frame stays in view.
    #expect(track.header.matrix == [0, 65536, 0, -65536, 0, 0, 64 << 16, 0, 1 << 30])
    #expect(SampleTimes(track)?.compositionTimes == [0, 24])
    #expect(SampleTimes(track)?.lastDuration == 24)
    let entry = try #require(track.sampleEntries.first)
    #expect(
      entry.boxes.map { "\($0.type)" } == ["hvcC", "colr", "amve", "fiel", "pasp", "clap", "dvvC"])
    #expect(entry.format == "hvc1" && entry.signal.color == .hlg)
    #expect(entry.staticHDRMetadata.ambientViewingEnvironment?.illuminance == 314)
  }

  /// Missing or damaged tables of times give an error, and do not count as empty.
  @Test func damagedTimes() throws {
    func fault(_ change: (inout [UInt8], Int) -> Void) throws -> ISOBMFFError? {
      var bytes = try Fixture.bytes("movie-hlg")
      let place = try #require(
        bytes.indices.first { bytes[$0...].starts(with: Array("stts".utf8)) })
      change(&bytes, place)
      let track = try #require(try Movie(MemoryByteSource(bytes)).tracks.first)
      #expect(SampleTimes(track) == nil)
      return #expect(throws: ISOBMFFError.self) { try SampleTimes(track, checkpoint: {}) }
    }
    #expect(try fault { $0[$1] = 0x78 } == .missingBox("stts", in: "stbl"))
    // This changes the number of entries, which are 8 bytes each.
    let count = try fault { $0[$1 + 8] = 1 }
    #expect(count == .excessiveCount("stts", 0x0100_0001, of: "entries", bytes: 8))
    // This changes the number of samples of the only entry.
    let samples = try fault { $0[$1 + 12] = 0x7F }
    #expect(samples == .excessiveCount("stts", 0x7F00_0002, of: "samples", bytes: 16))
  }

  @Test(arguments: names) func aMovieIsReadAndWritten(name: String) throws {
    let bytes = try Fixture.bytes(name)
    #expect(try Box.parse(bytes).flatMap(\.bytes) == bytes)
    #expect(try Self.edited(bytes, movieFirst: false) == bytes)
  }

  /// The movie box goes to the front and grows. Its offsets still lead to every sample.
  @Test(arguments: names) func samplesMoveWithTheirOffsets(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let free = Box("free", fields: [UInt8](repeating: 1, count: 99))
    let moved = try Self.edited(bytes, adding: free)
    #expect(try TopLevelBoxes(MemoryByteSource(moved)).entries.map(\.type).first == "ftyp")
    #expect(try TopLevelBoxes(MemoryByteSource(moved)).entries.map(\.type).last == "mdat")
    #expect(try Self.samples(moved) == Self.samples(bytes))
    #expect(try Self.samples(bytes).count == (name == "movie-avc" ? 1 : 2))
  }

  /// Every cut is noticed. If the movie box comes after the samples, the cut damages or removes it.
  /// If it comes first, samples are missing.
  @Test(arguments: names) func everyCutIsSeen(name: String) throws {
    let last = try Fixture.bytes(name)
    for count in 0..<last.count {
      #expect(throws: ISOBMFFError.self) { try Movie(MemoryByteSource(Array(last.prefix(count)))) }
    }
    let first = try Self.edited(last)
    let size = UInt64(first.count)
    for count in first.count - 60..<first.count {
      let movie = try Movie(MemoryByteSource(Array(first.prefix(count))))
      #expect(movie.missingData == .missingSamples(end: size, fileSize: UInt64(count)))
    }
    #expect(try Movie(MemoryByteSource(first)).missingData == nil)
  }

  /// Damaged movies give an error or are read to the end. They never make the program crash.
  @Test(arguments: names) func flippedBytes(name: String) throws {
    let whole = try Fixture.bytes(name)
    let start = try #require(
      try TopLevelBoxes(MemoryByteSource(whole)).first("moov")?.range.lowerBound)
    var random = SeededGenerator(seed: 3)
    var (errors, movies) = (0, 0)
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: Int(start)..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let movie = try? Movie(MemoryByteSource(bytes)) else {
        errors += 1
        continue
      }
      movies += 1
      for track in movie.tracks {
        let count = try? SampleTable(track).count
        #expect(count ?? 0 <= bytes.count)
        _ = (track.dataEnd, SampleTimes(track), track.sampleEntries.map(\.signal))
      }
    }
    #expect(errors > 0 && movies > 0)
  }
}
