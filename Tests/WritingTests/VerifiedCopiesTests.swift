// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import CodePoints
import Foundation
import TestSupport
import Testing
@testable import Writing

/// Even if a copy's samples have the same bytes as the source's, the copy is decoded, because its
/// sample entry might be wrong.
@Suite struct VerifiedCopiesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func codes(_ copy: String, of origin: String) throws -> [String] {
    let assets = (try MediaAsset(opening: copy), try MediaAsset(opening: origin))
    let pairs = zip(assets.0.tracks, assets.1.tracks).map {
      (copy: $0, origin: $1)
    }
    return try OutputVerifier.faults(ofCopies: pairs) {}.map { "\($0.code.rawValue)" }
  }

  /// Copies a movie and replaces some bytes of the copy's first sample entry.
  private func changed(_ path: String, at place: Int, to bytes: [UInt8]) throws -> String {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = try #require(data.range(of: Data("stsd".utf8))).upperBound + 8 + place
    data.replaceSubrange(start..<start + bytes.count, with: bytes)
    let output = folder.path("changed.mov")
    try data.write(to: URL(fileURLWithPath: output))
    return output
  }

  @Test func framesOfAnotherKindAreFound() throws {
    let path = folder.path("a.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=32x32:r=25:d=0.1", "-c:v", "rawvideo", "-pix_fmt", "uyvy422",
      "-tag:v", "2vuy", path)
    #expect(try codes(path, of: path) == [])
    #expect(try codes(changed(path, at: 4, to: Array("raw ".utf8)), of: path) != [])
    #expect(
      try codes(changed(path, at: 4, to: Array("????".utf8)), of: path) == ["firstFrameUndecodable"]
    )
    // If the source cannot be decoded either, that is no fault of the copy.
    let unknown = try changed(path, at: 4, to: Array("????".utf8))
    #expect(try codes(unknown, of: unknown) == [])
  }

  @Test func soundThatIsNotDecodedIsFound() throws {
    let path = folder.path("a.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "sine=d=0.2", "-c:a", "alac", path)
    #expect(try codes(path, of: path) == [])
    let silent = try changed(path, at: 4, to: Array("????".utf8))
    #expect(try codes(silent, of: path) == ["audioUndecodable"])
    #expect(try codes(silent, of: silent) == [])
  }
}
