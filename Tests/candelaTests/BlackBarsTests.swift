// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Black bars are found and cut off, and samples are made square.
@Suite struct BlackBarsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func movie(_ name: String, _ filter: String, _ options: String...) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=160x64:r=25:d=3", "-vf", filter, "-pix_fmt", "yuv420p"]
        + options + ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", path])
    return path
  }

  private func transcode(
    _ input: String, _ changes: String...
  ) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path("out.mov")
    let all =
      ["video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}"] + changes
    let result = try BuiltCandela.transcode(
      [input, output, "--overwrite", "--preset", "h264-sdr"] + all.flatMap { ["--set", $0] })
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  /// Bars are cut off despite fades from and to black, with and without sync samples between the
  /// fades.
  @Test(arguments: ["6", "250"].shortened(to: 1)) func barsAreCutOff(interval: String) throws {
    let input = try movie(
      "bars.mp4", "fade=in:0:20,fade=out:55:20,pad=160:96:0:16:black", "-g", interval)
    let (path, notices) = try transcode(input, "video.crop=auto")
    let found = try #require(notices.arguments("barsCropped"), "\(notices)")
    #expect(found == ["x": "0", "y": "16", "width": "160", "height": "64"])
    #expect(
      try Tool.frameDigests(path, format: "yuv420p")
        == Tool.frameDigests(input, format: "yuv420p", filter: "crop=160:64:0:16"))
    let plan = try BuiltCandela.run("plan", input, "--set", "video.crop=auto").output
    #expect(plan.contains("crop       160×64 at 0, 16"), "\(plan)")
  }

  /// If something lights up a part of a bar in some frames, that part is not cut off.
  @Test func subtitlesAndLogosStay() throws {
    let title = "drawbox=x=40:y=84:w=60:h=6:color=white:t=fill:enable='between(n,30,50)'"
    let input = try movie("title.mp4", "pad=160:96:0:16:black,\(title)", "-g", "6")
    let (_, notices) = try transcode(input, "video.crop=auto")
    let found = try #require(notices.arguments("barsCropped"), "\(notices)")
    #expect(found["y"] == "16" && found["height"] == "74", "\(found)")
  }

  /// Nothing is cut off if there is only a logo on black, if everything is black, or if the frame
  /// has no bars.
  @Test(
    arguments: [
      "drawbox=c=black:t=fill,drawbox=x=140:y=4:w=12:h=6:color=white:t=fill",
      "drawbox=c=black:t=fill",
      "null",
    ].shortened(to: 2))
  func nothingIsCutOffWithoutEvidence(filter: String) throws {
    let input = try movie("none.mp4", filter)
    let (path, notices) = try transcode(input, "video.crop=auto")
    #expect(notices.codes.contains("barsNotFound"), "\(notices)")
    #expect(try Tool.probe(path, "stream=width,height") == ["160,64"])
  }

  /// Cutting off bars, turning the frame, square samples and a size can be combined.
  @Test func shapesCombine() throws {
    let input = try movie("all.mp4", "pad=160:96:0:16:black,setsar=4/3", "-g", "6")
    var data = try Data(contentsOf: URL(fileURLWithPath: input))
    let header = try #require(data.range(of: Data("tkhd".utf8))).upperBound
    let turn: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
    data.replaceSubrange(header + 40..<header + 60, with: turn)
    try data.write(to: URL(fileURLWithPath: input))
    // Turned on its side, 160×64 with 4:3 samples is 64×160 with 3:4 samples.
    let (turned, _) = try transcode(input, "video.crop=auto", "video.rotation=apply")
    #expect(try Tool.probe(turned, "stream=width,height,sample_aspect_ratio") == ["64,160,3:4"])
    #expect(
      try Tool.frameDigests(turned, format: "yuv420p")
        == Tool.frameDigests(
          input, format: "yuv420p", filter: "crop=160:64:0:16,transpose=clock"))
    let (square, _) = try transcode(
      input, "video.crop=auto", "video.rotation=apply", "video.pixelAspect=square")
    #expect(try Tool.probe(square, "stream=width,height,sample_aspect_ratio") == ["64,214,1:1"])
    let (small, _) = try transcode(
      input, "video.crop=auto", "video.rotation=apply", "video.pixelAspect=square",
      "video.height=106")
    #expect(try Tool.probe(small, "stream=width,height,sample_aspect_ratio") == ["32,106,1:1"])
  }

  /// When samples are made square, one side of the frame grows and the other stays.
  @Test(
    arguments: [("16/15", "170,64"), ("8/9", "160,72"), ("1", "160,64"), ("0", "160,64")].shortened(
      to: 2))
  func samplesBecomeSquare(ratio: String, size: String) throws {
    let input = try movie("sar.mp4", "setsar=\(ratio)")
    let (path, _) = try transcode(input, "video.pixelAspect=square")
    #expect(try Tool.probe(path, "stream=width,height,sample_aspect_ratio") == ["\(size),1:1"])
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let pasp = try #require(data.range(of: Data("pasp".utf8), options: .backwards)).upperBound
    #expect(Array(data[pasp..<pasp + 8]) == [0, 0, 0, 1, 0, 0, 0, 1])
    let (kept, _) = try transcode(input)
    #expect(try Tool.probe(kept, "stream=width,height").first == "160,64")
  }

  /// RPUs are kept if only bars are cut off, and their active area moves with the frames. Metadata
  /// that was measured in every pixel of a frame would no longer be true, so it is not carried
  /// over.
  @Test(.needsSharedMedia) func dolbyVisionFollows() throws {
    let (bars, plain, rpus) = (folder.path("dv.mov"), folder.path("pq.mov"), folder.path("r.bin"))
    let color = "colorprim=9:transfer=16:colormatrix=9:hdr10=1:max-cll=1000,400"
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=160x64:r=25:d=0.4", "-vf", "pad=160:96:0:16:black",
      "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "log-level=error:crf=12:\(color)", "-tag:v", "hvc1", "-color_primaries", "bt2020",
      "-color_trc", "smpte2084", "-colorspace", "bt2020nc", plain,
    ])
    let rpu = try SharedMedia.bytes("rpu/profile8.bin")
    try Data((0..<10).flatMap { _ in rpu }).write(to: URL(fileURLWithPath: rpus))
    #expect(try BuiltCandela.run("rpu", "inject", plain, rpus, bars).status == 0)
    let output = folder.path("cut.mov")
    let result = try BuiltCandela.transcode([
      bars, output, "--set", "video.crop=auto", "--set",
      "video.compressionProperties.speed=ultrafast",
    ])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    #expect(try Tool.probe(output, "stream=width,height").first?.hasPrefix("160,64") == true)
    #expect(
      result.notices.arguments("metadataNotCarried")?["metadata"] == "contentLightLevel")
    let shown = try BuiltCandela.run("rpu", "show", output, "--frame", "3").words
    #expect(shown.contains("avgPQ 819"), "\(shown)")
    // MaxFALL was a mean over the bars, too, so level 6 no longer states it.
    #expect(shown.contains("maxContentLightLevel 0, maxFrameAverageLightLevel 0"), "\(shown)")
    #expect(try BuiltCandela.run("validate", output).status == 0)
  }

  /// If a phone clip was padded with bars, its RPUs tell where the bars are. When the frames are
  /// turned, so is the area that the RPUs state.
  @Test(.needsSharedMedia) func activeAreasAreEvidenceAndTurn() throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let layout = #"{"scale": {"width": 90, "height": 160}, "pad": {"width": 90, "height": 200}}"#
    func make(_ input: String, _ name: String, _ changes: String...) throws -> (String, String) {
      let output = folder.path(name)
      let all = changes + ["video.compressionProperties.speed=ultrafast"]
      let result = try BuiltCandela.transcode([input, output] + all.flatMap { ["--set", $0] })
      #expect(result.outcome.status == 0, "\(result.outcome.errors)")
      return (output, try BuiltCandela.run("rpu", "show", output, "--frame", "1").words)
    }
    let (bars, area) = try make(source, "bars.mov", "video.composition=\(layout)")
    #expect(area.contains("LeftOffset 20, activeAreaRightOffset 20, activeAreaTopOffset 0"))
    let plan = try BuiltCandela.run("plan", bars, "--set", "video.crop=auto").output
    #expect(plan.contains("Dolby Vision states 160×90 at 20, 0"), "\(plan)")
    let (_, turned) = try make(bars, "turned.mov", "video.rotation=apply")
    #expect(
      turned.contains("RightOffset 0, activeAreaTopOffset 20, activeAreaBottomOffset 20"),
      "\(turned)")
    let (cut, none) = try make(bars, "cut.mov", "video.rotation=apply", "video.crop=auto")
    #expect(try Tool.probe(cut, "stream=width,height").first?.hasPrefix("90,160") == true)
    #expect(none.contains("activeAreaTopOffset 0, activeAreaBottomOffset 0"), "\(none)")
    // The area may grow at any frame, also where decoding cannot begin.
    let units = try [(bars, "bars.bin"), (cut, "whole.bin")].map { input, name in
      let path = folder.path(name)
      #expect(try BuiltCandela.run("rpu", "extract", input, path).status == 0)
      return ByteStream.units(try FileBytes.read(path))
    }
    let mixed = try folder.write(
      ByteStream.joined(units[0].dropLast() + units[1].suffix(1)), to: "mixed.bin")
    let growing = folder.path("growing.mov")
    #expect(try BuiltCandela.run("rpu", "inject", bars, mixed, growing).status == 0)
    let grown = try BuiltCandela.run("plan", growing, "--set", "video.crop=auto").output
    #expect(grown.contains("no black bars"), "\(grown)")
  }

  @Test func twoCropsAreRefused() throws {
    let crop = #"video.composition={"crop": {"width": 32, "height": 32}}"#
    let result = try BuiltCandela.run(
      "plan", folder.path("none.mov"), "--set", "video.crop=auto", "--set", crop)
    #expect(result.status == 64 && result.errors.contains("video.crop"), "\(result)")
  }

  /// Copied samples keep their shape, and a notice says so.
  @Test func copiesSayWhatTheyDoNotDo() throws {
    let input = try movie("copy.mp4", "null")
    let plan = try BuiltCandela.run(
      "plan", input, "--set", "video.codec=passthrough", "--set", "video.crop=auto", "--set",
      "video.frameRate=25", "--json"
    ).notices()
    #expect(plan.codes.contains("settingHasNoEffect"), "\(plan)")
  }
}
