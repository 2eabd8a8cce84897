// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import CodePoints
import Comparison
import Foundation
import TestSupport
import Testing

/// `candela compare` finds what an output kept of its source, and ends with the right exit code.
@Suite struct CompareTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func compare(
    _ source: String, _ output: String, _ arguments: String...
  ) throws -> ComparedFiles {
    try ComparedFiles(source, output, arguments)
  }

  private func sample() throws -> String { try BuiltCandela.sample(in: folder) }

  @Test func aFileIsItself() throws {
    let sample = try sample()
    let report = try compare(sample, sample)
    #expect(report.status == 0 && report.isComplete == true)
    #expect(report.findings("changed").isEmpty && report.findings("lost").isEmpty)
    #expect(report.findings("new").isEmpty)
    #expect(report.frames["isIdentical"] as? Bool == true)
    #expect(report.frames["comparedCount"] as? Int == 15)
    // PSNR is infinite if no sample differs, so the key is there but has no number.
    #expect(report.frames["psnr"] != nil && report.number("psnr", "y") == nil)
    #expect(report.number("deltaEITP", "maximum") == 0)
    #expect(report.audio["isIdentical"] as? Bool == true)
    let times = report.frames["times"] as? [String: Any]
    #expect((times?["largest"] as? [String: Any])?["ticks"] as? Int == 0)
    let text = try BuiltCandela.run("compare", sample, sample)
    #expect(text.output.contains("nothing is lost"))
  }

  @Test(
    arguments: [
      ("{\n  \"notices\": [", "3:1: "),
      (
        "{\n  \"notices\": [{\"code\": 3}]}",
        "2:16: notices[0].code "
      ),
      ("{\n  \"notices\": [{}]}", "2:15: notices[0].code "),
      ("[]", "1:1: "),
      ("{}", "1:1: "),
    ].shortened(to: 2))
  func aPlanThatCannotBeReadIsNamedWithItsPlace(text: String, message: String) throws {
    let (sample, plan) = (try sample(), folder.path("plan.json"))
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: plan))
    let outcome = try BuiltCandela.run("compare", sample, sample, "--plan", plan)
    #expect(outcome.status == 65 && outcome.errors.contains("\(plan):\(message)"), "\(outcome)")
  }

  /// Frames are matched even if all of them begin later. In Matroska, the priming of coded audio
  /// delays all tracks, here by more than half a frame.
  @Test func framesThatBeginLaterArePairs() throws {
    let (source, output) = (folder.path("a.mp4"), folder.path("b.mkv"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x72:r=30:d=1", "-f", "lavfi", "-i", "sine=d=1:r=48000",
      "-pix_fmt", "yuv420p", "-c:a", "aac", source)
    let made = try BuiltCandela.run("transcode", source, output, "--codec", "passthrough")
    try #require(made.status == 0, "\(made.errors)")
    let report = try compare(source, output)
    #expect(report.status == 0 && report.frames["isIdentical"] as? Bool == true)
    #expect(report.frames["comparedCount"] as? Int == 30)
  }

  /// Chapter lists are not user data, because chapters are compared as chapters. So a part of a
  /// movie has lost nothing if it lacks the chapter list of the whole movie.
  @Test(.needsSharedMedia) func listsOfChaptersAreNoUserData() throws {
    let source = SharedMedia.path("sdr/androidx__sample_with_chapters.mp4")
    let output = folder.path("part.mp4")
    let cut = try BuiltCandela.run("cut", source, output, "--from", "0.2", "--to", "0.8")
    try #require(cut.status == 0, "\(cut.errors)")
    let report = try compare(source, output, "--from", "0.2", "--to", "0.8")
    #expect(report.status == 0 && report.findings("lost").isEmpty)
  }

  @Test func aTagIsAllThatChanges() throws {
    let sample = try sample()
    let output = folder.path("pq.mov")
    #expect(try BuiltCandela.run("retag", sample, output, "--color", "9/16/9").status == 0)
    let report = try compare(sample, output)
    #expect(report.status == 0)
    #expect(
      report.findings("changed") == ["transferFunction", "containerColor", "bitstreamColor"])
    #expect(report.findings("lost").isEmpty && report.findings("new").isEmpty)
    // The same code values now mean different light.
    #expect((report.frames["reasons"] as? [String])?.count == 1)
    #expect(try #require(report.number("deltaEITP", "mean")) > 10)
    // Only the tags had changed. With HLG tags again, the frames are identical.
    let third = folder.path("hlg.mov")
    #expect(try BuiltCandela.run("retag", output, third, "--color", "hlg").status == 0)
    #expect(try compare(sample, third).frames["isIdentical"] as? Bool == true)
  }

  /// PSNR and SSIM agree with ffmpeg's filters, which use the same windows but a smaller constant
  /// for the means.
  @Test(arguments: [("yuv420p", "libx264"), ("yuv420p10le", "libx265")].shortened(to: 1))
  func valuesAreThoseOfOtherPrograms(format: String, codec: String) throws {
    let (source, output) = (folder.path("a.mov"), folder.path("b.mov"))
    let tags = ["-color_primaries", "1", "-color_trc", "1", "-colorspace", "1"]
    let encoder = ["-c:v", codec, "-pix_fmt", format, "-preset", "ultrafast"]
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=212x120:rate=10:duration=1"] + encoder + tags
        + ["-crf", "4", source])
    try Tool.ffmpeg(["-i", source] + encoder + tags + ["-crf", "36", output])
    let report = try compare(source, output)
    #expect(report.status == 0)
    func value(_ filter: String, _ pattern: String) throws -> Double {
      let result = try Tool.run(
        "ffmpeg",
        ["-v", "info", "-i", output, "-i", source, "-lavfi", filter, "-f", "null", "-"])
      let text = try #require(result.errors.firstMatch(of: Regex(pattern))?.output[1].substring)
      return try #require(Double(text))
    }
    for (key, name) in [("y", "y"), ("cb", "u"), ("cr", "v"), ("weighted", "average")] {
      let expected = try value("psnr", " \(name):([0-9.]+)")
      #expect(abs(try #require(report.number("psnr", key)) - expected) < 0.01, "\(key)")
    }
    for (key, name) in [("y", "Y"), ("cb", "U"), ("cr", "V")] {
      let expected = try value("ssim", "SSIM.* \(name):([0-9.]+)")
      #expect(abs(try #require(report.number("ssim", key)) - expected) < 0.001, "\(key)")
    }
    let each = try compare(source, output, "--every", "4")
    #expect(each.frames["comparedCount"] as? Int == 3)
  }

  /// A file that is rotated by its matrix and one whose frames were rotated look the same to
  /// viewers, so their frames are identical.
  @Test(
    arguments: [
      ([0, 1, -1, 0], "transpose=1"), ([-1, 0, 0, -1], "hflip,vflip"),
      ([0, -1, 1, 0], "transpose=2"),
    ].shortened(to: 1))
  func framesThatWereTurned(matrix: [Int32], filter: String) throws {
    let (plain, output) = (folder.path("a.mov"), folder.path("b.mov"))
    let encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", "yuv444p"]
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.3"] + encoder + [plain])
    try Tool.ffmpeg(["-i", plain, "-vf", filter] + encoder + [output])
    var bytes = try FileBytes.read(plain)
    let header = try #require(bytes.firstRange(of: Array("tkhd".utf8))).upperBound
    // These are a, b, c and d of the matrix's nine numbers, which begin 40 bytes into the box's
    // content.
    for (place, value) in zip([0, 1, 3, 4], matrix) {
      let start = header + 40 + place * 4
      let number = withUnsafeBytes(of: (value << 16).bigEndian) { Array($0) }
      bytes.replaceSubrange(start..<start + 4, with: number)
    }
    let report = try compare(folder.write(bytes, to: "turned.mov"), output)
    #expect(report.findings("changed").contains("matrix"))
    #expect(report.frames["isIdentical"] as? Bool == true, "\(report.frames)")
  }

  @Test func aTrackThatIsRemovedIsLost() throws {
    let sample = try sample()
    let output = folder.path("silent.mov")
    try Tool.ffmpeg("-i", sample, "-map", "0:v", "-c", "copy", output)
    let report = try compare(sample, output)
    #expect(report.status == 1 && report.isComplete == false)
    #expect(report.findings("lost", track: 2) == ["track"])
    #expect(report.frames["isIdentical"] as? Bool == true)
    // A plan that names another track does not excuse the loss, but one that names this track does.
    func plan(_ track: Int) throws -> String {
      try folder.write(
        #"{"notices": [{"code": "trackNotCarried", "arguments": {"track": "\#(track)"}}]}"#,
        to: "plan\(track).json")
    }
    #expect(try compare(sample, output, "--plan", plan(7)).findings("lost", track: 2) == ["track"])
    let named = try compare(sample, output, "--plan", plan(2))
    #expect(
      !named.tracks.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
        .filter { $0["notice"] as? String == "trackNotCarried" }.isEmpty)
  }

  @Test func audioThatIsLaterAndLouder() throws {
    let (source, output) = (folder.path("a.wav"), folder.path("b.wav"))
    let noise = "anoisesrc=sample_rate=48000:duration=2:seed=4:amplitude=0.2"
    try Tool.ffmpeg("-f", "lavfi", "-i", noise, "-c:a", "pcm_s24le", source)
    try Tool.ffmpeg(
      "-i", source, "-af", "adelay=100S:all=1,volume=2dB", "-c:a", "pcm_s16le", output)
    let report = try compare(source, output)
    #expect(report.audio["offset"] as? Int == 100)
    #expect(abs(try #require(report.audio["gain"] as? Double) - 2) < 0.001)
    #expect(try #require(report.audio["signalToNoise"] as? Double) > 70)
    #expect(report.findings("changed", track: 1).contains("samples"))
    let samples = report.tracks.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
      .first { $0["code"] as? String == "samples" }
    #expect(samples?["source"] is Int)
    // The output's audio can also be earlier than the source's, or encoded with loss.
    let back = try compare(output, source)
    #expect(back.audio["offset"] as? Int == -100)
    let lossy = folder.path("c.m4a")
    try Tool.ffmpeg("-i", source, "-c:a", "aac", "-b:a", "256k", lossy)
    let encoded = try compare(source, lossy)
    #expect(encoded.audio["offset"] as? Int == 0)
    #expect(try #require(encoded.audio["signalToNoise"] as? Double) > 5)
  }

  @Test func transcodingComparesAndReports() throws {
    let sample = try sample()
    let (output, path) = (folder.path("out.mp4"), folder.path("report.json"))
    let made = try BuiltCandela.run(
      "transcode", sample, output, "--preset", "h264-sdr", "--compare", "--report", path)
    #expect(made.status == 0, "\(made.errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let report = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let comparison = try #require(report["comparison"] as? [String: Any])
    #expect(comparison["isComplete"] as? Bool == true)
    // The report contains the notices of its plan, so it can be given as the plan.
    #expect(try compare(sample, output, "--plan", path).status == 0)
    let plot = folder.path("plot.png")
    #expect(try BuiltCandela.run("compare", sample, output, "--plot", plot).status == 0)
    #expect(try Tool.probe(plot, "stream=codec_name").first == "png")
  }

  @Test func whatCannotBeCompared() throws {
    let sample = try sample()
    func status(_ arguments: String...) throws -> Int32 {
      try BuiltCandela.run(["compare", sample] + arguments).status
    }
    #expect(try status(folder.path("none.mov")) == 66)
    #expect(try status(sample, "--every", "0") == 64)
    #expect(try status(sample, "--plan", folder.path("none.json")) == 66)
    #expect(try status(sample, "--plan", folder.write("{}", to: "empty.json")) == 65)
    #expect(try status(sample, "--plot", folder.path("plot.jpg")) == 64)
    #expect(try status(sample, "--plot", folder.write("", to: "there.png")) == 73)
  }

  /// The documentation has every key, in the order of `FactKey.all`.
  @Test func keysAreDocumented() throws {
    let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Transcoding/Transcoding.docc/Comparing.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .compactMap { $0.wholeMatch(of: /\| `(\w+)` \| (.*) \|/) }
      .map { "\($0.output.1): \($0.output.2)" }.dropFirst()
    #expect(Array(rows) == FactKey.all.compactMap(\.row))
  }
}

