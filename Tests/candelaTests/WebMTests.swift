// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// WebM is Matroska with few codecs. Whatever it has no place for is refused, or becomes something
/// that it has a place for, or is named as lost.
@Suite struct WebMTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func candela(_ arguments: String...) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return outcome
  }

  /// Makes a movie of AV1 in PQ with AAC and a text.
  private func movie() throws -> String {
    let texts = try folder.write(
      Array("1\n00:00:00,000 --> 00:00:00,300\nHello\n".utf8), to: "in.srt")
    let path = folder.path("source.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4", "-i",
      texts, "-c:v", "libsvtav1", "-preset", "12", "-pix_fmt", "yuv420p10le", "-color_primaries",
      "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-c:a", "aac", "-c:s",
      "mov_text", path)
    return path
  }

  /// Frames are copied, audio becomes Opus, and text becomes WebVTT.
  @Test func aMovieBecomesWebM() throws {
    let (source, output) = (try movie(), folder.path("out.webm"))
    try candela("transcode", source, output, "--codec", "passthrough")
    for (stream, codec) in [("v:0", "av1"), ("a:0", "opus"), ("s:0", "webvtt")] {
      #expect(try Tool.probe(output, "stream=codec_name", stream: stream) == [codec])
    }
    #expect(
      try Tool.probe(output, "stream=color_space,color_transfer,color_primaries")
        == ["bt2020nc,smpte2084,bt2020"])
    let elements = try Tool.run("mkvinfo", [output]).output
    #expect(elements.contains("Document type: webm"), "\(elements)")
    #expect(try Tool.run("mediainfo", ["--Inform=General;%Format%", output]).text == "WebM")
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le")
        == Tool.frameDigests(source, format: "yuv420p10le"))
    #expect(try ValidateTests.validate(output).evidence("docType") == "only codecs of WebM")
  }

  /// WebM has no place for the record of Dolby Vision. Encoding writes no RPUs, a copy names the
  /// loss, and a request for Dolby Vision is refused.
  @Test func theRecordOfDolbyVisionIsLost() throws {
    let (source, dolby) = (try BuiltCandela.sample(in: folder), folder.path("dolby.mp4"))
    let (copy, encoded) = (folder.path("copy.webm"), folder.path("encoded.webm"))
    try candela("transcode", source, dolby, "-p", "av1-hlg", "--speed", "12")
    let plan = try candela("plan", dolby, copy, "--codec", "passthrough", "--json")
    let notices = try plan.notices()
    #expect(
      notices.arguments("recordNotCarried") == ["container": "webm", "profile": "10.4"],
      "\(notices)")
    #expect(
      notices.arguments("metadataNotCarried") == ["metadata": "ambientViewingEnvironment"],
      "\(notices)")
    // Audio is left out, too. MOV would take it, but not the video.
    let silent = try candela(
      "plan", dolby, copy, "--codec", "passthrough", "--audio", "passthrough", "--json")
    #expect(try silent.notices().arguments("audioNotStorable")?["otherContainer"] == "mp4")
    try candela("transcode", dolby, copy, "--codec", "passthrough")
    let inspected = try candela("inspect", copy).output
    #expect(inspected.contains("Dolby Vision 10.4"), "\(inspected)")
    #expect(try !Tool.run("mkvinfo", [copy]).output.contains("Block addition mapping"))
    try candela("transcode", source, encoded, "-p", "av1-hlg", "--speed", "12")
    #expect(try BuiltCandela.run("rpu", "extract", encoded, folder.path("no.rpu")).status == 65)
    let refused = try BuiltCandela.run(
      "metadata", "convert", dolby, folder.path("no.webm"), "--dolby-vision", "8.4")
    #expect(refused.status == 64 && refused.errors.contains("no place"), "\(refused.errors)")
    #expect(refused.errors.contains("write .mp4 or .mkv"), "\(refused.errors)")
    let plain = folder.path("plain.webm")
    try candela("metadata", "convert", dolby, plain, "--dolby-vision", "none")
    #expect(try BuiltCandela.run("rpu", "extract", plain, folder.path("no.rpu")).status == 65)
  }

  /// A copy of VP9 keeps the description of its source, so metadata there cannot be removed.
  @Test func metadataOfVP9IsNotChanged() throws {
    let source = folder.path("source.webm")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-c:v", "libvpx-vp9", "-pix_fmt",
      "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
      "bt2020nc", source)
    for kind in ["mkv", "webm"] {
      let refused = try BuiltCandela.run(
        "metadata", "convert", source, folder.path("out.\(kind)"), "--light", "none")
      #expect(refused.status == 65 && refused.errors.contains("cannot be changed"), "\(refused)")
    }
  }

  /// Codecs that WebM does not have are refused before anything is written.
  @Test(
    arguments: [(["-p", "hevc-hlg"], 64), (["--codec", "passthrough"], 65)] as [([String], Int32)])
  func otherCodecsAreRefused(options: [String], status: Int32) throws {
    let outcome = try BuiltCandela.run(
      ["transcode", try BuiltCandela.sample(in: folder), folder.path("no.webm")] + options)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains("cannot be stored in .webm"), "\(outcome.errors)")
    #expect(!folder.names.contains("no.webm"))
  }

  /// Audio that the settings ask for is not silently left out. The fallback is used if it fits.
  @Test(
    arguments: [
      (["audio.codec=aac"], ".webm; encode it as opus, or write .mov, .mp4 or .mkv"),
      (["audio.codec=flac"], "flac cannot be stored in .webm"),
      (["audio.codec=aac", "audio.fallback=alac"], "aac cannot be stored in .webm"),
      (["audio.codec=aac", "audio.fallback=opus"], nil), (["audio.codec=opus"], nil),
    ] as [([String], String?)])
  func otherAudioIsRefused(settings: [String], refusal: String?) throws {
    let outcome = try BuiltCandela.run(
      ["plan", try movie(), folder.path("out.webm"), "--codec", "passthrough"]
        + settings.flatMap { ["--set", $0] })
    #expect(outcome.status == (refusal == nil ? 0 : 64), "\(outcome)")
    if let refusal {
      #expect(outcome.errors.contains(refusal), "\(outcome.errors)")
    } else {
      #expect(outcome.output.contains("opus"), "\(outcome.output)")
    }
  }

  /// Opus does not have the channels 6.1, and WebM does not have AAC, the usual fallback.
  @Test func channelsThatOpusLacksAreMixed() throws {
    let source = folder.path("six.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "anullsrc=channel_layout=6.1:d=0.1", "-c:a", "flac", source)
    let output = folder.path("six.webm")
    try candela("transcode", source, output, "--set", "audio.codec=opus")
    let layout = try Tool.probe(output, "stream=codec_name,channel_layout", stream: "a:0")
    #expect(layout == ["opus,5.1"])
  }

  /// A Matroska file of other codecs does not become WebM by saying that it is.
  @Test func aFalseNameFails() throws {
    let path = folder.path("plain.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-c:v", "libx264", "-preset",
      "ultrafast", path)
    var bytes = Data(try FileBytes.read(path))
    // The element DocType: its ID, its size, and its text. Zeros end a text (RFC 8794, 7.4).
    let place = try #require(bytes.range(of: Data([0x42, 0x82, 0x88] + Array("matroska".utf8))))
    let text = place.lowerBound + 3..<place.upperBound
    bytes.replaceSubrange(text, with: Array("webm".utf8) + [0, 0, 0, 0])
    let report = try ValidateTests.validate(folder.write(bytes, to: "false.webm"))
    #expect(report.having("fail").contains("docType"))
  }
}
