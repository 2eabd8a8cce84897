// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Notices about tracks agree with what is in the output.
@Suite struct OddTracksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func copy(_ input: String) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path("out.mp4")
    let result = try BuiltCandela.transcode(
      [input, output, "--set", #"video={"codec":"passthrough"}"#])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private static let video = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1"]

  /// A track is carried even if it has the number 0, which no track should have.
  @Test func numberZero() throws {
    let texts = try folder.write("1\n00:00:00,100 --> 00:00:00,300\nText\n", to: "a.srt")
    let path = folder.path("plain.mp4")
    try Tool.ffmpeg(
      Self.video + ["-i", texts, "-map", "1", "-map", "0", "-c:v", "libx264", "-c:s", "mov_text"]
        + [path])
    var bytes = try FileBytes.read(path)
    let header = try #require(bytes.firstRange(of: Array("tkhd".utf8))).upperBound
    bytes.replaceSubrange(header + 12..<header + 16, with: [0, 0, 0, 0])
    let (output, notices) = try copy(folder.write(bytes, to: "in.mp4"))
    #expect(!notices.codes.contains("trackNotCarried"), "\(notices)")
    #expect(try Tool.probe(output, "stream=codec_name", stream: "") == ["h264", "mov_text"])
  }

  /// The chapters of a fragmented movie are written anew and keep their language, and no notice
  /// says that their track is lost.
  @Test func chaptersInFragments() throws {
    let metadata = try folder.write(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=10\ntitle=Eins\n", to: "a.txt")
    let input = folder.path("in.mp4")
    try Tool.ffmpeg(
      Self.video + ["-i", metadata, "-map_chapters", "1", "-map", "0", "-c:v", "libx264"]
        + ["-movflags", "frag_keyframe", input])
    var bytes = try FileBytes.read(input)
    let media = try #require(
      bytes.indices.last { bytes[$0...].starts(with: Array("mdhd".utf8)) })
    // The language becomes "swe", with five bits for each letter.
    bytes.replaceSubrange(media + 24..<media + 26, with: [0x4E, 0xE5])
    let source = try folder.write(bytes, to: "swedish.mp4")
    let (output, notices) = try copy(source)
    #expect(!notices.codes.contains("trackNotCarried"), "\(notices)")
    #expect(try Tool.chapters(of: output) == ["0.000000|Eins"])
    #expect(try Tool.probe(output, "stream_tags=language", stream: "d") == ["swe"])
  }
}
