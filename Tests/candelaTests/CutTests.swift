// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Synchronization
import TestSupport
import Testing

/// A cut presents exactly what its source presents in the same range, frame by frame and to the
/// tick. The times are read from the boxes, and ffmpeg decodes the frames.
@Suite(.needsSharedMedia) struct CutTests {
  private static let editList = SharedMedia.path("hdr/androidx__sample_edit_list.mp4")
  private static let dolbyVision = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cut(_ source: String, _ name: String, _ arguments: String...) throws -> String {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(["cut", source, output] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// The sources that have already been decoded. Several tests use the same source.
  private static let sources = Mutex<[String: PresentedMovie]>([:])

  /// Returns what a cut or a source presents.
  private func presented(_ path: String) throws -> PresentedMovie {
    guard !path.hasPrefix(folder.path("")) else { return try PresentedMovie(path) }
    // While one test decodes a source, other tests that need it wait.
    return try Self.sources.withLock { sources in
      if let known = sources[path] { return known }
      let movie = try PresentedMovie(path)
      sources[path] = movie
      return movie
    }
  }

  /// A raw stream has no times. Even so, a cut takes only the samples that the range needs, and
  /// says that an edit list hides some of them.
  @Test func rawStreams() throws {
    let (stream, output) = (folder.path("raw.hevc"), folder.path("raw.mp4"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "40", "-pix_fmt", "yuv420p",
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "keyint=8:min-keyint=8:scenecut=0:bframes=2:open-gop=0:log-level=none", stream)
    let outcome = try BuiltCandela.run("cut", stream, output, "--from", "0.8", "--to", "1.2")
    #expect(outcome.status == 0 && outcome.errors.contains("edit list"), "\(outcome.errors)")
    let (all, frames) = (
      try Tool.frameDigests(stream, format: "yuv420p"),
      try Tool.frameDigests(output, format: "yuv420p")
    )
    #expect(Array(frames.prefix(10)) == Array(all[20..<30]))
    let samples = try Tool.frameDigests(output, format: "yuv420p", ignoringEdits: true)
    #expect(samples.count < 20)
  }

  /// The exit codes of `validate` for the sources that have already been validated.
  private static let verdicts = Mutex<[String: Int32]>([:])

  private func verdict(_ source: String) throws -> Int32 {
    if let known = Self.verdicts.withLock({ $0[source] }) { return known }
    let status = try BuiltCandela.run("validate", source).status
    Self.verdicts.withLock { $0[source] = status }
    return status
  }

  struct Part: Sendable, CustomTestStringConvertible {
    let name: String
    let from: String
    let to: String
    /// The numbers of the source's frames that the part presents.
    let frames: Range<Int>

    var testDescription: String { "\(name) \(from) \(to)" }
  }

  /// The sources include phone clips with edit lists, open groups of pictures and variable frame
  /// rate.
  static let parts = [
    Part(name: "hdr/androidx__sample_edit_list.mp4", from: "37f", to: "70f", frames: 37..<70),
    Part(name: "hdr/androidx__sample_edit_list.mp4", from: "0f", to: "78f", frames: 0..<78),
    Part(name: "hdr/androidx__sample_edit_list.mp4", from: "11f", to: "12f", frames: 11..<12),
    Part(name: "hdr/androidx__sample_edit_list.mp4", from: "77f", to: "78f", frames: 77..<78),
    Part(name: "hdr/androidx__hev1_08_05.mp4", from: "20f", to: "40f", frames: 20..<40),
    Part(name: "hdr/androidx__dolbyVision-hdr.MOV", from: "1f", to: "3f", frames: 1..<3),
    Part(name: "sdr/androidx__sample.mp4", from: "5f", to: "25f", frames: 5..<25),
    Part(
      name: "sdr/androidx__iibbibb_editlist_videoonly.mp4", from: "2f", to: "7f", frames: 2..<7),
    // Two B frames are shown before the first sync sample, whose group of pictures is closed.
    Part(name: "sdr/format-corpus__xdcam-ex-1080i50.mov", from: "0f", to: "3f", frames: 0..<3),
    Part(name: "sdr/androidx__bt601.mov", from: "10f", to: "20f", frames: 10..<20),
    Part(name: "sdr/androidx__bt601.mov", from: "28f", to: "30f", frames: 28..<30),
    Part(name: "sdr/streamio-ffmpeg__ios9.mov", from: "3f", to: "9f", frames: 3..<9),
    Part(name: "sdr/gpmf-parser__karma.mp4", from: "100f", to: "110f", frames: 100..<110),
  ]

  @Test(arguments: parts.shortened(to: 3)) func framesAreTheSources(part: Part) throws {
    let source = SharedMedia.path(part.name)
    let output = try cut(source, "out.mov", "--from", part.from, "--to", part.to)
    let (whole, some) = (try presented(source), try presented(output))
    #expect(some.digests == Array(whole.digests[part.frames]))
    let start = whole.times[part.frames.lowerBound]
    let wanted = whole.times[part.frames].map { $0 - start }
    for (time, wanted) in zip(some.times, wanted) { #expect(abs(time - wanted) < 1e-6) }
    let validation = try BuiltCandela.run("validate", output)
    #expect(try validation.status == verdict(source), "\(validation.output)")
  }

  /// A clip can be cut even if the file does not list its first sample, an IDR picture, as a sync
  /// sample.
  @Test func firstSampleThatIsNotListed() throws {
    let source = SharedMedia.path("found/androidx__sample_edit_list_no_sync_frame_before_edit.mp4")
    let plan = try BuiltCandela.run(["plan", source, "--json", "--from", "0f", "--to", "69f"])
    let range = try #require(try plan.json()["range"] as? [String: Any])
    #expect(range["frameCount"] as? Int == 69 && range["startTick"] as? Int == 0)
    let output = try cut(source, "out.mov", "--from", "2f", "--to", "12f")
    #expect(try presented(output).times.count == 10)
    let decoded = try Tool.frameDigests(output, format: "yuv420p10le", ignoringEdits: true)
    #expect(try Tool.probe(output, "stream=nb_frames") == ["\(decoded.count)"])
  }

  /// The last frame of a cut lasts as long as in the source, whether or not the file has sample
  /// tables.
  @Test(arguments: ["mp4", "mkv"]) func lastFrameKeepsItsDuration(suffix: String) throws {
    let source = folder.path("in.\(suffix)")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=3", "-vf", "select='not(mod(n,5))'",
      "-fps_mode", "vfr", "-c:v", "libx264", "-preset", "ultrafast", source)
    let output = try cut(source, "out.mov", "--from", "3f", "--to", "8f")
    let part = try presented(output)
    #expect(part.times.count == 5 && abs(part.duration - 1) < 0.002)
    // The file has eight samples of 0.2 s, whatever the edit list presents.
    #expect(abs(try mediaDuration(output) - 1.6) < 0.002)
  }

  /// The last frame keeps its duration even if frames are reordered. Demuxers then only guess the
  /// duration.
  @Test func lastReorderedFrameKeepsItsDuration() throws {
    let source = SharedMedia.path("sdr/androidx__bt601.mov")
    let output = try cut(source, "out.mov", "--from", "0f")
    #expect(abs(try mediaDuration(output) - mediaDuration(source)) < 1e-4)
    #expect(abs(try mediaDuration(output) - 1.0201) < 1e-4)
  }

  /// Returns how long a movie's video samples last together, whatever its edit list presents.
  private func mediaDuration(_ path: String) throws -> Double {
    let found = try Tool.probe(
      path, "stream=duration", stream: "v:0", options: ["-ignore_editlist", "1"])
    return try #require(found.first.flatMap { Double($0) })
  }

  /// A cut has whole frames even if the source refreshes frames part by part. In such a source, a
  /// sync sample alone does not give a whole frame.
  @Test func gradualRefresh() throws {
    let source = folder.path("in.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x192:r=25:d=4", "-c:v", "libx264", "-preset",
      "ultrafast", "-x264-params", "keyint=25:intra-refresh=1:bframes=0", source)
    let whole = try presented(source)
    for first in [27, 25, 60].shortened(to: 1) {
      let part = ["--from", "\(first)f", "--to", "\(first + 4)f"]
      let output = try cut(source, "out\(first).mov", part[0], part[1], part[2], part[3])
      #expect(try presented(output).digests == Array(whole.digests[first..<first + 4]), "\(first)")
      #expect(try BuiltCandela.run("validate", output).status == 0)
      // A reader that begins at the sync sample before the edit must get the frames, too.
      #expect(try Tool.frameDigests(output, format: "yuv420p").count == 4)
    }
  }

  /// If a file has no table of sync samples, every sample counts as a sync sample. If it has such a
  /// table, the table can be wrong. So the samples themselves decide where decoding can begin.
  @Test(
    arguments: ([
      ("libx264", nil), ("libx264", 13), ("libx265", 13), ("libx265", nil),
    ] as [(String, UInt8?)]).shortened(to: 2))
  func falseSyncSamples(encoder: String, first: UInt8?) throws {
    let source = folder.path("in.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=320x192:r=25:d=2", "-c:v", encoder, "-preset", "ultrafast",
      "-g", "25", "-bf", "2", "-x265-params", "log-level=error:no-open-gop=1", source)
    let whole = try presented(source)
    var bytes = try Data(contentsOf: URL(filePath: source))
    let table = try #require(bytes.range(of: Data("stss".utf8)))
    if let first {
      let entries = [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, first, 0, 0, 0, first + 20]
      bytes.replaceSubrange(table.upperBound..<table.upperBound + entries.count, with: entries)
    } else {
      bytes.replaceSubrange(table, with: Data("free".utf8))
    }
    let changed = folder.path("changed.mp4")
    try bytes.write(to: URL(filePath: changed))
    for start in [16, 40] {
      let output = try cut(
        changed, "out\(start).mp4", "--from", "\(start)f", "--to", "\(start + 5)f")
      #expect(try presented(output).digests == Array(whole.digests[start..<start + 5]), "\(start)")
      let complaints = try Tool.run(
        "ffmpeg", ["-v", "warning", "-i", output, "-f", "null", "-"])
      #expect(complaints.errors.isEmpty, "\(complaints.errors)")
    }
  }

  /// If the source is a transport stream, its parameter sets go into the sample entry, for H.264,
  /// too.
  @Test func parameterSetsOfTransportStreams() throws {
    let source = folder.path("in.ts")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-c:v", "libx264", "-preset",
      "ultrafast", "-g", "10", source)
    let output = try cut(source, "out.mp4", "--from", "0.5", "--to", "1.5")
    let validation = try BuiltCandela.run("validate", output)
    #expect(validation.status == 0, "\(validation.output)")
    #expect(try Tool.probe(output, "stream=codec_tag_string") == ["avc1"])
    let all = try Tool.frameDigests(source, format: "yuv420p")
    let some = try presented(output)
    #expect((25...26).contains(some.times.count) && some.digests.allSatisfy(all.contains))
  }

  /// The output of a range is compared with that range of the source, not with the whole source.
  @Test func comparesTheRange() throws {
    let (source, output) = (folder.path("in.mp4"), folder.path("out.mp4"))
    let part = ["--from", "0.3", "--to", "0.8"]
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
      "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "aac", source)
    let outcome = try BuiltCandela.run(
      ["transcode", source, output, "--compare", "--set", "speed=ultrafast"] + part)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let copy = try cut(source, "copy.mp4", part[0], part[1], part[2], part[3])
    #expect(try BuiltCandela.run(["compare", source, copy] + part).status == 0)
    #expect(try BuiltCandela.run("compare", source, copy).status == 1)
    let other = try BuiltCandela.run("compare", source, copy, "--from", "0.1")
    #expect(other.status == 1, "\(other.output)")
  }

  /// If a range begins or ends inside a frame, that frame is presented for as long as it is in the
  /// range.
  @Test func framesThatIntersectTheRange() throws {
    let output = try cut(Self.editList, "out.mov", "--from", "@310", "--to", "@405")
    let (whole, some) = (try presented(Self.editList), try presented(output))
    let shown = whole.times.indices.filter { index in
      let end = index + 1 < whole.times.count ? whole.times[index + 1] : whole.duration
      return end > 310.0 / 600 && whole.times[index] < 405.0 / 600
    }
    #expect(some.digests == shown.map { whole.digests[$0] })
    #expect(abs(some.duration - 95.0 / 600) < 1e-6)
    let report = try BuiltCandela.run(
      "plan", Self.editList, "--from", "@310", "--to", "@405", "--json"
    ).json()
    let range = try #require(report["range"] as? [String: Any])
    #expect(range["startTick"] as? Int == 310 && range["endTick"] as? Int == 405)
    #expect(range["firstFrame"] as? Int == shown.first)
    #expect(range["frameCount"] as? Int == shown.count)
  }

  /// Boxes, Dolby Vision and colors stay. Timed metadata keeps only the samples that are presented.
  @Test func boxesStayAndHiddenMetadataGoes() throws {
    let output = try cut(Self.editList, "out.mov", "--from", "1", "--to", "2")
    let (before, after) = (try HDRCheck.facts(Self.editList), try HDRCheck.facts(output))
    for key in ["fourcc", "vui", "colr", "amve", "dv"] {
      #expect("\(after[key] ?? "none")" == "\(before[key] ?? "none")", "\(key)")
    }
    #expect(after["aus"] as? Int == after["rpu_aus"] as? Int)
    for index in 0..<2 {
      let entry = "stream=codec_tag_string,nb_frames"
      let source = try Tool.probe(Self.editList, entry, stream: "d:\(index)")
      let cut = try Tool.probe(output, entry, stream: "d:\(index)")
      #expect(source.first?.hasPrefix("mebx") == true)
      if let cut = cut.first, let source = source.first {
        func count(_ text: String) -> Int {
          text.split(separator: ",").last.flatMap { Int($0) } ?? 0
        }
        #expect(count(cut) <= count(source))
      }
    }
  }

  /// The time code of a cut is that of its first frame, and timed metadata has only the samples in
  /// the cut.
  @Test func timeCodeAndTelemetry() throws {
    let source = SharedMedia.path("sdr/gpmf-parser__karma.mp4")
    let output = try cut(source, "out.mp4", "--from", "100f", "--to", "160f")
    let entry = "stream_tags=timecode"
    #expect(try Tool.probe(source, entry, stream: "d:0") == ["19:26:48:04"])
    // The cut begins 100 frames later, and time code counts 30 frames a second.
    #expect(try Tool.probe(output, entry, stream: "d:0") == ["19:26:51:14"])
    func samples(_ path: String) throws -> [String] {
      try Tool.probe(
        path, "packet=size,data_hash", stream: "d:1", options: ["-show_data_hash", "md5"])
    }
    let (all, some) = (try samples(source), try samples(output))
    #expect(some.count < all.count && (2...4).contains(some.count))
    #expect(some.allSatisfy(all.contains))
  }

  @Test func chapters() throws {
    let source = SharedMedia.path("sdr/androidx__sample_with_chapters.mp4")
    let output = try cut(source, "out.mp4", "--from", "0.5", "--to", "0.9")
    let found = try Tool.chapters(of: output)
    #expect(found.count == 2)
    #expect(found.first == "0.000000|Chapter 2")
    #expect(found.last?.hasSuffix("|Chapter 3") == true)
    let start = found.last?.split(separator: "|").first.flatMap { Double($0) } ?? 0
    #expect(abs(start - 0.3) < 0.02)
  }

  /// Audio begins together with the frames, exact to the sample, whether it is copied or encoded
  /// again.
  @Test(arguments: ["passthrough", "encode"]) func audioIsCutToTheSample(way: String) throws {
    let source = SharedMedia.path("sdr/gpmf-parser__karma.mp4")
    let part = ["--from", "3.2", "--to", "5.2"]
    let output: String
    if way == "passthrough" {
      output = try cut(source, "out.mov", part[0], part[1], part[2], part[3])
    } else {
      output = folder.path("out.mov")
      let outcome = try BuiltCandela.run(
        ["transcode", source, output, "--set", "video.codec=passthrough", "--set"]
          + [#"audio={"codec":"alac"}"#] + part)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let plan = try BuiltCandela.run(["plan", source, "--json"] + part).json()
    let range = try #require(plan["range"] as? [String: Any])
    let start = try #require(range["start"] as? Double)
    let (whole, some) = (try PresentedAudioSamples(source), try PresentedAudioSamples(output))
    #expect(abs(Double(some.samples.count) / some.rate - 2) < 0.025)
    let offset = Int((start * whole.rate).rounded())
    let expected = whole.samples[offset..<offset + some.samples.count]
    let worst = zip(expected, some.samples).map { abs(Int($0) - Int($1)) }.max() ?? .max
    #expect(worst <= 2)
  }

  /// If a range is encoded, the output has exactly the frames of the range, at their times. Each
  /// frame gets an RPU.
  @Test func encodedFramesOfARange() throws {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", Self.editList, output, "--from", "20f", "--to", "24f", "--preset", "hevc-hlg",
      "--set", "video.compressionProperties.lossless=true", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let (whole, some) = (try presented(Self.editList), try presented(output))
    #expect(some.digests == Array(whole.digests[20..<24]))
    for (time, wanted) in zip(some.times, whole.times[20..<24]) {
      #expect(abs(time - (wanted - whole.times[20])) < 1e-6)
    }
    #expect(try BuiltCandela.run("validate", output).status == 0)
    let facts = try HDRCheck.facts(output)
    #expect(facts["rpu_aus"] as? Int == 4)
  }

  /// Open groups of pictures in H.264 do not count as damage. A decoder that begins with such a
  /// group misses frames from before it, but no frame of the range needs them.
  @Test func openGroupsAreNoDamage() throws {
    let source = folder.path("in.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "libx264", "-preset", "veryfast",
      "-x264-params", "keyint=30:bframes=3:open-gop=1", source)
    for part in [["--from", "60f", "--to", "70f"], ["--from", "75f", "--to", "76f"]] {
      let output = folder.path("out\(part[1]).mov")
      let outcome = try BuiltCandela.run(
        [
          "transcode", source, output, "--set", "speed=ultrafast", "--set",
          "video.compressionProperties.lossless=true",
        ] + part)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let all = try presented(source).digests
      let first = Int(part[1].dropLast()) ?? 0
      let some = try presented(output).digests
      #expect(some == Array(all[first..<first + some.count]))
    }
  }

  /// Decoding starts shortly before the range, not at the beginning of the source. The output is
  /// the same as if the whole source had been decoded.
  @Test(arguments: ["mov", "mkv", "ts"]) func decodingStartsAtTheRange(suffix: String) throws {
    let source = folder.path("in.\(suffix)")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=8", "-f", "lavfi", "-i",
      "sine=r=48000:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-x264-params",
      "keyint=25:bframes=2", "-c:a", "aac", source)
    let output = folder.path("out.mov")
    let report = folder.path("report.json")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--from", "6", "--to", "7", "--preset", "h264-sdr", "--set",
      "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}", "--report",
      report)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let all = try Tool.frameDigests(source, format: "yuv420p")
    let some = try Tool.frameDigests(output, format: "yuv420p")
    // The presentation of an MPEG-TS file begins with its first packet, which may be audio. So the
    // first frame can differ by one.
    let first = try #require(all.firstIndex(of: some.first ?? ""))
    #expect(abs(first - 150) <= 1 && some.count >= 25 && some.count <= 26)
    #expect(some == Array(all[first..<first + some.count]))
    let data = try Data(contentsOf: URL(fileURLWithPath: report))
    let run = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(run["hiddenFrameCount"] as? Int ?? .max < 50)
    #expect(run["concealedCount"] as? Int == 0)
  }

  @Test(
    arguments: [
      (["--from", "2", "--to", "1"], 64, "empty"), (["--from", "1", "--to", "1"], 64, "empty"),
      (["--from", "100"], 65, "ends at"), (["--from", "79f"], 65, "78 frames"),
      (["--from", "x"], 64, "--from x: write"), ([], 64, "--from, --to"),
    ].shortened(to: 4))
  func rangesThatAreNone(arguments: [String], status: Int32, words: String) throws {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(["cut", Self.editList, output] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
