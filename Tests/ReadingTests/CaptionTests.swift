// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
@testable import Reading
import TestSupport
import Testing

struct CaptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A search for captions can be interrupted, both in files with sample tables and in files
  /// without.
  @Test(arguments: ["mp4", "ts"])
  func isInterrupted(suffix: String) async throws {
    let path = folder.path("clip.\(suffix)")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "10", "-c:v", "libx264", path)
    let track = try #require(try await MediaAsset.load(path: path).videoTrack)
    #expect(try !track.hasCaptions {})
    #expect(throws: CancellationError.self) {
      try track.hasCaptions { throw CancellationError() }
    }
  }
}
