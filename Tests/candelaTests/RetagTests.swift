// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation
import TestSupport
import Testing

@testable import Editing

/// Tags change in container and bitstream, and frames stay the same, byte for byte.
@Suite struct RetagTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  /// Returns the tags of the video track as ffprobe reports them.
  private func tags(_ path: String) throws -> [String] {
    try Tool.probe(
      path, "stream=color_range,color_space,color_transfer,color_primaries,chroma_location")
  }

  private func bitstreamTags(_ path: String) throws -> String {
    let raw = folder.path("raw.hevc")
    try Tool.ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "hevc", raw)
    return try tags(raw).first ?? ""
  }

  private func retag(_ input: String, _ arguments: String...) throws -> String {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      ["retag", input, output, "--overwrite"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// `retag` prints what each place in the file stated before, and what it states now.
  @Test func changesAreTold() throws {
    let output = folder.path("told.mov")
    let told = try BuiltCandela.run("retag", sample, output, "--color", "709")
    #expect(told.errors.contains("\nwas     container  BT.2020 (9) / HLG (18) / BT.2020 (9)"))
    #expect(told.errors.contains("\nis      container  BT.709 (1) / BT.709 (1) / BT.709 (1)"))
    let same = try BuiltCandela.run("retag", output, output + ".mov", "--color", "709", "-q")
    #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
  }

  @Test(arguments: [
    ("709", "tv,bt709,bt709,bt709,topleft"),
    ("9/16/9", "tv,bt2020nc,smpte2084,bt2020,topleft"),
    ("p3", "tv,bt709,bt709,smpte432,topleft"),
  ])
  func colorInBothPlaces(color: String, expected: String) throws {
    let output = try retag(sample, "--color", color)
    #expect(try tags(output) == [expected])
    #expect(try bitstreamTags(output) == expected)
    #expect(try Tool.digest(output) == Tool.digest(sample))
  }

  @Test func rangeAndChromaLocation() throws {
    let output = try retag(sample, "--range", "full", "--chroma-location", "left")
    #expect(try bitstreamTags(output) == "pc,bt2020nc,arib-std-b67,bt2020,left")
    let none = try BuiltCandela.run("retag", "--in-place", output, "--chroma-location", "none")
    #expect(none.status == 0, "\(none.errors)")
    #expect(try bitstreamTags(output).hasPrefix("pc,bt2020nc,arib-std-b67,bt2020,"))
  }

  @Test func colorsAreRemoved() throws {
    let output = try retag(sample, "--color", "none")
    #expect(try tags(output).first?.contains("unknown,unknown,unknown") == true)
    #expect(try bitstreamTags(output).contains("unknown,unknown,unknown"))
    // The colors come back as they were.
    let back = folder.path("back.mov")
    _ = try BuiltCandela.run("retag", output, back, "--color", "hlg")
    #expect(try tags(back) == tags(sample))
  }

  /// Parameter sets in sync samples are changed, too. Encoders that repeat headers write parameter
  /// sets there.
  @Test func parameterSetsInSamplesToo() throws {
    let repeated = folder.path("hev1.mp4")
    try Tool.ffmpeg(
      "-i", sample, "-map", "0", "-c:a", "copy", "-c:v", "libx265", "-x265-params",
      "repeat-headers=1:keyint=5:min-keyint=1:log-level=none", "-tag:v", "hev1", repeated)
    let output = try retag(repeated, "--color", "709")
    #expect(try bitstreamTags(output).contains("bt709,bt709,bt709"))
    let frames = try Tool.probe(output, "frame=color_space,color_transfer,color_primaries")
    #expect(frames.count == 15)
    #expect(Set(frames) == ["bt709,bt709,bt709"] || Set(frames) == ["bt709,bt709,bt709,"])
    #expect(try Tool.digest(output) == Tool.digest(repeated))
    #expect(try Tool.digest(output, of: "a") == Tool.digest(repeated, of: "a"))
    let renamed = try retag(sample, "--codec-tag", "hev1")
    #expect(try Tool.probe(renamed, "stream=codec_tag_string") == ["hev1"])
  }

  @Test func inPlace() throws {
    let before = try Tool.digest(sample)
    let outcome = try BuiltCandela.run("retag", "--in-place", sample, "--color", "709")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try tags(sample) == ["tv,bt709,bt709,bt709,topleft"])
    #expect(try Tool.digest(sample) == before)
    #expect(folder.names == ["sample.mov"])
  }

  /// A link stays a link, and the file keeps its permissions. A file that has a second name or is
  /// write-protected is refused.
  @Test func inPlaceKeepsWhatAFileHas() throws {
    let manager = FileManager.default
    let link = folder.path("link.mov")
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "sample.mov")
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: sample)
    #expect(try BuiltCandela.run("retag", "--in-place", link, "--color", "709").status == 0)
    #expect(try manager.destinationOfSymbolicLink(atPath: link) == "sample.mov")
    #expect(try manager.attributesOfItem(atPath: sample)[.posixPermissions] as? Int == 0o640)
    #expect(try tags(sample) == ["tv,bt709,bt709,bt709,topleft"])
    let before = try FileBytes.read(sample)
    try manager.linkItem(atPath: sample, toPath: folder.path("second.mov"))
    #expect(try BuiltCandela.run("retag", "--in-place", sample, "--color", "hlg").status == 73)
    try manager.removeItem(atPath: folder.path("second.mov"))
    try manager.setAttributes([.posixPermissions: 0o440], ofItemAtPath: sample)
    #expect(try BuiltCandela.run("retag", "--in-place", sample, "--color", "hlg").status == 73)
    #expect(try FileBytes.read(sample) == before)
  }

  /// Changing tags and changing them back gives the original file.
  @Test func thereAndBack() throws {
    let before = try FileBytes.read(sample)
    let there = try retag(sample, "--color", "pq", "--chroma-location", "none")
    let back = folder.path("back.mov")
    _ = try BuiltCandela.run(
      "retag", there, back, "--color", "hlg", "--chroma-location", "topLeft")
    #expect(try FileBytes.read(back) == before)
    let outcome = try BuiltCandela.run("retag", "--in-place", back, "--color", "hlg")
    #expect(outcome.tells(.nothingChanged))
  }

  /// `hvc1` allows parameter sets only in the sample entry, so repeated ones in samples are
  /// removed.
  @Test func repeatedParameterSetsGoWithHVC1() throws {
    let repeated = folder.path("hev1.mp4")
    try Tool.ffmpeg(
      "-i", sample, "-map", "0:v", "-c:v", "libx265", "-x265-params",
      "repeat-headers=1:keyint=5:min-keyint=1:log-level=none", "-tag:v", "hev1", repeated)
    let output = try retag(repeated, "--codec-tag", "hvc1")
    #expect(try Tool.probe(output, "stream=codec_tag_string") == ["hvc1"])
    #expect(try Tool.digest(output) == Tool.digest(repeated))
    let units = try Tool.run(
      "ffmpeg",
      [
        "-v", "trace", "-i", output, "-map", "0:v", "-c", "copy", "-bsf:v", "trace_headers", "-f",
        "null", "-",
      ])
    // Only the parameter set in the sample entry is left. Those before the three key frames are
    // gone.
    let sets = units.errors.components(separatedBy: "Sequence Parameter Set").count - 1
    #expect(sets == 1)
  }

  /// Apart from its colors, a phone's clip keeps everything: its tracks of timed metadata, its edit
  /// list, its `dvvC`.
  @Test(.needsSharedMedia) func everythingElseStays() throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let output = try retag(source, "--color", "709")
    let before = try BuiltCandela.run("inspect", source).output
    let after = try BuiltCandela.run("inspect", output).output
    func others(_ text: String) -> [Substring] {
      text.split(separator: "\n").drop { !$0.hasPrefix("track") }.filter { !$0.contains("BT.") }
    }
    #expect(others(after) == others(before))
    #expect(after.contains("BT.709 (1) / BT.709 (1) / BT.709 (1)"))
  }

  /// If the program cannot change a codec's bitstream, notices name the tags in the bitstream that
  /// differ from the new ones. For some codecs, newer versions of FFmpeg believe the box instead of
  /// the bitstream. Then there is nothing to name.
  @Test(arguments: [("mpeg2video", "out.mov"), ("libvpx-vp9", "out.mp4")])
  func otherCodecs(codec: String, name: String) async throws {
    let source = folder.path("source-\(name)")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-pix_fmt", "yuv420p", "-c:v", codec,
      "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", source)
    let output = folder.path(name)
    var changes = TagChanges()
    changes.color = .hlg
    let notices = try await Retagger(changes).retag(source, to: output)
    let kept = notices.filter { $0.code == "bitstreamNotChanged" }.map { $0.arguments["field"] }
    let frame = try Tool.probe(output, "frame=color_space", options: ["-read_intervals", "%+#1"])
    #expect(
      frame.first?.hasPrefix("bt2020nc") == true
        || kept.contains("yCbCrMatrix"), "\(frame) \(notices)")
    let report = try BuiltCandela.run("inspect", output).output
    #expect(report.contains("HLG (18)"), "\(report)")
    #expect(try Tool.digest(output) == Tool.digest(source))
  }

  @Test func whatATrackHasNoPlaceForIsRefused() throws {
    let full = folder.path("444.mov")
    let prores = folder.path("prores.mov")
    for (path, options) in [
      (full, ["-pix_fmt", "yuv444p", "-c:v", "libx264"]), (prores, ["-c:v", "prores_ks"]),
    ] {
      try Tool.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.1"] + options + [path])
    }
    for (path, arguments) in [
      (full, ["--chroma-location", "left"]), (prores, ["--chroma-location", "left"]),
      (prores, ["--range", "full"]), (sample, ["--range", "none"]),
      (sample, ["--color", "1/1/0"]),
    ] {
      let outcome = try BuiltCandela.run(["retag", path, folder.path("x.mov")] + arguments)
      #expect(outcome.status == 65, "\(path) \(arguments): \(outcome.errors)")
    }
    #expect(!folder.names.contains("x.mov"))
  }

  @Test func mistakes() throws {
    func status(_ arguments: String...) throws -> Int32 {
      try BuiltCandela.run(["retag"] + arguments).status
    }
    #expect(try status(sample, folder.path("x.mov")) == 64)
    #expect(try status(sample, "--color", "709") == 64)
    #expect(try status(sample, folder.path("x.mov"), "--color", "blue") == 64)
    #expect(try status(sample, folder.path("x.mov"), "--range", "wide") == 64)
    #expect(try status(sample, folder.path("x.mov"), "--codec-tag", "avc1") == 65)
    #expect(try status(folder.path("none.mov"), folder.path("x.mov"), "--color", "709") == 66)
    let matroska = folder.path("a.mkv")
    try Tool.ffmpeg("-i", sample, "-c", "copy", matroska)
    #expect(try status(matroska, folder.path("x.mov"), "--color", "709") == 65)
    #expect(folder.names == ["a.mkv", "sample.mov"])
  }
}
