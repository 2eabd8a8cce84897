// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Copies from containers that state no durations keep the last frame.
@Suite struct LastFrameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    arguments: [
      ["clip.flv", "-c:v", "flv", "-c:a", "aac"], ["clip.wmv", "-c:v", "wmv2", "-c:a", "wmav2"],
      ["clip.avi", "-c:v", "mpeg4", "-c:a", "pcm_s16le"],
      ["clip.ts", "-c:v", "libx264", "-c:a", "aac"],
    ].shortened(to: 2), ["mkv", "mov"])
  func isKept(arguments: [String], type: String) throws {
    let source = folder.path(arguments[0])
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4", "-f", "lavfi", "-i",
        "sine=d=0.4:r=48000",
      ] + arguments.dropFirst() + [source])
    let output = folder.path("out.\(type)")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--codec", "passthrough", "--compare")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.frameDigests(output, format: "yuv420p").count == 10)
    #expect(!outcome.errors.contains("frameCount"), "\(outcome.errors)")
  }

  /// All samples of PCM are kept up to the end, though the container's clock is coarser than the
  /// sample rate.
  @Test(arguments: ["mkv", "mov"]) func lastSamplesOfPCM(type: String) throws {
    let source = folder.path("clip.avi")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=15:d=1.37", "-f", "lavfi", "-i",
      "sine=d=1.3713:r=44100", "-c:v", "mjpeg", "-c:a", "pcm_s16le", source)
    let output = folder.path("out.\(type)")
    let outcome = try BuiltCandela.run("transcode", source, output, "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.digest(output, of: "a") == Tool.digest(source, of: "a"))
  }
}
