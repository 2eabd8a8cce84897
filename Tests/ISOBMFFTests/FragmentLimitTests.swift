// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import TestSupport
import Testing

@testable import ISOBMFF

@Suite struct FragmentLimitTests {
  /// A movie, followed by a fragment that the file has only the header of.
  private struct Source: ByteSource {
    let bytes: [UInt8]
    let missing: UInt64
    var size: UInt64 { UInt64(bytes.count) + missing }

    func read(at offset: UInt64, count: Int) -> [UInt8] {
      Array(bytes.dropFirst(Int(min(offset, UInt64(bytes.count)))).prefix(count))
    }
  }

  /// A fragment that is too large to read is an error. Without it, samples would be missing.
  @Test func aFragmentThatIsTooLargeIsRefused() throws {
    let movie = try Fixture.bytes("movie-hlg")
    let moof: [UInt8] = [0x04, 0, 0, 8, 0x6D, 0x6F, 0x6F, 0x66]
    let source = Source(bytes: movie + moof, missing: 1 << 26)
    let fault = ISOBMFFError.invalidSize("moof", offset: UInt64(movie.count), size: 1 << 26 | 8)
    #expect(throws: fault) { try Movie.fragments(in: source) }
  }
}
