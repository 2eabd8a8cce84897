// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If a track's matrix is applied to the samples, everything else that depends on the orientation
/// turns with them.
@Suite struct RotationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie in a pixel format, of 96×64 unless a filter is given. `turn` contains the
  /// numbers a, b, c and d of the matrix in `tkhd`, which turns the frames for display.
  private func movie(
    _ format: String, _ turn: [Int32], filter: String = "null"
  ) throws -> String {
    let path = folder.path("\(format)-\(turn.map(String.init).joined(separator: "_")).mov")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.12", "-vf",
      "format=\(format),\(filter == "null" ? "crop=96:64:0:0" : filter)", "-c:v", "libx264",
      "-preset", "ultrafast", "-qp", "0", path,
    ])
    let turned = try SyntheticMovie.turn(FileBytes.read(path), by: turn.map { Int($0) })
    try Data(turned).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func transcode(
    _ input: String, _ name: String, _ changes: String...
  ) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path(name)
    let set = (changes + ["video.rotation=apply", "video.compressionProperties.speed=ultrafast"])
      .flatMap { ["--set", $0] }
    let result = try BuiltCandela.transcode(
      [input, output, "--preset", "hevc-match-source"] + set)
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private static let lossless = "video.compressionProperties={\"lossless\": true}"

  /// Every sample is where ffmpeg's filters put it, and the stated chroma location is the true one.
  @Test(
    arguments: [
      ([0, 1, -1, 0], "transpose=clock", "top"), ([0, -1, 1, 0], "transpose=cclock", "bottom"),
      ([0, 1, 1, 0], "transpose=cclock_flip", "top"), ([1, 0, 0, -1], "vflip", "left"),
    ].shortened(to: 2))
  func samplesAreTurnedExactly(turn: [Int32], filter: String, location: String) throws {
    for format in ["yuv420p", "yuv420p10le", "yuv444p"] {
      let input = try movie(format, turn)
      let depth = format.contains("10") ? "x" : ""
      let wanted = format.contains("444") ? "444v" : depth.isEmpty ? "420v" : "x420"
      let (path, _) = try transcode(
        input, "turned-\(format).mov", Self.lossless, "video.pixelFormat=\(wanted)")
      #expect(
        try Tool.frameDigests(path, format: format)
          == Tool.frameDigests(input, format: format, filter: filter), "\(format)")
      let size = turn[0] == 0 ? "64,96" : "96,64"
      let probed = try Tool.probe(path, "stream=width,height,chroma_location")
      #expect(probed.first?.hasPrefix(size) == true)
      if !format.contains("444") { #expect(probed.first?.hasSuffix(location) == true, "\(probed)") }
      #expect(
        try !Tool.run("ffprobe", ["-v", "error", "-show_streams", path]).output.contains("rotation")
      )
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// Luma samples are only moved. Chroma is resampled if no code point could state its new
  /// location.
  @Test(
    arguments: [
      ("yuv420p", [-1, 0, 0, -1], "hflip,vflip", "420v"),
      ("yuv422p", [0, 1, -1, 0], "transpose=clock", "422v"),
      ("yuv420p", [-1, 0, 0, 1], "hflip", "420v"),
    ].shortened(to: 2))
  func chromaIsResampledWhereItMust(
    format: String, turn: [Int32], filter: String, wanted: String
  ) throws {
    let input = try movie(format, turn, filter: "crop=96:64:0:0,gblur=sigma=6")
    let (path, _) = try transcode(
      input, "resampled.mov", Self.lossless, "video.pixelFormat=\(wanted)")
    #expect(
      try Tool.frameDigests(path, format: "gray")
        == Tool.frameDigests(input, format: "gray", filter: filter))
    let (made, other) = (
      try Tool.picture(path, format: "rgb24"),
      try Tool.picture(input, format: "rgb24", filter: filter)
    )
    let mean = zip(made, other).map { abs(Double($0) - Double($1)) }.reduce(0, +)
    // ffmpeg leaves chroma displaced by one luma sample, so the colors differ a little.
    #expect(made.count == other.count && mean / Double(made.count) < 3, "\(mean)")
  }

  /// Sizes and compositions refer to the frame as people see it.
  @Test func sizesAreThoseThatPeopleSee() throws {
    let input = try movie("yuv420p", [0, 1, -1, 0])
    let (path, _) = try transcode(
      input, "small.mov", "video.width=32", "video.height=32", "video.scalingMode=resizeAspectFill")
    #expect(try Tool.probe(path, "stream=width,height") == ["32,32"])
    let crop = #"video.composition={"crop": {"x": 0, "y": 0, "width": 64, "height": 32}}"#
    let (top, _) = try transcode(input, "top.mov", Self.lossless, crop)
    #expect(
      try Tool.frameDigests(top, format: "yuv420p")
        == Tool.frameDigests(input, format: "yuv420p", filter: "transpose=clock,crop=64:32:0:0"))
  }

  /// Odd sides turn with the frame. If the output cannot keep an odd side, a notice says that it is
  /// cut.
  @Test func oddSidesAndAperturesTurn() throws {
    let input = try movie("yuv444p", [0, 1, -1, 0], filter: "crop=97:65:0:0:exact=1")
    let (path, _) = try transcode(input, "odd.mov", Self.lossless, "video.pixelFormat=444v")
    #expect(
      try Tool.frameDigests(path, format: "yuv444p")
        == Tool.frameDigests(input, format: "yuv444p", filter: "transpose=clock"))
    let (cut, notices) = try transcode(input, "cut.mov")
    #expect(try Tool.probe(cut, "stream=width,height") == ["64,96"])
    #expect(notices.codes.contains("oddSideCut"), "\(notices)")
  }

  @Test func otherMatricesAreKeptByName() throws {
    let input = try movie("yuv420p", [2, 0, 0, 2])
    let (path, notices) = try transcode(input, "scaled.mov")
    #expect(notices.codes.contains("rotationNotApplied"), "\(notices)")
    #expect(try BuiltCandela.run("inspect", path).output.contains("shown transformed"))
  }

  /// Interlaced frames cannot be laid on their side, because the rows of fields cannot become
  /// columns.
  @Test(.needsSharedMedia) func fieldsAreNotLaidOnTheirSide() throws {
    let dv = SharedMedia.path("sdr/format-corpus__dv-pal-interlaced.mov")
    var data = try Data(contentsOf: URL(fileURLWithPath: dv))
    let header = try #require(data.range(of: Data("tkhd".utf8))).upperBound
    let turn: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
    data.replaceSubrange(header + 40..<header + 60, with: turn)
    let input = folder.path("dv.mov")
    try data.write(to: URL(fileURLWithPath: input))
    let plan = try BuiltCandela.run(
      "plan", input, "--preset", "hevc-match-source", "--set", "video.rotation=apply")
    #expect(plan.status == 65 && plan.errors.contains("video.deinterlace"), "\(plan)")
    let (path, _) = try transcode(
      input, "whole.mov", "video.deinterlace=auto", "video.pixelAspect=square")
    #expect(try Tool.probe(path, "stream=width,height,sample_aspect_ratio") == ["576,786,1:1"])
  }

  /// If a phone's clip is turned, its RPUs stay the same, and no other metadata of its frames is
  /// lost.
  @Test(.needsSharedMedia) func phoneClipsKeepTheirRPUs() throws {
    let input = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let (path, notices) = try transcode(input, "phone.mov")
    #expect(try Tool.probe(path, "stream=width,height") == ["720,1280"])
    let (mine, theirs) = (folder.path("mine.bin"), folder.path("theirs.bin"))
    #expect(try BuiltCandela.run("rpu", "extract", path, mine, "--presented").status == 0)
    #expect(try BuiltCandela.run("rpu", "extract", input, theirs, "--presented").status == 0)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: mine))
        == Data(contentsOf: URL(fileURLWithPath: theirs)))
    #expect(!notices.codes.contains("metadataNotCarried"), "\(notices)")
    #expect(try BuiltCandela.run("validate", path).status == 0)
  }

  /// Errors about a composition give sizes as people see them, just as the composition does.
  @Test(arguments: [
    (
      #"{"crop": {"width": 96, "height": 20, "x": 0, "y": 2}}"#,
      "crop is not inside the frame of 64×96"
    ),
    (
      #"{"pad": {"width": 70, "height": 90}}"#,
      "pad is 70×90, smaller than the 64×96 frame placed on it"
    ),
  ])
  func sizesAreThoseThatPeopleSee(composition: String, message: String) throws {
    let input = try movie("yuv420p", [0, 1, -1, 0])
    let outcome = try BuiltCandela.run("plan", input, "--set", "video.composition=\(composition)")
    #expect(outcome.status != 0 && outcome.errors.contains(message), "\(outcome.errors)")
  }
}
