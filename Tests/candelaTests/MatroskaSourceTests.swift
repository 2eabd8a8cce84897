// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Outputs keep what Matroska states even if libavformat does not pass it on.
@Suite struct MatroskaSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let copying = ["--set", #"video={"codec":"passthrough"}"#]

  private func source() throws -> String {
    let path = folder.path("plain.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:r=10:d=1", "-c:v", "libx264", "-preset", "ultrafast",
      path)
    return path
  }

  private func merged(_ arguments: [String]) throws -> String {
    let path = folder.path("in.mkv")
    let outcome = try Tool.run("mkvmerge", ["-o", path] + arguments + [try source()])
    #expect(outcome.status == 0, "\(outcome.output)")
    return path
  }

  /// Matroska's crop becomes the clean aperture. Matroska's display size belongs to the part that
  /// is left after the crop.
  @Test func crop() throws {
    let input = try merged(["--cropping", "0:20,8,12,4", "--display-dimensions", "0:128x84"])
    for suffix in ["mov", "mp4"].shortened(to: 1) {
      let output = folder.path("out.\(suffix)")
      let outcome = try BuiltCandela.run(["transcode", input, output, "--compare"] + Self.copying)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let report = try ComparedFiles(input, output)
      #expect(report.findings("lost").filter { $0 != "chromaLocation" }.isEmpty)
      #expect(report.output(of: "cleanAperture") != nil)
      let media = try Tool.run("mediainfo", ["--Inform=Video;%Width_CleanAperture%", output]).text
      #expect(media.trimmingCharacters(in: .whitespacesAndNewlines) == "128")
      #expect(try Tool.probe(output, "stream=sample_aspect_ratio") == ["1:1"])
    }
    let encoded = folder.path("encoded.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", input, encoded, "--preset", "h264-sdr", "--set",
      "video.compressionProperties.speed=ultrafast", "--set", "video.cleanAperture=crop")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(encoded, "stream=width,height") == ["128,84"])
    let plan = try BuiltCandela.run(
      ["plan", input, folder.path("out.mkv"), "--json"] + Self.copying)
    #expect(
      try plan.notices().codes.contains("apertureNotCarried") != Tool.writesMatroskaDisplay)
  }

  @Test func chaptersOfTheDefaultEdition() throws {
    func atom(_ start: String, _ title: String, _ more: String = "") -> String {
      "<ChapterAtom><ChapterTimeStart>00:00:00.\(start)</ChapterTimeStart><ChapterDisplay>"
        + "<ChapterString>\(title)</ChapterString></ChapterDisplay>\(more)</ChapterAtom>"
    }
    let chapters = try folder.write(
      "<?xml version=\"1.0\"?><Chapters>"
        + "<EditionEntry>\(atom("0", "Other"))</EditionEntry><EditionEntry>"
        + "<EditionFlagDefault>1</EditionFlagDefault>\(atom("1", "Parent", atom("4", "Child")))"
        + atom("6", "Hidden", "<ChapterFlagHidden>1</ChapterFlagHidden>")
        + "\(atom("8", "Late"))</EditionEntry></Chapters>", to: "chapters.xml")
    let input = try merged(["--chapters", chapters])
    for suffix in ["mp4", "mkv", "mov"].shortened(to: 2) {
      let output = folder.path("out.\(suffix)")
      let result = try BuiltCandela.transcode([input, output] + Self.copying)
      #expect(result.outcome.status == 0, "\(result.outcome.errors)")
      #expect(result.notices.arguments("chaptersLeftOut") == ["chapterCount": "2"])
      #expect(
        try Tool.chapters(of: output)
          == ["0.100000|Parent", "0.400000|Child", "0.800000|Late"])
      #expect(try !ComparedFiles(input, output).findings("lost").contains("chapters"))
    }
  }

  /// A notice names a subtitle track that has no readable text.
  @Test func subtitlesWithoutTexts() throws {
    let texts = try folder.write("1\n00:00:00,100 --> 00:00:00,300\nText\n", to: "a.srt")
    let (both, cut) = (folder.path("both.mkv"), folder.path("cut.mkv"))
    try Tool.ffmpeg(
      "-i", try source(), "-i", texts, "-map", "0", "-map", "1", "-c:v", "copy", "-c:s", "srt",
      both)
    // This drops the text, but keeps its track.
    try Tool.ffmpeg("-i", both, "-map", "0", "-c", "copy", "-bsf:s", "noise=drop=1", cut)
    #expect(try Tool.probe(cut, "stream=codec_name", stream: "") == ["h264", "subrip"])
    let result = try BuiltCandela.transcode([cut, folder.path("out.mp4")] + Self.copying)
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    #expect(
      result.notices.arguments("trackWithoutSamples") == ["track": "2", "kind": "subrip"])
  }

  /// If audio begins before the presentation, all tracks are shifted in Matroska, and the chapters
  /// are shifted with them.
  @Test func chaptersOfMoviesStayInStep() throws {
    let metadata = try folder.write(
      ";FFMETADATA1\n"
        + [(0, 500), (500, 1000)].map {
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($0.0)\n"
        }.joined(), to: "a.txt")
    let (input, output) = (folder.path("in.mp4"), folder.path("out.mkv"))
    try Tool.ffmpeg(
      "-i", try source(), "-f", "lavfi", "-i", "sine=d=1:r=48000", "-i", metadata,
      "-map_chapters", "2", "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", input)
    let outcome = try BuiltCandela.run(["transcode", input, output] + Self.copying)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let first = try Tool.probe(output, "packet=pts_time").compactMap(Double.init).min()
    #expect(first == 0.021)
    #expect(try Tool.chapters(of: output) == ["0.000000|0", "0.521333|500"])
  }
}
