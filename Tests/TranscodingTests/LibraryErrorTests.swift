// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
@testable import Host
import LibAV
import MediaCore
import Testing

/// What failures of FFmpeg's libraries mean for users.
@Suite struct LibraryErrorTests {
  /// If the libraries were built without an encoder, that is no fault of the source (status 69).
  @Test func missingEncodersAreUnavailable() throws {
    let settings = VideoCompressor.Settings(
      encoderName: "none", size: VideoDimensions(width: 64, height: 64), format: .yuv420p8,
      signal: SignalDescription(), timescale: 25,
      frameRate: FrameRate(framesPerSecond: 25))
    let error = try #require(throws: LibAVError.self) { try VideoCompressor(settings) }
    #expect(error.kind == .unsupported)
    #expect(TranscodingError(error, input: "in.mov").kind == .unavailable)
    #expect(TranscodingError(error, output: "out.mov").kind == .unavailable)
  }
}
