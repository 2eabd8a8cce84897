// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `metadata graft` adds a clip's metadata to encodes that ffmpeg made of the clip.
@Suite(.needsSharedMedia) struct MetadataGraftTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = try folder.write(Self.small.get(), to: "source.mov")
  }

  /// A small copy of an HLG clip with Dolby Vision 8.4. It is rotated, its times are irregular, and
  /// its edit begins within a frame.
  private static let small = Result {
    let folder = try TemporaryFolder()
    let output = folder.path("small.mov")
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path("hdr/androidx__sample_edit_list.mp4"), output, "--preset",
      "hevc-hlg", "--speed", "ultrafast", "--set", "width=480", "--set", "height=270")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try FileBytes.read(output)
  }

  private func encode(
    _ name: String, filter: String? = nil, x265: String = "crf=30", _ options: String...
  ) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-i", source, "-map", "0:v"] + (filter.map { ["-vf", $0] } ?? [])
        + [
          "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params",
          "log-level=none:\(x265)",
        ] + options + [path])
    return path
  }

  private func graft(_ encoded: String, _ options: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      ["metadata", "graft", source, encoded, folder.path("out.mp4"), "-y"] + options)
  }

  /// Returns the RPUs of a file, in the order of presentation.
  private func rpus(_ path: String, _ options: String...) throws -> [[UInt8]] {
    let file = folder.path("rpus.bin")
    let outcome = try BuiltCandela.run(["rpu", "extract", path, file, "-y"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return ByteStream.units(try FileBytes.read(file))
  }

  private func slices(_ path: String) throws -> [[UInt8]] {
    let stream = folder.path("slices.hevc")
    try Tool.ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    return ByteStream.units(try FileBytes.read(stream)).filter { $0[0] >> 1 < 32 }
  }

  /// Every frame gets its own RPU, even if the encode has another coding order, bit rate or
  /// container. ffmpeg leaves out the frame in which the edit begins, and turns the others upright.
  @Test(
    arguments: [
      ("a.mp4", "crf=18:open-gop=1:bframes=4:b-pyramid=1:keyint=20"),
      ("a.mkv", "crf=35:open-gop=0:bframes=8:rc-lookahead=20:keyint=250"),
      ("a.hevc", "crf=30:bframes=3:b-pyramid=0"), ("a.ts", "crf=30:bframes=0"),
    ].shortened(to: 2))
  func encodes(name: String, x265: String) throws {
    let encoded = try encode(name, x265: x265)
    let outcome = try graft(encoded)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let own = try rpus(source, "--presented")
    let isSame = try rpus(folder.path("out.mp4")) == Array(own.dropFirst())
    #expect(isSame)
    #expect(try slices(folder.path("out.mp4")) == slices(encoded))
    let verdict = try BuiltCandela.run("validate", folder.path("out.mp4"))
    #expect(verdict.output.contains("Dolby Vision 8.4: conforms"), "\(verdict.output)")
    let facts = try HDRCheck.facts(folder.path("out.mp4"))
    #expect(facts["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
  }

  /// If the encode lacks frames at its start and in its middle, the others still get their own
  /// RPUs.
  @Test func missingFrames() throws {
    let encoded = try encode(
      "cut.mp4", filter: "select='gte(n,10)*not(between(n,40,44))',setpts=PTS-STARTPTS",
      "-fps_mode", "passthrough")
    #expect(try graft(encoded).status == 0)
    let own = try rpus(source, "--presented")
    let isSame = try rpus(folder.path("out.mp4")) == Array(own[11..<41]) + Array(own[46...])
    #expect(isSame)
  }

  /// The source's audio and timed metadata stay in step with an encode that has only video, even if
  /// the encode begins later.
  @Test func tracksOfTheSource() throws {
    let output = folder.path("out.mp4")
    let times = try Tool.probe(source, "frame=pts_time").compactMap { Double($0) }
    // ffmpeg leaves out the frame in which the edit begins, so the encode's clock starts with the
    // next frame.
    let clockStart = 7.0 / 600
    for (name, first) in [("whole.mkv", 1), ("late.mp4", 31)] {
      let encoded = try encode(
        name, filter: "select='gte(n,\(first - 1))',setpts=PTS-STARTPTS", "-fps_mode", "passthrough"
      )
      let outcome = try graft(encoded, "--tracks")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let kinds = try Tool.run(
        "ffprobe", ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", output])
      #expect(
        kinds.text.split { ",\n".contains($0) } == ["video", "audio", "data", "data"])
      // The sound is that of the source, starting at the encode's first frame.
      let start = times[first - 1] + clockStart
      let (own, other) = (try sound(source, from: start + 0.2), try sound(output, from: 0.2))
      // Frames do not start exactly at an audio sample, so the sound may be off by up to two
      // samples.
      func likeness(_ lag: Int) -> Double {
        let pairs = Array(zip(own.dropFirst(max(lag, 0)), other.dropFirst(max(-lag, 0))))
        func sum(_ product: ((Double, Double)) -> Double) -> Double {
          pairs.reduce(0) { $0 + product($1) }
        }
        return sum { $0 * $1 } / (sum { $0.0 * $0.0 } * sum { $0.1 * $0.1 }).squareRoot()
      }
      let best = (-2...2).map(likeness).max() ?? 0
      #expect(own.count > 4000 && best > 0.98, "\(best)")
    }
  }

  /// Returns a tenth of a second of decoded sound.
  private func sound(_ path: String, from start: Double) throws -> [Double] {
    let file = folder.path("sound.raw")
    try Tool.ffmpeg(
      "-i", path, "-map", "0:a:0", "-af", "atrim=start=\(start):duration=0.1", "-ac", "1", "-f",
      "s16le", file)
    let bytes = try FileBytes.read(file)
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Double(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
    }
  }

  /// A stream without times cannot get the source's tracks, because it could not stay in step with
  /// the sound.
  @Test func tracksNeedTimes() throws {
    let encoded = try encode("raw.hevc", filter: "setpts=N/25/TB", "-r", "25")
    let outcome = try graft(encoded, "--tracks", "--offset", "1")
    #expect(outcome.status == 65 && outcome.errors.contains("in step"), "\(outcome.errors)")
  }

  /// The active area (level 5) of a source with bars is adapted to an encode without the bars, and
  /// to an encode of half the size.
  @Test(arguments: [("crop=128:96", [0, 0, 0, 0]), ("scale=64:64", [0, 0, 8, 8])])
  func activeAreaFollows(filter: String, area: [Int]) throws {
    let barred = folder.path("barred.mov")
    let made = try BuiltCandela.run(
      "transcode", try BuiltCandela.sample(in: folder), barred, "--preset", "hevc-hlg", "--speed",
      "ultrafast", "--set", "video.composition.pad.width=128", "--set",
      "video.composition.pad.height=128")
    #expect(made.status == 0, "\(made.errors)")
    let encoded = folder.path("encoded.mp4")
    try Tool.ffmpeg(
      "-i", barred, "-map", "0:v", "-vf", filter, "-c:v", "libx265", "-pix_fmt", "yuv420p10le",
      "-x265-params", "log-level=none:crf=20", encoded)
    let grafted = try BuiltCandela.run(
      "metadata", "graft", barred, encoded, folder.path("out.mp4"), "-y")
    #expect(grafted.status == 0, "\(grafted.errors)")
    let report = try BuiltCandela.run(
      "rpu", "show", folder.path("out.mp4"), "--frame", "3", "--json"
    ).json()
    let frame = try #require((report["frames"] as? [[String: Any]])?.first)
    let found = try #require(frame["activeArea"] as? [String: Int])
    #expect(["left", "right", "top", "bottom"].map { found[$0] } == area)
  }

  @Test(
    arguments: [
      ("hflip", "show the same"), ("negate", "show the same"), ("reverse", "show the same"),
      ("crop=270:270", "more than black bars"), ("fps=24", "cannot be paired"),
      ("crop=200:356,scale=270:480", "show the same"), ("loop=20:20", "but the source has 78"),
      ("select='not(between(n,30,40))',setpts=N/30/TB", "show the same"),
    ].shortened(to: 4))
  func wrongFramesAreRefused(filter: String, words: String) throws {
    let outcome = try graft(try encode("wrong.mp4", filter: filter, x265: "crf=35"))
    #expect(outcome.status == 65 && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.mp4")))
  }

  @Test func wrongFilesAreRefused() throws {
    let other = SharedMedia.path("hdr/shaka-packager__bear-640x360-hevc-hdr10.mp4")
    let closed = SharedMedia.path("metadata/shaka-packager__426x240-dvh1.mp4")
    let outcomes = [
      try graft(other), try graft(try BuiltCandela.sample(in: folder)),
      try BuiltCandela.run("metadata", "graft", other, source, folder.path("out.mp4")),
      try BuiltCandela.run("metadata", "graft", closed, source, folder.path("out.mp4")),
    ]
    #expect(outcomes.allSatisfy { $0.status == 65 })
    #expect(outcomes[0].errors.contains("PQ"))
    // The message blames the source, not the encode.
    #expect(outcomes[2].errors.hasPrefix("candela: \(other) has no HDR metadata"))
    #expect(outcomes[3].errors.contains("Dolby Vision profile 5"), "\(outcomes[3].errors)")
  }

  @Test func thePlanListsPairs() throws {
    let encoded = try encode("plan.mp4")
    let plan = try BuiltCandela.run(
      "metadata", "graft", source, encoded, "--plan", "--json"
    ).json()
    let frames = try #require(plan["frames"] as? [[String: Any]])
    #expect(frames.count == 77)
    #expect(frames.map { $0["sourceFrame"] as? Int } == (1...77).map { $0 })
    #expect(plan["pairing"] as? String == "times")
  }
}
