// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import ISOBMFF
@testable import Planning
import TestSupport
import Testing

/// Boxes beside the movie that describe it are either kept or named as lost.
@Suite struct LostBoxesTests {
  @Test func boxesThatAreTooLargeAreLost() throws {
    let folder = try TemporaryFolder()
    let large: [UInt8] = [0x04, 0, 0, 8] + Array("udta".utf8)
    let bytes = try Fixture.bytes("movie-hlg") + large
    let path = try folder.write(bytes, to: "movie.mov")
    // The rest of the last box is a hole in the file.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(bytes.count) + (1 << 26))
    try file.close()
    let found = try Movie.descriptions(besideMovieIn: path)
    #expect(found.kept.isEmpty && found.lost.map { "\($0)" } == ["udta"])
  }
}
