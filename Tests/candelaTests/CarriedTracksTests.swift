// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Tracks other than video and audio come out with their samples, times, references and names.
@Suite(.needsSharedMedia) struct CarriedTracksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let preset = [
    "--preset", "h264-sdr", "--set", "video.width=160", "--set",
    "video.compressionProperties.speed=ultrafast",
  ]

  private func transcode(
    _ source: String, to suffix: String, _ settings: String...
  ) throws -> String {
    let output = folder.path("out.\(suffix)")
    let outcome = try BuiltCandela.run(
      ["transcode", source, output, "--overwrite"] + Self.preset
        + settings.flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns times, sizes and digests of a data track's samples.
  private func samples(_ path: String, _ index: Int, isTimed: Bool) throws -> [String] {
    guard isTimed else {
      // ffprobe 7.1 skips tracks whose samples have no duration, so ffmpeg reads them instead.
      // Without `-nofind_stream_info`, it would skip the samples that it reads to find out about
      // the file.
      let digests = try Tool.ffmpeg(
        "-nofind_stream_info", "-i", path, "-map", "0:d:\(index)", "-c", "copy", "-f", "framemd5",
        "-")
      return digests.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        line.split(separator: ",").suffix(2).joined(separator: ",")
      }
    }
    return try Tool.probe(
      path, "packet=pts,dts,size,data_hash", stream: "d:\(index)",
      options: ["-show_data_hash", "md5"])
  }

  private func kinds(_ path: String) throws -> [String] {
    try Tool.probe(path, "stream=codec_tag_string", stream: "")
  }

  @Test(
    arguments: [
      ("hdr/androidx__dolbyVision-hdr.MOV", ["mebx", "mebx", "mebx"]),
      ("sdr/gpmf-parser__karma.mp4", ["tmcd", "gpmd", "fdsc"]),
      ("sdr/androidx__h265_with_metadata_track.mp4", ["mett"]),
    ], ["mov", "mp4"].shortened(to: 1))
  func samplesAreTheSources(source: (name: String, kinds: [String]), suffix: String) throws {
    let input = SharedMedia.path(source.name)
    let output = try transcode(input, to: suffix)
    #expect(try kinds(output) == ["avc1", "mp4a"] + source.kinds)
    for (index, kind) in source.kinds.enumerated() {
      // The samples of `fdsc` have no duration, so readers make one up.
      let isTimed = kind != "fdsc"
      let expected = try samples(input, index, isTimed: isTimed)
      #expect(!expected.isEmpty)
      let areTheSame = try samples(output, index, isTimed: isTimed) == expected
      #expect(areTheSame, "\(kind)")
    }
  }

  /// The edits of all tracks last as long as before, even if encoded audio gives the movie another
  /// timescale.
  @Test func editsLastAsLongWithOtherTicks() throws {
    let input = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", input, output, "--set", "video.codec=passthrough", "--set",
      #"audio={"codec":"alac"}"#)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let durations = try PresentedMovie.trackDurations(output)
    #expect(durations == [0.106667, 0.105, 0.106667, 0.106667, 0.106667])
    #expect(try PresentedMovie.trackDurations(input) == durations)
  }

  @Test(arguments: ["mov", "mp4"].shortened(to: 1)) func timeCode(suffix: String) throws {
    let input = SharedMedia.path("sdr/gpmf-parser__karma.mp4")
    let output = try transcode(input, to: suffix)
    let entry = "stream_tags=timecode"
    let expected = try Tool.probe(input, entry)
    #expect(expected.count == 1)
    #expect(try Tool.probe(output, entry) == expected)
    let media = try Tool.run("mediainfo", ["--Inform=Other;%TimeCode_FirstFrame%", output])
    #expect(media.text == "20:07:02:06")
  }

  @Test(arguments: ["mov", "mp4"].shortened(to: 1)) func chapters(suffix: String) throws {
    let input = SharedMedia.path("sdr/androidx__sample_with_chapters.mp4")
    let output = try transcode(input, to: suffix)
    #expect(
      try Tool.chapters(of: output)
        == ["0.000000|Chapter 1", "0.201000|Chapter 2", "0.800000|Chapter 3"])
  }

  /// Matroska's chapters and subtitles become text tracks and keep their times.
  @Test(arguments: ["mov", "mp4"].shortened(to: 1), ["srt", "ass"])
  func textOfMatroska(suffix: String, codec: String) throws {
    let (texts, chapters, input) = (
      folder.path("in.srt"), folder.path("in.txt"), folder.path("in.mkv")
    )
    try Data(
      """
      1
      00:00:00,200 --> 00:00:00,400
      Häuser <i>und</i>

      2
      00:00:00,300 --> 00:00:00,500
      Gärten

      """.utf8
    ).write(to: URL(fileURLWithPath: texts))
    try Data(
      """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=100
      END=300
      title=Eröffnung
      [CHAPTER]
      TIMEBASE=1/1000
      START=300
      END=600
      title=Zwei
      """.utf8
    ).write(to: URL(fileURLWithPath: chapters))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:d=0.6", "-i", texts, "-i", chapters, "-map", "0",
      "-map", "1", "-map_metadata", "2", "-c:v", "libx264", "-c:s", codec, "-metadata:s:s:0",
      "language=deu", input)
    let output = try transcode(input, to: suffix)
    #expect(try Tool.chapters(of: output) == ["0.100000|Eröffnung", "0.300000|Zwei"])
    let subtitles = try Tool.ffmpeg("-i", output, "-map", "0:s:0", "-f", "srt", "-").text
      .replacing("\r\n", with: "\n")
    let expected = [
      "00:00:00,200 --> 00:00:00,300\nHäuser <i>und</i>",
      "00:00:00,300 --> 00:00:00,400\nHäuser und\nGärten",
      "00:00:00,400 --> 00:00:00,500\nGärten",
    ]
    #expect(expected.allSatisfy { subtitles.contains($0) }, "\(subtitles)")
    #expect(try Tool.probe(output, "stream_tags=language", stream: "s:0") == ["deu"])
    let media = try Tool.run("mediainfo", [output]).text
    #expect(media.contains(/Menu For +: 1/))
  }

  /// QuickTime's text becomes timed text in MP4, because players do not expect QuickTime's form
  /// there.
  @Test func textOfQuickTime() throws {
    let (texts, input) = (folder.path("in.srt"), folder.path("in.mov"))
    try Data("1\n00:00:00,100 --> 00:00:00,300\nÄrger\n".utf8).write(
      to: URL(fileURLWithPath: texts))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:d=0.6", "-i", texts, "-map", "0", "-map", "1",
      "-c:v", "libx264", "-c:s", "mov_text", "-tag:s", "text", input)
    let output = try transcode(input, to: "mp4")
    #expect(try kinds(output) == ["avc1", "tx3g"])
    let subtitles = try Tool.ffmpeg("-i", output, "-map", "0:s:0", "-f", "srt", "-").text
      .replacing("\r\n", with: "\n")
    #expect(subtitles.contains("00:00:00,100 --> 00:00:00,300\nÄrger"), "\(subtitles)")
  }

  /// Timed metadata can state places, too. So `metadata=none` also leaves out its tracks, unless
  /// they are chosen by number. Time code stays.
  @Test func metadataThatIsLeftOut() throws {
    let phone = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    #expect(try kinds(transcode(phone, to: "mov", "metadata=none")) == ["avc1", "mp4a"])
    let drone = SharedMedia.path("sdr/gpmf-parser__karma.mp4")
    #expect(try kinds(transcode(drone, to: "mov", "metadata=none")) == ["avc1", "mp4a", "tmcd"])
    #expect(
      try kinds(transcode(drone, to: "mov", "metadata=none", "tracks.other=[4]"))
        == ["avc1", "mp4a", "gpmd"])
  }

  @Test func tracksThatAreNotWanted() throws {
    let drone = SharedMedia.path("sdr/gpmf-parser__karma.mp4")
    let output = try transcode(drone, to: "mp4", "tracks.other=none", "tracks.audio=none")
    #expect(try kinds(output) == ["avc1"])
    let plan = try BuiltCandela.run(
      ["plan", drone, "--json", "--set", "tracks.other=none"] + Self.preset)
    let lost = try plan.notices().filter { $0.code == "trackNotCarried" }
    #expect(lost.map { $0.arguments["track"] } == ["3", "4", "5"])
  }

  /// The first enabled video track is encoded, and reports on frames describe this track. The other
  /// video track is copied.
  @Test func twoVideoTracks() throws {
    let input = folder.path("two.mov")
    let sources = ["color=red:s=64x48:d=0.2", "color=blue:s=128x96:d=0.12"]
    try Tool.ffmpeg(
      sources.flatMap { ["-f", "lavfi", "-i", $0] } + [
        "-map", "0", "-map", "1", "-c:v", "mpeg4", "-disposition:v:0", "0", "-disposition:v:1",
        "default", input,
      ])
    let inspected = try BuiltCandela.run("inspect", input, "--frames", "--json").json()
    #expect((inspected["frames"] as? [Any])?.count == 3)
    #expect((inspected["summary"] as? [String: Any])?["frameCount"] as? Int == 3)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", input, output, "--preset", "h264-sdr", "--verify", "decode")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Tool.probe(output, "stream=codec_name,width", stream: "v") == ["h264,128", "mpeg4,64"])
    let hash = "packet=data_hash"
    let options = ["-show_data_hash", "md5"]
    #expect(
      try Tool.probe(output, hash, stream: "v:1", options: options)
        == Tool.probe(input, hash, stream: "v:0", options: options))
  }

  /// Returns a movie with two video tracks, the second of which is damaged.
  private func damagedSecondTrack() throws -> String {
    let (input, second) = (folder.path("two.mov"), folder.path("second.mov"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:d=0.4", "-c:v", "libx264", "-bf", "0", second)
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.4", "-i", second, "-map", "0", "-map", "1",
      "-c:v:0", "libx264", "-c:v:1", "copy", "-disposition:v", "default", input)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: input))
    let places = try Tool.probe(input, "packet=pos,size", stream: "v:1")
    let place = try #require(places.dropFirst(4).first).split(separator: ",").compactMap { Int($0) }
    // Start after the header of the slice.
    for position in place[1] + 12..<place[1] + place[0] { bytes[position] = 0xff }
    try bytes.write(to: URL(fileURLWithPath: input))
    return input
  }

  @Test func damagedVideoIsLeftOutBesideEncodedFrames() throws {
    let (input, output) = (try damagedSecondTrack(), folder.path("out.mov"))
    let report = folder.path("report.json")
    let outcome = try BuiltCandela.run(
      ["transcode", input, output, "--report", report] + Self.preset)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(
      try ReportedNotice.all(in: Data(contentsOf: URL(fileURLWithPath: report)))
        .arguments("carriedVideoDamaged") == ["track": "2"])
    #expect(try Tool.probe(output, "stream=codec_name", stream: "v") == ["h264"])
    let stopped = try BuiltCandela.run(
      ["transcode", input, folder.path("no.mov"), "--on-error", "stop"] + Self.preset)
    #expect(stopped.status == 65, "\(stopped.errors)")
  }

  @Test func damagedVideoIsCopiedWhereAllIs() throws {
    let (input, output) = (try damagedSecondTrack(), folder.path("out.mov"))
    let outcome = try BuiltCandela.run(
      "transcode", input, output, "--set", "video.codec=passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(output, "stream=codec_name", stream: "v") == ["h264", "h264"])
  }

  /// If two tracks have the same number, the second is not carried over, because FFmpeg renumbers
  /// the tracks of such a movie.
  @Test func tracksOfOneNumberAreNotCarried() throws {
    let (input, output) = (folder.path("two.mov"), folder.path("out.mov"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:d=0.2", "-map", "0", "-map", "0", "-c:v", "libx264",
      input)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: input))
    let header = try #require(bytes.range(of: Data("tkhd".utf8), options: .backwards))
    bytes[header.upperBound + 15] = 1
    try bytes.write(to: URL(fileURLWithPath: input))
    let outcome = try BuiltCandela.run(["transcode", input, output] + Self.preset)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("track 2 (video) is not carried over"), "\(outcome.errors)")
    #expect(try Tool.probe(output, "stream=codec_name", stream: "v") == ["h264"])
  }

  @Test(arguments: ["mov", "mp4"].shortened(to: 1)) func coverArt(suffix: String) throws {
    let (input, cover, plain) = (
      folder.path("in.mp4"), folder.path("cover.png"), folder.path("plain.mp4")
    )
    try Tool.ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", cover)
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:d=0.2", "-c:v", "libx264", plain)
    try Tool.ffmpeg(
      "-i", plain, "-i", cover, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:1",
      "attached_pic", input)
    let output = try transcode(input, to: suffix)
    #expect(try Tool.probe(output, "stream=codec_name", stream: "v") == ["h264", "png"])
    let hash = "packet=data_hash"
    let options = ["-show_data_hash", "md5"]
    #expect(
      try Tool.probe(output, hash, stream: "v:1", options: options)
        == Tool.probe(input, hash, stream: "v:1", options: options))
  }

  /// Time code lasts as long as before, although encoded audio gives the movie another timescale,
  /// in which the durations of all tracks are counted.
  @Test func timeCodeBesideEncodedAudio() throws {
    let source = folder.path("source.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
      "libx264", "-timecode", "01:00:00:00", "-c:a", "pcm_s16le", source)
    let output = try transcode(source, to: "mp4", "video.codec=h264")
    #expect(try Tool.probe(output, "stream=duration", stream: "d:0") == ["1.000000"])
    #expect(try Tool.probe(output, "stream=codec_name", stream: "a:0") == ["aac"])
  }

  /// A track whose samples are spread over fragments comes out with the bytes and times of the
  /// source.
  @Test(arguments: ["", "+default_base_moof"].shortened(to: 1))
  func fragments(flags: String) throws {
    let (texts, source) = (folder.path("in.srt"), folder.path("source.mp4"))
    let lines = (1...3).map { "\($0)\n00:00:0\($0),100 --> 00:00:0\($0),600\nLine \($0)\n" }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: texts))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=4", "-i", texts, "-c:v", "libx264", "-g", "25",
      "-c:s", "mov_text", "-movflags", "frag_keyframe+empty_moov" + flags, source)
    let packets = "packet=pts_time,size,data_hash"
    let options = ["-show_data_hash", "md5"]
    let expected = try Tool.probe(source, packets, stream: "s:0", options: options)
    let output = try transcode(source, to: "mp4")
    #expect(try Tool.probe(output, packets, stream: "s:0", options: options) == expected)
    #expect(expected.count > 3)
  }
}
