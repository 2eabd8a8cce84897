// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

@testable import Bitstreams
@testable import ISOBMFF

@Suite struct BoxTests {
  /// Reading and then writing a movie box gives the same bytes, for every real file.
  @Test(.needsSharedMedia, arguments: SharedMedia.names(in: "hdr") + SharedMedia.names(in: "sdr"))
  func parsingThenWritingIsTheIdentity(name: String) throws {
    let source = MemoryByteSource(try SharedMedia.bytes(name))
    guard let list = try? TopLevelBoxes(source), let entry = list.first("moov") else { return }
    let bytes = source.read(at: entry.range.lowerBound, count: entry.range.count)
    let boxes = try Box.parse(bytes)
    #expect(boxes.count == 1)
    #expect(boxes.first?.bytes == bytes)
  }

  /// Damaged files give errors or other movies, and never a crash.
  @Test(.needsSharedMedia) func flippedBytesAreErrorsOrOtherBoxes() throws {
    let source = MemoryByteSource(try SharedMedia.bytes("hdr/androidx__dolbyVision-hdr.MOV"))
    let entry = try #require(try TopLevelBoxes(source).first("moov"))
    let moov = source.read(at: entry.range.lowerBound, count: entry.range.count)
    var random = SeededGenerator(seed: 3)
    var (errors, movies) = (0, 0)
    for _ in 0..<3000 {
      var bytes = moov
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let movie = try? Movie(MemoryByteSource(bytes)) else {
        errors += 1
        continue
      }
      movies += 1
      for track in movie.tracks {
        _ = (track.dataEnd, SampleTimes(track), track.sampleEntries.map(\.signal))
      }
      _ = movie.missingData
    }
    #expect(errors > 0 && movies > 0)
    for count in stride(from: 0, to: moov.count, by: 7) {
      #expect(throws: ISOBMFFError.self) {
        try Movie(MemoryByteSource(Array(moov.prefix(count))))
      }
    }
  }

  @Test func sizesOfAllFormsAreRead() throws {
    let short: [UInt8] = [0, 0, 0, 9] + Array("free".utf8) + [7]
    let long: [UInt8] = [0, 0, 0, 1] + Array("free".utf8) + [0, 0, 0, 0, 0, 0, 0, 17, 7]
    let rest: [UInt8] = [0, 0, 0, 0] + Array("free".utf8) + [7]
    for bytes in [short, long, rest] {
      let boxes = try Box.parse(bytes)
      #expect(boxes == [Box("free", fields: [7])])
    }
  }

  @Test func aBoxLargerThanItsPlaceSaysWhere() {
    let bytes: [UInt8] =
      Array([0, 0, 0, 8]) + Array("free".utf8) + [0, 0, 1, 0] + Array("free".utf8)
    #expect(throws: ISOBMFFError.truncatedBox("free", offset: 8, size: 256, available: 8)) {
      try Box.parse(bytes)
    }
  }

  /// A track inside another track is an error, because readers would take it for a track of the
  /// movie.
  @Test func aTrackStandsInAMovieAlone() throws {
    let inner = Box("trak", children: [Box("mdia", children: [])])
    let outer = Box("moov", children: [Box("trak", children: [inner])])
    #expect(throws: ISOBMFFError.misplacedBox("trak", in: "trak")) {
      try Movie(MemoryByteSource(outer.bytes))
    }
    // User data can hold anything, but a copy leaves out misplaced boxes.
    let name = Box("name", fields: [65])
    let nested = Box("trak", children: [Box("moov", children: [inner])])
    let movie = Box("moov", children: [Box("udta", children: [name, nested])])
    #expect(try Box.parse(movie.bytes) == [movie])
    #expect(movie.withoutMisplacedBoxes.child("udta")?.children == [name])
  }

  @Test func aTextIsNoMovie() {
    let text = MemoryByteSource(Array("Dear reader, this is not a movie at all.".utf8))
    #expect(throws: ISOBMFFError.notISOBaseMedia) { try Movie(text) }
  }
}
