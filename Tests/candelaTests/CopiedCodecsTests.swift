// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// When decoded, copied frames are the same as the source's, whatever the codec and whatever the
/// source's container.
@Suite struct CopiedCodecsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes five small frames.
  private func clip(_ name: String, _ options: [String]) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2"] + options
        // `-strict -2` would give uncompressed frames tags that ffmpeg does not read.
        + (options.contains("rawvideo") ? [path] : ["-strict", "-2", path]))
    return path
  }

  private func copy(_ source: String, _ name: String) throws -> String {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run("transcode", source, output, "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  private func frames(_ path: String, as format: String) throws -> [String] {
    try Tool.frameDigests(path, format: format, ignoringEdits: !path.hasSuffix("mkv"))
  }

  /// Returns the content of the first sample entry of a movie.
  private func entry(_ path: String) throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = try #require(data.range(of: Data("stsd".utf8))).upperBound + 8
    let size = data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    return Data(data[start..<start + size])
  }

  @Test(
    arguments: [
      ("webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime"]),
      ("webm", ["-c:v", "libvpx", "-auto-alt-ref", "1"]), ("mkv", ["-c:v", "ffv1"]),
      ("mp4", ["-c:v", "libaom-av1", "-cpu-used", "8"]), ("avi", ["-c:v", "wmv2"]),
      ("mkv", ["-c:v", "libtheora"]), ("avi", ["-c:v", "utvideo", "-pix_fmt", "gbrp"]),
      ("mkv", ["-c:v", "png", "-pix_fmt", "pal8"]), ("mov", ["-c:v", "png"]),
    ].shortened(to: 4))
  func matroskaTakesEveryCodec(suffix: String, encoder: [String]) throws {
    let source = try clip("in.\(suffix)", encoder)
    let output = try copy(source, "out.mkv")
    #expect(try Tool.digest(output) == Tool.digest(source))
    #expect(try BuiltCandela.run("validate", output).status == 0)
  }

  /// Matroska takes FFV1 with FLAC, which archives use, and also other pairs of codecs.
  @Test(
    arguments: [("ffv1", "flac"), ("libvpx", "libvorbis"), ("ffv1", "libopus")].shortened(to: 2))
  func matroskaTakesSound(video: String, audio: String) throws {
    let source = folder.path("in.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2:r=48000",
      "-c:v", video, "-c:a", audio, source)
    let output = try copy(source, "out.mkv")
    #expect(try Tool.digest(output) == Tool.digest(source))
    #expect(try Tool.digest(output, of: "a") == Tool.digest(source, of: "a"))
    let times = "packet=data_hash"
    #expect(
      try Tool.probe(output, times, stream: "a:0", options: ["-show_data_hash", "md5"])
        == Tool.probe(source, times, stream: "a:0", options: ["-show_data_hash", "md5"]))
  }

  /// Uncompressed frames keep their sample entry, although libavformat has a single codec for all
  /// of these formats.
  @Test(
    arguments: [
      ("uyvy422", ["-tag:v", "2vuy"]), ("yuyv422", ["-tag:v", "yuvs"]), ("rgb24", []),
      ("pal8", []), ("rgba64be", ["-tag:v", "b64a"]), ("gray", []),
      ("rgb48be", ["-tag:v", "b48r"]), ("argb", []), ("rgb555be", []),
    ].shortened(to: 3))
  func uncompressedFramesKeepTheirEntry(format: String, options: [String]) throws {
    let source = try clip("in.mov", ["-c:v", "rawvideo", "-pix_fmt", format] + options)
    let wanted = try frames(source, as: "rgba64le")
    for name in ["copy.mov", "copy.mkv"] {
      #expect(try frames(copy(source, name), as: "rgba64le") == wanted, "\(name)")
    }
    #expect(try entry(folder.path("copy.mov")) == entry(source))
    let part = folder.path("part.mov")
    let cut = try BuiltCandela.run("cut", source, part, "--from", "0.08")
    #expect(cut.status == 0, "\(cut.errors)")
    #expect(try frames(part, as: "rgba64le") == Array(wanted.dropFirst(2)))
    // The Matroska file can be copied back into a movie, unless the frames need a palette, as they
    // do for QuickTime's gray. In that case, the copy is refused.
    guard !["pal8", "gray"].contains(format) else {
      let outcome = try BuiltCandela.run(
        "transcode", folder.path("copy.mkv"), folder.path("again.mov"), "--codec", "passthrough")
      return #expect(outcome.status == 65, "\(outcome.errors)")
    }
    let again = try copy(folder.path("copy.mkv"), "again.mov")
    #expect(try frames(again, as: "rgba64le") == wanted)
  }

  @Test(
    arguments: [
      ["-c:v", "qtrle"], ["-c:v", "qtrle", "-pix_fmt", "gray"], ["-c:v", "rpza"],
      ["-c:v", "cinepak"], ["-c:v", "v210"], ["-c:v", "v308"], ["-c:v", "v410"], ["-c:v", "r210"],
      ["-c:v", "prores_ks", "-pix_fmt", "yuva444p10le"], ["-c:v", "prores_ks"],
      ["-c:v", "jpeg2000"],
    ].shortened(to: 3))
  func codecsOfQuickTimeCarryWhatTheirDecoderNeeds(encoder: [String]) throws {
    let source = try clip("in.mov", encoder)
    let output = try copy(source, "out.mkv")
    let format = try Tool.probe(source, "stream=pix_fmt")
    #expect(try Tool.probe(output, "stream=pix_fmt") == format)
    #expect(try Tool.digest(output) == Tool.digest(source))
    let again = try copy(output, "again.mov")
    #expect(
      try Tool.probe(again, "stream=pix_fmt,codec_tag_string,profile")
        == Tool.probe(source, "stream=pix_fmt,codec_tag_string,profile"))
    #expect(try Tool.digest(again) == Tool.digest(source))
  }

  @Test(.needsSharedMedia) func theWholeEntryIsTheConfiguration() throws {
    let source = SharedMedia.path("third/format-corpus__animation.mov")
    let output = try copy(source, "out.mkv")
    #expect(try Tool.digest(output) == Tool.digest(source))
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    #expect(data.range(of: Data("V_QUICKTIME".utf8)) != nil)
    #expect(data.range(of: try entry(source)) != nil)
    #expect(try BuiltCandela.run("compare", source, output).status == 0)
  }

  /// In early WebM files, some packets contain a frame that is not shown. A copy puts such a frame
  /// into one packet with the next frame. In this file, 80 packets become 72.
  @Test(.needsSharedMedia, arguments: ["mp4", "mkv"])
  func hiddenFramesTravelWithTheNext(suffix: String) throws {
    let source = SharedMedia.path("third/ExoPlayer__roadtrip-vp92-10bit.webm")
    let output = try copy(source, "out.\(suffix)")
    #expect(try Tool.digest(output) == Tool.digest(source))
    let counts = try Tool.probe(output, "stream=nb_read_packets", options: ["-count_packets"])
    #expect(counts == ["72"])
  }

  /// A sample of AMR contains several frames, and a copy does not split the sample.
  @Test(.needsSharedMedia) func samplesOfAMRStayWhole() throws {
    let source = SharedMedia.path("third/mp4parser__MOV00006.3gp")
    let output = try copy(source, "out.mov")
    #expect(try Tool.digest(output, of: "a") == Tool.digest(source, of: "a"))
    #expect(try Tool.probe(output, "stream=codec_tag_string", stream: "a:0") == ["samr"])
  }

  /// If all packets have the same size, each still becomes a separate sample with its duration.
  @Test(
    arguments: [("adpcm_yamaha", "mov"), ("adpcm_yamaha", "mkv"), ("g722", "mov")].shortened(to: 2))
  func packetsOfOneSizeKeepTheirTimes(encoder: String, suffix: String) throws {
    let source = folder.path("in.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "sine=d=0.6:r=48000", "-c:a", encoder, source)
    let output = folder.path("out.\(suffix)")
    let outcome = try BuiltCandela.run("transcode", source, output, "--audio", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.digest(output, of: "a") == Tool.digest(source, of: "a"))
    if suffix == "mov" {
      #expect(
        try Tool.probe(output, "packet=duration,size", stream: "a:0")
          == Tool.probe(source, "packet=duration,size", stream: "a:0"))
    }
  }

  /// A codec that the container cannot hold is refused before the work begins.
  @Test(arguments: [("ffv1", "mp4"), ("libvpx", "mov")])
  func whatCannotBeHeldIsRefused(encoder: String, suffix: String) throws {
    let source = try clip("in.mkv", ["-c:v", encoder])
    let output = folder.path("out.\(suffix)")
    for command in ["plan", "transcode"] {
      let outcome = try BuiltCandela.run(command, source, output, "--codec", "passthrough")
      #expect(outcome.status == 65 && outcome.errors.contains("cannot be stored in .\(suffix)"))
    }
  }
}
