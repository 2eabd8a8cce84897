// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Languages, names and roles of tracks, and tags of the file, come out as the source has them.
@Suite struct TrackLabelsTests {
  private let folder: TemporaryFolder
  private let copying: String

  init() throws {
    folder = try TemporaryFolder()
    let preset = #"{"name": "copy", "video": {"codec": "passthrough"}}"#
    copying = try folder.write(preset, to: "copy.json")
  }

  /// Makes a movie with a second of video and audio. ffmpeg can be given one more input, and
  /// options for the output.
  private func movie(_ name: String, beside input: String? = nil, _ options: String...) throws
    -> String
  {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1"]
        + (input.map { ["-i", $0] } ?? []) + [
          "-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast",
        ] + options + [path])
    return path
  }

  private func transcode(_ source: String, to name: String, _ arguments: String...) throws
    -> String
  {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      ["transcode", source, output, "--overwrite", "--preset", copying] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Languages stay, although libavformat's MOV muxer knows only the languages of old Macs.
  @Test(arguments: ["mov", "mp4", "mkv"].shortened(to: 2))
  func languages(suffix: String) throws {
    let source = try movie(
      "in.mp4", "-metadata:s:v:0", "language=hrv", "-metadata:s:a:0", "language=yue")
    let output = try transcode(source, to: "out.\(suffix)")
    #expect(try Tool.probe(output, "stream_tags=language", stream: "") == ["hrv", "yue"])
    let plain = try transcode(try movie("plain.mp4"), to: "other.\(suffix)")
    #expect(try Tool.probe(plain, "stream_tags=language", stream: "").allSatisfy { $0 == "und" })
  }

  @Test(arguments: [["deu", "ger"], ["fra", "ger"], ["ger", "ger"]].shortened(to: 2))
  func bothCodesOfALanguageMeanIt(codes: [String]) throws {
    let source = try movie("in.mkv", "-metadata:s:a:0", "language=\(codes[1])")
    let output = try transcode(source, to: "out.mov", "--set", "tracks.audio=[\"\(codes[0])\"]")
    let kinds = try Tool.probe(output, "stream=codec_type", stream: "")
    #expect(kinds == (codes[0] == "fra" ? ["video"] : ["video", "audio"]))
  }

  /// If the only audio track that is carried over is disabled in the source, the output enables it.
  @Test func aChosenTrackIsEnabled() throws {
    let source = try movie(
      "in.mp4", "-map", "0:v", "-map", "1:a", "-map", "1:a", "-metadata:s:a:1", "language=swe",
      "-disposition:a:1", "0")
    #expect(try Tool.probe(source, "stream_disposition=default", stream: "a") == ["1", "0"])
    let output = try transcode(source, to: "out.mov", "--set", "tracks.audio=[\"swe\"]")
    #expect(try Tool.probe(output, "stream_disposition=default", stream: "a") == ["1"])
  }

  private static let styled = """
    [Script Info]
    ScriptType: v4.00+

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
    Style: Default,Arial,20,&H0000FFFF,8

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:00.10,0:00:00.60,Default,,0,0,0,,{\\pos(10,10)}One
    Dialogue: 0,0:00:00.30,0:00:00.80,Default,,0,0,0,,{\\p1}m 0 0 l 9 0{\\p0}drawn
    """

  /// Matroska can hold styled subtitles, cover art and names, so all of these stay as they are.
  @Test func matroskaKeepsWhatItHolds() throws {
    let subtitles = try folder.write(Self.styled, to: "in.ass")
    let cover = folder.path("cover.png")
    try Tool.ffmpeg("-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1", cover)
    let source = try movie(
      "in.mkv", beside: subtitles, "-map", "0:v", "-map", "1:a", "-map", "2:s", "-c:s", "copy",
      "-attach", cover, "-metadata:s:t", "mimetype=image/png", "-metadata", "title=Straße",
      "-metadata", "GENRE=Doc", "-metadata:s:a:0", "title=Talk", "-disposition:a:0", "comment",
      "-disposition:s:0", "forced")
    let output = try transcode(source, to: "out.mkv", "--compare")
    let entries = "packet=pts_time,duration_time,size,data_hash"
    let digests = ["-show_data_hash", "md5"]
    let events = try Tool.probe(source, entries, stream: "s:0", options: digests)
    #expect(events.count == 2)
    #expect(try Tool.probe(output, entries, stream: "s:0", options: digests) == events)
    let facts = try Tool.run("mkvmerge", ["-J", output]).json()
    let container = try #require(facts["container"] as? [String: Any])
    let properties = try #require(container["properties"] as? [String: Any])
    #expect(properties["title"] as? String == "Straße")
    let tracks = try #require(facts["tracks"] as? [[String: Any]]).compactMap {
      $0["properties"] as? [String: Any]
    }
    #expect(tracks.map { $0["track_name"] as? String } == [nil, "Talk", nil])
    #expect(tracks.map { $0["flag_commentary"] as? Bool } == [nil, true, nil])
    #expect(tracks.map { $0["forced_track"] as? Bool } == [false, false, true])
    let attachments = try #require(facts["attachments"] as? [[String: Any]])
    #expect(attachments.map { $0["file_name"] as? String } == ["cover.png"])
    #expect(try Tool.probe(output, "format_tags=GENRE", stream: "") == ["Doc"])
  }

  /// Drawings in subtitles do not become text, roles are kept, and at most one subtitle track is
  /// enabled.
  @Test func subtitlesOfMovies() throws {
    let subtitles = try folder.write(Self.styled, to: "in.ass")
    let source = try movie(
      "in.mkv", beside: subtitles, "-map", "0:v", "-map", "2:s", "-map", "2:s", "-c:s", "copy",
      "-disposition:s:0", "0", "-disposition:s:1", "default+forced")
    let output = try transcode(source, to: "out.mp4")
    #expect(try Tool.probe(output, "stream_disposition=default", stream: "s") == ["0", "1"])
    #expect(try Tool.probe(output, "stream_disposition=forced", stream: "s") == ["0", "1"])
    let texts = try Tool.ffmpeg("-i", output, "-map", "0:s:0", "-f", "srt", "-").output
    #expect(texts.contains("drawn") && !texts.contains("m 0 0"), "\(texts)")
  }

  /// Matroska has no edits, so a copy in Matroska leaves out the frames after the source's last
  /// edit. If frames are reordered, the copy may be refused instead.
  @Test(arguments: [0, 2]) func framesBehindTheEdits(reordered: Int) throws {
    let source = try movie("in.mp4", "-map", "0:v", "-bf", "\(reordered)", "-g", "50")
    var data = try Data(contentsOf: URL(fileURLWithPath: source))
    let list = try #require(data.range(of: Data("elst".utf8))).upperBound + 8
    // The edit becomes 600 ticks, at 1000 ticks a second, which shortens it from 25 frames to 15.
    data.replaceSubrange(list..<list + 4, with: [0, 0, 2, 88])
    let short = folder.path("short.mp4")
    try data.write(to: URL(fileURLWithPath: short))
    let output = folder.path("out.mkv")
    let outcome = try BuiltCandela.run("transcode", short, output, "--preset", copying)
    if outcome.status == 65 {
      #expect(reordered > 0 && outcome.errors.contains("frames after its last edit"))
    } else {
      #expect(try Tool.probe(output, "packet=pts_time").count == 15)
    }
  }

  /// A copy keeps the container's pixel aspect ratio, because players believe the container rather
  /// than the bitstream.
  @Test(arguments: ["mov", "mp4", "mkv"].shortened(to: 1))
  func pixelAspectOfCopies(suffix: String) throws {
    let source = try movie("in.mp4", "-map", "0:v", "-vf", "setsar=1")
    var data = try Data(contentsOf: URL(fileURLWithPath: source))
    let ratio = try #require(data.range(of: Data("pasp".utf8))).upperBound
    data.replaceSubrange(ratio..<ratio + 8, with: [0, 0, 0, 4, 0, 0, 0, 3])
    let wide = folder.path("wide.mp4")
    try data.write(to: URL(fileURLWithPath: wide))
    let output = try transcode(wide, to: "out.\(suffix)")
    #expect(try Tool.probe(output, "stream=sample_aspect_ratio") == ["4:3"])
  }

  /// XMP is kept if it is in a box beside `moov`, where cameras and editors write it.
  @Test(arguments: ["mov", "mp4"].shortened(to: 1)) func extensibleMetadata(suffix: String) throws {
    let source = try movie("in.mp4", "-map", "0:v")
    let packet = Array("<x:xmpmeta>Ort</x:xmpmeta>".utf8)
    let type: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
      0xAC,
    ]
    var data = try Data(contentsOf: URL(fileURLWithPath: source))
    data += [0, 0, 0, UInt8(24 + packet.count)] + Array("uuid".utf8) + type + packet
    try data.write(to: URL(fileURLWithPath: source))
    let output = try Data(
      contentsOf: URL(fileURLWithPath: try transcode(source, to: "out.\(suffix)")))
    #expect(output.range(of: Data(type + packet)) != nil)
  }
}