extension FactKey {
  /// The row of the documentation: the key, what it means, how its absence is reported, and which
  /// notices announce its loss. `nil` if the key is not compared.
  fileprivate var row: String? {
    let lack: String
    switch comparison {
    case .content: lack = "lost"
    case .place: lack = "changed"
    case .ofMovies: lack = "lost if both are movies"
    case .notCompared: return nil
    }
    let names = losses.map { loss in
      "`\(loss.code)`" + (loss.argument.map { " (`\($0)`)" } ?? "")
    }
    return "\(code): \(meaning) | \(lack) |"
      + (names.isEmpty ? "" : " " + names.joined(separator: ", "))
  }
}

/// If a transcode of a phone's clip loses something, `compare` says so and ends with status 1. If
/// the plan names the loss, `compare` says that, too, and ends with status 0.
@Suite(.needsSharedMedia) struct PhoneClipCompareTests {
  @Test func dolbyVisionThatIsLostIsNamed() throws {
    let folder = try TemporaryFolder()
    let clip = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let (output, report) = (folder.path("out.mp4"), folder.path("report.json"))
    let made = try BuiltCandela.run(
      "transcode", clip, output, "--preset", "h264-sdr", "--report", report, "--set",
      "video.compressionProperties.speed=ultrafast", "--set", "video.width=320")
    #expect(made.status == 0, "\(made.errors)")
    let bare = try BuiltCandela.run("compare", clip, output, "--every", "50", "--json")
    #expect(bare.status == 1)
    #expect(bare.output.contains(#""code" : "dolbyVisionRPUs""#))
    #expect(bare.output.contains("deltaEITP"))
    let named = try BuiltCandela.run(
      "compare", clip, output, "--every", "50", "--plan", report)
    #expect(named.status == 0, "\(named.output)")
    #expect(named.output.contains("(named: metadataNotCarried)"))
  }
}
