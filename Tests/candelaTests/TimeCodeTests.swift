// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Time code is shown, carried over, and adjusted if the start is cut off, whether the source is
/// MXF, Matroska, AVI or a movie. Users can state a place in the source by its time code.
@Suite struct TimeCodeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Source: Sendable, CustomTestStringConvertible {
    let name: String
    let rate: String
    let start: String
    var codec = "mpeg2video"
    /// The time code 50 frames later.
    let later: String

    var testDescription: String { "\(name) \(rate) \(start)" }
  }

  static let sources = [
    Source(name: "c.mxf", rate: "30000/1001", start: "10:00:59;10", later: "10:01:01;02"),
    Source(name: "a.mxf", rate: "25", start: "10:00:00:00", later: "10:00:02:00"),
    Source(
      name: "f.mkv", rate: "30000/1001", start: "10:00:59;10", codec: "libx264",
      later: "10:01:01;02"),
    Source(name: "b.mxf", rate: "24000/1001", start: "10:00:00:00", later: "10:00:02:02"),
    Source(name: "g.avi", rate: "25", start: "23:59:59:00", codec: "mpeg4", later: "00:00:01:00"),
    Source(name: "d.mxf", rate: "30000/1001", start: "10:00:59:10", later: "10:01:01:00"),
    Source(name: "h.mov", rate: "25", start: "10:00:00:00", codec: "libx264", later: "10:00:02:00"),
    Source(name: "e.mxf", rate: "60000/1001", start: "10:00:59;40", later: "10:01:00;34"),
  ]

  private func make(_ name: String) throws -> String {
    try make(try #require(Self.sources.first { $0.name == name }))
  }

  private func make(_ source: Source, seconds: Double = 2.5) throws -> String {
    let path = folder.path(source.name)
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(source.rate):d=\(seconds)", "-timecode",
      source.start,
      "-c:v", source.codec, "-g", "1", path)
    return path
  }

  private func run(_ arguments: String..., expecting status: Int32 = 0) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return outcome
  }

  /// Returns the time codes that ffprobe reads from a movie's track or from the file.
  private func timeCode(_ path: String) throws -> [String] {
    let places = "stream_tags=timecode:format_tags=timecode"
    let outcome = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", places, "-of", "default=nw=1:nk=1", path])
    return Array(Set(outcome.output.split(separator: "\n").map(String.init)))
  }

  @Test(arguments: sources.everySecond) func isCarried(source: Source) throws {
    let path = try make(source, seconds: 0.4)
    let shown = try run("inspect", path, "--json").json()
    let code = try #require(shown["timeCode"] as? [String: Any])
    #expect(code["start"] as? String == source.start)
    #expect(code["isDropFrame"] as? Bool == source.start.contains(";"))
    #expect(try run("inspect", path).output.contains("time code  \(source.start), "))
    for (suffix, codec) in [("mov", "h264"), ("mp4", "passthrough"), ("mkv", "passthrough")] {
      let output = folder.path("out.\(suffix)")
      _ = try run(
        "transcode", path, output, "--codec", codec, "--set",
        "video.compressionProperties.speed=ultrafast")
      #expect(try timeCode(output) == [source.start], "\(suffix)")
      let comparison = try ComparedFiles(path, output)
      #expect(comparison.findings("kept").contains("timeCode"), "\(comparison.json)")
      guard suffix != "mkv" else { continue }
      let media = try Tool.run("mediainfo", ["--Inform=Other;%TimeCode_FirstFrame%", output])
      #expect(media.text == source.start)
      let entry = try Tool.probe(output, "stream=codec_tag_string", stream: "d:0")
      #expect(entry == ["tmcd"])
    }
  }

  /// A part of the source begins with the time code of its first frame, no matter whether the cut
  /// is stated as a frame number or as a time code.
  @Test(arguments: sources.shortened(to: 2)) func movesWithTheStart(source: Source) throws {
    let path = try make(source)
    for (name, from) in [("a.mov", "50f"), ("b.mov", source.later), ("a.mkv", source.later)] {
      let output = folder.path(name)
      _ = try run(
        "transcode", path, output, "--from", from, "--preset", "h264-sdr", "--speed", "ultrafast")
      #expect(try timeCode(output) == [source.later], "\(from) \(name)")
    }
    let frames = try [folder.path("a.mov"), folder.path("b.mov")].map {
      try Tool.frameDigests($0, format: "yuv420p", ignoringEdits: true)
    }
    #expect(frames[0] == frames[1])
    let still = folder.path("still.png")
    let other = folder.path("other.png")
    _ = try run("still", path, still, "--time", source.later)
    _ = try run("still", path, other, "--frame", "50")
    #expect(try FileBytes.read(still) == FileBytes.read(other))
  }

  @Test func cutKeepsIt() throws {
    let path = try make("f.mkv")
    let output = folder.path("out.mov")
    _ = try run("cut", path, output, "--from", "10:01:01;02", "--to", "10:01:01;12")
    #expect(try timeCode(output) == ["10:01:01;02"])
    #expect(try Tool.probe(output, "packet=size", stream: "v:0").count >= 10)
  }

  /// Time codes that the source does not have are refused with an explanation.
  @Test func refusals() throws {
    let path = try make("c.mxf")
    let output = folder.path("out.mov")
    for (from, words) in [
      ("09:00:00;00", "runs from 10:00:59;10 to"), ("10:02:00;02", "runs from"),
      ("10:01:00;00", "no time code 10:01:00;00"), ("10:01:00;45", "no time code"),
    ] {
      let outcome = try run("transcode", path, output, "--from", from, expecting: 65)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(
        try run("still", path, folder.path("a.png"), "--time", from, expecting: 65).errors
          .contains(words))
    }
    let plain = folder.path("plain.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1", "-c:v", "libx264", plain)
    let outcome = try run("cut", plain, output, "--from", "10:00:01:12", expecting: 65)
    #expect(outcome.errors.contains("it has no time code"))
    #expect(
      try run("cut", plain, output, "--from", "10:00:71:12", expecting: 64).errors
        .contains("time code"))
  }

  /// If the time code is left out, both the plan and the comparison name the loss.
  @Test func lossIsNamed() throws {
    let path = try make("a.mxf")
    let output = folder.path("out.mov")
    let report = folder.path("report.json")
    _ = try run(
      "transcode", path, output, "--preset", "h264-sdr", "--speed", "ultrafast", "--set",
      "tracks.other=none", "--report", report)
    #expect(try timeCode(output) == [])
    let plan = try run("plan", path, "--preset", "h264-sdr", "--set", "tracks.other=none")
    #expect(plan.output.contains("the time code, 10:00:00:00, is not carried over"))
    #expect(try ComparedFiles(path, output).findings("lost").contains("timeCode"))
    let named = try ComparedFiles(path, output, ["--plan", report])
    #expect(named.isComplete == true, "\(named.json)")
  }
}
