// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If the numbers in a file are at the limits of their fields, no command crashes, runs forever, or
/// writes something other than what it said.
@Suite struct ExtremeNumberTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let movies = [
    "chapters-edits.mp4", "compare-edits.mov", "fragment-edits.mp4",
  ].map { "third/crafted/\($0)" }

  private static let commands: [[String]] = [
    ["plan", "INPUT"], ["inspect", "INPUT"], ["validate", "INPUT"], ["compare", "INPUT", "INPUT"],
    ["transcode", "INPUT", "h264.mov", "--preset", "h264-sdr"],
    ["transcode", "INPUT", "copy.mov", "--codec", "passthrough"],
    ["transcode", "INPUT", "copy.mkv", "--codec", "passthrough"],
    ["cut", "INPUT", "cut.mov", "--from", "0.1"], ["still", "INPUT", "still.png"],
    ["retag", "INPUT", "retag.mov", "--color", "709"], ["rpu", "extract", "INPUT", "rpus.bin"],
    ["segments", "plan", "INPUT", "joined.mov", "--job", "job", "--preset", "h264-sdr"],
  ]

  @Test(.needsSharedMedia, arguments: movies.shortened(to: 1))
  func everyCommandEndsWithAWord(movie: String) throws {
    for command in Self.commands {
      let arguments = command.map { word in
        word == "INPUT"
          ? SharedMedia.path(movie)
          : word.contains(".") && !word.hasPrefix("0") || word == "job" ? folder.path(word) : word
      }
      let outcome = try BuiltCandela.run(arguments)
      #expect([0, 1, 65].contains(outcome.status), "\(command) of \(movie): \(outcome.errors)")
    }
  }

  /// The line about 40 000 edits stays short, and making it does not take long.
  @Test(.needsSharedMedia) func manyEditsAreNamedInPart() throws {
    let text = try BuiltCandela.run(
      "inspect", SharedMedia.path("third/crafted/edits40k.mov")
    ).output
    #expect(text.contains("and 39980 more"), "\(text.prefix(3000))")
    #expect(text.utf8.count < 10_000)
  }

  /// Copied audio is refused if its times jump so far that the tables of movies have no room for
  /// the jump.
  @Test func aStepThatNoTableHoldsIsRefused() throws {
    let source = folder.path("step.mkv")
    let step = "setts=ts=TS+if(gte(N\\,20)\\,20000000000\\,0)"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000",
      "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-bsf:a", step, source)
    for name in ["out.mov", "out.mp4", "out.mkv"] {
      let outcome = try BuiltCandela.run(
        "transcode", source, folder.path(name), "--codec", "passthrough")
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(
        outcome.errors.contains("\(source): the samples of track 2 cannot be copied: their times"),
        "\(outcome.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["step.mkv"])
  }

  /// In movies, the times of PCM follow from the number of samples. A gap would vanish and what
  /// follows it would come too early, so the copy is refused.
  @Test func aGapOfCopiedSamplesIsRefused() throws {
    let source = folder.path("gap.mkv")
    let step = "setts=ts=TS+if(gte(N\\,20)\\,500\\,0)"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "sine=d=1:r=48000", "-c:a", "pcm_s16le", "-bsf:a", step, source)
    let outcome = try BuiltCandela.run(
      "transcode", source, folder.path("out.mov"), "--codec", "passthrough")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("according to the number of samples"), "\(outcome.errors)")
  }

  /// Times beyond 68 years count as damage, and the error names the track.
  @Test func aTimeOfCenturiesIsRefused() throws {
    let source = folder.path("late.mkv")
    let step = "setts=ts=TS+9000000000000000"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000",
      "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-bsf:a", step, source)
    for name in ["out.mov", "out.mkv"] {
      let outcome = try BuiltCandela.run(
        "transcode", source, folder.path(name), "--codec", "passthrough")
      #expect(outcome.status == 65, "\(outcome.errors)")
      let fault = "track 2: a presentation time is 8999999"
      #expect(outcome.errors.contains(fault), "\(outcome.errors)")
    }
  }

  /// If the times of encoded audio jump by two hours, those of a movie jump as well. The gap is not
  /// filled with hours of silence. A Matroska output is refused, because it has no edits that could
  /// keep the gap.
  @Test func aStepOfHoursIsNotFilledWithSilence() throws {
    let source = folder.path("step.mkv")
    let step = "setts=ts=TS+if(gte(N\\,20)\\,7200000\\,0)"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000",
      "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "libmp3lame", "-bsf:a", step, source)
    let settings = ["--preset", "h264-sdr", "--set", "audio={\"codec\": \"aac\"}"]
    let outcome = try BuiltCandela.run(
      ["transcode", source, folder.path("out.mov")] + settings)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("its times jump by 7200"), "\(outcome.errors)")
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: folder.path("out.mov"))[.size] as? Int)
    #expect(size < 500_000)
    let refused = try BuiltCandela.run(
      ["transcode", source, folder.path("out.mkv")] + settings)
    #expect(refused.status == 65, "\(refused.errors)")
  }

  /// There are never more stills than frames, and a sheet has no empty rows or columns.
  @Test func stillsAreNotMoreThanFrames() throws {
    let source = try BuiltCandela.sample(in: folder)
    let frames = try Tool.probe(source, "stream=nb_frames")
    let count = try #require(frames.first.flatMap { Int($0) })
    let many = try BuiltCandela.run("still", source, folder.path("s%d.png"), "--count", "9999")
    #expect(many.status == 0, "\(many.errors)")
    #expect(
      many.errors.contains(
        "there are only \(count) frames: \(count) stills instead of 9999"))
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(made.filter { $0.hasSuffix(".png") }.count == count)
    let sheet = try BuiltCandela.run(
      "still", source, folder.path("sheet.png"), "--sheet", "100x100", "--width", "32")
    #expect(sheet.status == 0, "\(sheet.errors)")
    #expect(sheet.errors.contains("instead of 10000"))
    let size = try Tool.probe(folder.path("sheet.png"), "stream=width")
    #expect(size == ["\(32 * min(count, 100))"])
  }

  /// A movie with many tracks is examined in groups of tracks, and each track is described as if
  /// there were only a few.
  @Test(.needsSharedMedia, .takesLong) func manyTracksAreReadAndCut() throws {
    let source = SharedMedia.path("third/crafted/tracks300.mp4")
    let report = try BuiltCandela.run("inspect", "--json", source).json()
    let tracks = try #require(report["tracks"] as? [[String: Any]])
    let videos = tracks.compactMap { $0["video"] as? [String: Any] }
    #expect(
      videos.count == 300
        && videos.allSatisfy { ($0["size"] as? [String: Any])?["width"] as? Int == 96 })
    let output = folder.path("part.mp4")
    let outcome = try BuiltCandela.run("cut", source, output, "--from", "0.1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let written = try Tool.probe(output, "stream=index", stream: "v")
    #expect(written.count == 300)
  }
}
