// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Animated images are read with their times. Still images are refused, and the error says that
/// they are still images.
@Suite struct StillSourcesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["gif", "apng"]) func animatedImages(type: String) throws {
    let source = folder.path("moving.\(type)")
    // Every third frame is left out, so that times are uneven.
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=1", "-vf",
      "select=mod(n\\,3)-1,format=rgb24", "-vsync", "vfr", "-f", type, source)
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run("transcode", source, output, "--preset", "h264-sdr")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let times = try Tool.probe(output, "packet=pts_time").compactMap { Double($0) }.sorted()
    #expect(times.count == 7, "\(times)")
    #expect(abs((times.dropFirst().first ?? 0) - 0.2) < 0.011, "\(times)")
  }

  @Test(arguments: ["gif", "apng"]) func oneFrameIsAStill(type: String) throws {
    let source = folder.path("one.\(type)")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x64", "-vframes", "1", "-f", type, source)
    let plan = try BuiltCandela.run("plan", source)
    #expect(plan.status == 65 && plan.errors.contains("is a still image"), "\(plan.errors)")
  }

  @Test(arguments: ["out.png", "out.jpg", "out.webp", "out.avif"]) func stills(name: String) throws
  {
    let image = folder.path(name)
    #expect(try BuiltCandela.run("still", try BuiltCandela.sample(in: folder), image).status == 0)
    // AVIF images consist of boxes, in which retagging would look for a movie.
    let retag = name.hasSuffix("avif") ? [["retag", "--in-place", "--color", "p3"]] : []
    for command in [["plan"], ["inspect"]] + retag {
      let outcome = try BuiltCandela.run(command + [image])
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("is a still image"), "\(command): \(outcome.errors)")
      #expect(!outcome.errors.contains("damaged"), "\(outcome.errors)")
    }
  }

  /// A bare bitstream of MPEG-4 Visual can be transcoded, and its frames keep their times.
  @Test func bareMPEG4() throws {
    let source = folder.path("bare.m4v")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "mpeg4", "-f", "m4v", source)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("transcode", source, output, "--preset", "h264-sdr")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("made up"), "\(outcome.errors)")
    #expect(try Tool.probe(output, "stream=nb_frames") == ["10"])
  }
}
