// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// A copy states the same color as its source, wherever the copy's container has a place for it.
@Suite struct CopiedColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a Matroska file with some color tags.
  private func source(_ codec: String, _ color: [String]) throws -> String {
    let path = folder.path("source.mkv")
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2,format=yuv420p", "-c:v", codec]
        + color + [path])
    return path
  }

  private func copy(_ input: String, _ name: String) throws -> (path: String, errors: String) {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      "transcode", input, output, "--codec", "passthrough", "--overwrite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return (output, outcome.errors)
  }

  private func signal(_ path: String) throws -> [String] {
    let report = try BuiltCandela.run("inspect", path)
    let line = report.output.split(separator: "\n").first { $0.contains("  color ") }
    return try #require(line).split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// If only the container states the range, a copy states it, too. In MOV and MP4, parameter sets
  /// state it: QuickTime's `colr` has no place for it, and many decoders ignore MP4's `colr`.
  @Test(arguments: ["mov", "mp4", "mkv"].shortened(to: 2))
  func aRangeOfTheContainerAlone(type: String) throws {
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2,format=yuv420p", "-c:v", "libx264",
      "-color_range", "tv", folder.path("limited.mkv"))
    var bytes = try FileBytes.read(folder.path("limited.mkv"))
    let range = try #require(bytes.firstRange(of: [0x55, 0xB9, 0x81, 0x01]))
    bytes[range.upperBound - 1] = 2
    let tagged = try folder.write(bytes, to: "tagged.mkv")
    let before = try signal(tagged)
    try #require(before.contains("full range"), "\(before)")
    let output = try copy(tagged, "out.\(type)").path
    let after = try signal(output)
    #expect(after.contains("full range"), "\(after)")
    // FFmpeg's decoders believe the parameter sets, and a copy into Matroska does not change them.
    if type != "mkv" { #expect(try Tool.probe(output, "stream=color_range") == ["pc"]) }
    #expect(try Tool.digest(output) == Tool.digest(folder.path("limited.mkv")))
  }

  @Test(
    arguments: [
      ["-color_primaries", "smpte432", "-color_trc", "iec61966-2-1", "-colorspace", "bt709"],
      ["-color_primaries", "smpte432"], ["-colorspace", "bt2020nc", "-color_primaries", "bt2020"],
    ].shortened(to: 1))
  func whatMatroskaStatesOfVP9(color: [String]) throws {
    let source = try source("libvpx-vp9", color + ["-color_range", "pc"])
    let before = try signal(source)
    #expect(before.contains("full range"), "\(before)")
    let output = try copy(source, "out.mp4").path
    #expect(try signal(output) == before)
  }

  /// Movies have no box for a chroma location, and samples of these codecs have no place for it. So
  /// the plan of a movie says that it is lost. Matroska keeps it.
  @Test(
    arguments: [("ffv1", "mov"), ("libvpx-vp9", "mp4"), ("mjpeg", "mkv"), ("ffv1", "mkv")]
      .shortened(to: 2))
  func aChromaLocationWithoutAPlaceIsNamed(codec: String, type: String) throws {
    let source = try source(codec, ["-chroma_sample_location", "topleft"])
    let before = try signal(source)
    try #require(before.contains("chroma topLeft (2)"), "\(before)")
    let output = try copy(source, "out.\(type)")
    let code = "chromaLocationNotCarried"
    let plan = try BuiltCandela.run(
      "plan", source, folder.path("plan.\(type)"), "--codec", "passthrough", "--json")
    #expect(try plan.notices().codes.contains(code) == (type != "mkv"), "\(plan.output)")
    let after = try signal(output.path)
    #expect(after.contains("chroma topLeft (2)") == (type == "mkv"), "\(after)")
    let compared = try BuiltCandela.run("compare", source, output.path).output
    #expect(compared.contains("LOST       chromaLocation") == (type != "mkv"), "\(compared)")
  }

  /// Nothing is said if the chroma location is left, which players assume, or if the codec's own
  /// frames state it.
  @Test(
    arguments: [("ffv1", "left"), ("mjpeg", "center"), ("libx264", "topleft")].shortened(to: 1))
  func noOtherChromaLocationIsNamed(codec: String, location: String) throws {
    let source = try source(codec, ["-chroma_sample_location", location])
    let output = try copy(source, "out.mov")
    #expect(!output.errors.contains("chroma"), "\(output.errors)")
    guard codec != "ffv1" else { return }
    let (before, after) = try (signal(source), signal(output.path))
    #expect(after.last == before.last)
  }

  /// Neither FFV1 nor QuickTime has a place for the range, so the plan says that it is lost.
  @Test func aRangeWithoutAPlaceIsNamed() throws {
    let source = try source("ffv1", ["-color_range", "pc"])
    let plan = try BuiltCandela.run(
      "plan", source, folder.path("out.mov"), "--codec", "passthrough", "--json")
    #expect(try plan.notices().codes.contains("rangeNotCarried"), "\(plan.output)\(plan.errors)")
  }
}
