// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A clip of thirteen seconds, which is encoded in three segments, and functions that make and read
/// its outputs.
struct SegmentedClip {
  let folder: TemporaryFolder
  let source: String

  /// Fast settings, with which even this short clip is divided into segments.
  static let settings = [
    "--set", "video.compressionProperties.speed=ultrafast",
    "--set", "video.compressionProperties.maxKeyFrameInterval=60",
  ]

  init() throws {
    folder = try TemporaryFolder()
    source = try folder.write(Self.made.get(), to: "source.mp4")
  }

  private static let made = Result {
    let folder = try TemporaryFolder()
    let path = folder.path("source.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=13", "-f", "lavfi", "-i",
      "sine=duration=13", "-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "50",
      "-x264-params", "open-gop=1", "-c:a", "aac", path)
    return try FileBytes.read(path)
  }

  func succeed(_ arguments: String...) throws { try succeed(arguments) }

  func succeed(_ arguments: [String]) throws {
    let outcome = try BuiltCandela.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
  }

  @discardableResult
  func transcode(
    _ output: String, workers: Int, _ more: [String] = []
  ) throws -> Tool.Outcome {
    try BuiltCandela.run(
      ["transcode", source, folder.path(output), "--workers", "\(workers)"] + Self.settings + more)
  }

  func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(folder.path(name)) }

  func report(_ name: String) throws -> [String: Any] {
    let data = Data(try bytes(name))
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(object["segments"] as? [String: Any])
  }
}
