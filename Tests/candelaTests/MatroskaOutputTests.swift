// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Matroska outputs state what movies state, as far as Matroska allows, and notices name what is
/// lost.
@Suite struct MatroskaOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func transcode(_ source: String, _ arguments: String...) throws -> String {
    let output = folder.path("out.mkv")
    let outcome = try BuiltCandela.run(
      ["transcode", source, output, "--overwrite", "--set"]
        + ["video.compressionProperties.speed=ultrafast"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  @Test(.needsSharedMedia) func phoneClip() throws {
    let source = SharedMedia.path("hdr/androidx__sample_edit_list.mp4")
    let output = try transcode(source, "--preset", "hevc-hlg", "--set", "video.width=320")
    let signal = "codec_name,color_range,color_space,color_transfer,color_primaries"
    #expect(
      try Tool.probe(output, "stream=\(signal)") == ["hevc,tv,bt2020nc,arib-std-b67,bt2020"])
    let record = "stream_side_data=dv_profile,dv_bl_signal_compatibility_id"
    #expect(try Tool.probe(output, record) == ["8,4"])
    // The source presents 78 frames.
    let times = try Tool.probe(output, "packet=pts_time").compactMap(Double.init).sorted()
    #expect(times.count == 78)
    let audio = try Tool.probe(output, "packet=pts_time", stream: "a:0").compactMap(Double.init)
    let first = try #require(times.first), sound = try #require(audio.min())
    #expect(min(first, sound) == 0 && max(first, sound) < 0.03)
    let date = try Tool.probe(output, "format_tags=creation_time")
    #expect(try date == Tool.probe(source, "format_tags=creation_time"))
    let identified = try Tool.run("mkvmerge", ["--identify", output])
    #expect(identified.status == 0 && identified.output.contains("Track ID 1: audio (AAC)"))
  }

  @Test(.needsSharedMedia) func whatIsLostIsNamed() throws {
    let source = SharedMedia.path("hdr/androidx__sample_edit_list.mp4")
    let plan = try BuiltCandela.run(
      "plan", source, folder.path("out.mkv"), "--preset", "hevc-hlg", "--json")
    let codes = try plan.notices().codes
    #expect(codes.isSuperset(of: ["ambientLightInBitstream", "trackNotCarried"]))
    #expect(codes.contains("rotationNotCarried") != Tool.writesMatroskaDisplay)
  }

  /// Copied samples get no new messages, so what only a box states is lost.
  @Test func whatOnlyABoxStatesIsLostInACopy() throws {
    let amve = SyntheticMovie.box("amve", [0, 0x2F, 0xE9, 0xA0, 0x3D, 0x13, 0x40, 0x42])
    // ffmpeg puts the boxes behind the samples, so these stay where they are.
    let plain = folder.path("plain.mov")
    try Tool.ffmpeg("-i", BuiltCandela.sample(in: folder), "-map", "0:v", "-c", "copy", plain)
    let input = try folder.write(
      SyntheticMovie.insert(amve, into: FileBytes.read(plain)), to: "box.mov")
    let plan = try BuiltCandela.run(
      "plan", input, folder.path("out.mkv"), "--codec", "passthrough", "--json")
    let notices = try plan.notices()
    #expect(
      notices.arguments("metadataNotCarried") == ["metadata": "ambientViewingEnvironment"],
      "\(notices)")
    #expect(!notices.codes.contains("ambientLightInBitstream"))
  }

  /// Rotation and clean aperture are in the output, or notices say that they are lost.
  @Test func displayIsCarriedOrNamed() throws {
    let plain = folder.path("plain.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:d=0.2", "-c:v", "libx264", "-preset", "ultrafast",
      plain)
    // The clean aperture is the middle 144×80 of 160×96.
    let numbers: [UInt8] = [144, 1, 80, 1, 0, 1, 0, 1]
    let clap = SyntheticMovie.box("clap", numbers.flatMap { [0, 0, 0, $0] })
    let seen = try SyntheticMovie.insert(clap, into: FileBytes.read(plain))
    let input = try folder.write(SyntheticMovie.turn(seen, by: [0, 1, -1, 0]), to: "in.mov")
    for codec in ["passthrough", "h264"] {
      let output = try transcode(input, "--set", "video={\"codec\":\"\(codec)\"}")
      let plan = try BuiltCandela.run(
        "plan", input, output, "--set", "video={\"codec\":\"\(codec)\"}", "--json")
      let lost = try plan.notices().codes.filter { $0.hasSuffix("NotCarried") }
      let found = try ComparedFiles(input, output).findings("lost").filter {
        ["matrix", "cleanAperture"].contains($0)
      }
      let all = ["apertureNotCarried", "rotationNotCarried"]
      #expect(Set(lost) == (Tool.writesMatroskaDisplay ? [] : Set(all)), "\(lost)")
      #expect(found.count == lost.count, "\(found)")
    }
  }

  @Test(.needsSharedMedia) func chapters() throws {
    let source = SharedMedia.path("sdr/androidx__sample_with_chapters.mp4")
    let output = try transcode(source, "--preset", "h264-sdr", "--set", "video.width=160")
    #expect(
      try Tool.chapters(of: output)
        == ["0.000000|Chapter 1", "0.201000|Chapter 2", "0.800000|Chapter 3"])
  }

  /// Samples are copied byte for byte; subtitles become SubRip.
  @Test func passThrough() throws {
    let (texts, input) = (folder.path("in.srt"), folder.path("in.mp4"))
    try Data("1\n00:00:00,100 --> 00:00:00,300\nÄrger <i>hier</i>\n".utf8).write(
      to: URL(fileURLWithPath: texts))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:d=0.6", "-f", "lavfi", "-i", "sine=d=0.6", "-i",
      texts,
      "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a", "ac3", "-c:s", "mov_text",
      "-metadata:s:s:0", "language=deu", input)
    let output = try transcode(input, "--set", "video={\"codec\":\"passthrough\"}")
    let options = ["-show_data_hash", "md5"]
    #expect(try Tool.probe(output, "stream=codec_name", stream: "") == ["h264", "ac3", "subrip"])
    #expect(
      try Tool.probe(output, "packet=data_hash", stream: "a", options: options)
        == Tool.probe(input, "packet=data_hash", stream: "a", options: options))
    #expect(try Tool.digest(output) == Tool.digest(input))
    let subtitles = try Tool.ffmpeg("-i", output, "-f", "srt", "-").text
      .replacing("\r\n", with: "\n")
    // The first packet of AC-3 begins 256 samples, 6 ms, before the presentation, so everything
    // begins 6 ms later.
    #expect(try Tool.probe(output, "stream=start_time") == ["0.006000"])
    #expect(subtitles.contains("00:00:00,106 --> 00:00:00,306\nÄrger <i>hier</i>"), "\(subtitles)")
    #expect(try Tool.probe(output, "stream_tags=language", stream: "s:0") == ["deu"])
  }

  /// Frames stay in step with Opus, whose delay Matroska states and readers subtract.
  @Test func opusStaysInStep() throws {
    let input = folder.path("in.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x96:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
      "libx264", "-c:a", "libopus", input)
    let output = try transcode(input, "--preset", "h264-sdr")
    #expect(try Tool.probe(output, "stream=codec_name", stream: "") == ["h264", "opus"])
    func delay(_ stream: String) throws -> Double {
      let times = try [input, output].map { path in
        try Tool.probe(path, "packet=pts_time", stream: stream).compactMap(Double.init).sorted()
      }
      #expect(times[0].count == times[1].count)
      return try #require(times[1].first) - #require(times[0].first)
    }
    #expect(try abs(delay("v:0") - delay("a:0")) < 0.002)
  }

  /// Frames that are shown before the first sync sample are kept, although libavformat calls the
  /// time of that sample the track's start.
  @Test(.needsSharedMedia) func framesBeforeTheFirstSyncSample() throws {
    let copying = ["--set", #"video={"codec":"passthrough"}"#]
    let source = SharedMedia.path("sdr/format-corpus__xdcam-ex-1080i50.mov")
    let middle = try transcode(source, copying[0], copying[1])
    let times = try Tool.probe(middle, "packet=pts_time").compactMap(Double.init)
    #expect(times.count == 25 && times.first == 0.08 && times.min() == 0)
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(["transcode", middle, output] + copying)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let shown = try Tool.probe(output, "frame=pts_time").compactMap { Double($0.prefix(8)) }
    #expect(shown.count == 25 && shown.first == 0, "\(shown)")
  }

  /// What Matroska cannot say is refused before anything is encoded.
  @Test(.needsSharedMedia) func hiddenFramesAreRefused() throws {
    let source = SharedMedia.path("hdr/androidx__sample_edit_list.mp4")
    let outcome = try BuiltCandela.run(
      "plan", source, folder.path("out.mkv"), "--set", "video={\"codec\":\"passthrough\"}")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("which Matroska cannot express"))
  }
}
