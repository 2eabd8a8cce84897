// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Shipped presets also work well with sources that are unlike the presets' outputs.
@Suite struct ShippedPresetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome
  }

  /// Makes a movie of 10 frames with ffmpeg.
  private func movie(_ name: String, _ options: String...) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.4"] + options + [path])
    return path
  }

  /// With these presets, outputs that are named after the source are MP4. If the user names the
  /// output, the suffix of that name decides.
  @Test(arguments: ["h264-sdr", "h264-1080p"].shortened(to: 1))
  func containersAreOfNames(preset: String) throws {
    let source = try BuiltCandela.sample(in: folder)
    #expect(try run("plan", source, "-p", preset).output.contains("sample.mov → .mp4"))
    #expect(
      try run("plan", source, folder.path("a.mov"), "-p", preset).output.contains("→ .mov"))
    _ = try run("transcode", source, "--into", folder.path("out"), "-p", preset, "-q")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/sample.mp4")))
    _ = try run("transcode", source, folder.path("b.mov"), "-p", preset, "-q")
    #expect(try Tool.probe(folder.path("b.mov"), "format_tags=major_brand") != [])
    let head = try FileBytes.read(folder.path("b.mov")).prefix(12).suffix(4)
    #expect(Array(head) == Array("qt  ".utf8))
  }

  @Test func theRangeIsLimited() throws {
    let source = try movie(
      "full.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuvj420p")
    for preset in ["h264-sdr", "h264-1080p"] {
      let output = folder.path("\(preset).mp4")
      _ = try run("transcode", source, output, "-p", preset, "-q")
      #expect(try Tool.probe(output, "stream=pix_fmt,color_range") == ["yuv420p,tv"])
    }
    // A pixel format that is set on top of the preset states the range itself.
    let output = folder.path("kept.mp4")
    _ = try run(
      "transcode", source, output, "-p", "h264-sdr", "-q", "--set", "pixelFormat=420f")
    #expect(try Tool.probe(output, "stream=color_range") == ["pc"])
  }

  @Test(
    arguments: [
      ("yuv422p10le", ["-c:v", "prores_ks"], "yuv422p10le"),
      ("yuv422p", ["-c:v", "ffv1"], "yuv422p"),
    ].shortened(to: 1))
  func matchSourceKeepsItsChroma(format: String, codec: [String], kept: String) throws {
    let source = folder.path("source.mov")
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.4", "-pix_fmt", format] + codec
        + ["-strict", "-2", source])
    let output = folder.path("out.mov")
    _ = try run("transcode", source, output, "-q")
    #expect(
      try Tool.probe(output, "stream=codec_name,profile,pix_fmt") == ["hevc,Rext,\(kept)"])
    #expect(try run("validate", output).status == 0)
    let plan = try run("plan", source).output
    #expect(plan.contains("; chroma stays 4:2:2;"), "\(plan)")
    let reduced = try run("plan", source, "-p", "h264-sdr").output
    #expect(reduced.contains("; 4:2:2 chroma becomes 4:2:0;"), "\(reduced)")
    let stated = try run("plan", source, "--set", "profileLevel=HEVC_Main10_AutoLevel").output
    #expect(stated.contains("becomes 4:2:0"), "\(stated)")
  }

  /// Plans do not mention 4:2:0 that stays 4:2:0.
  @Test func usualChromaIsNotTold() throws {
    let plan = try run("plan", try BuiltCandela.sample(in: folder)).output
    #expect(!plan.contains("chroma stays") && !plan.contains("chroma of"))
  }

  /// HLG that is made from PQ or SDR states an ambient viewing environment, because without one,
  /// Apple's players show HLG too bright.
  @Test(arguments: ["smpte2084", "bt709"].shortened(to: 1))
  func madeHLGStatesItsSurroundings(transfer: String) throws {
    let source = try movie(
      "source.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
      "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc")
    let output = folder.path("out.mov")
    _ = try run("transcode", source, output, "-p", "hevc-hlg", "-q")
    let validated = try BuiltCandela.run("validate", output)
    #expect(validated.status == 0 && !validated.output.contains("too bright"))
    let values: [UInt8] = [0, 0x2F, 0xE9, 0xA0, 0x3D, 0x13, 0x40, 0x42]
    let data = Data(try FileBytes.read(output))
    #expect(data.range(of: Data("amve".utf8) + values) != nil)
    #expect(data.range(of: Data([0x94, 8]) + values) != nil)
    #expect(
      try run("plan", source, output, "-p", "hevc-hlg", "--json").notices().codes
        .contains("ambientLightAssumed"))
    let none = try run(
      "plan", source, "-p", "hevc-hlg", "--json", "--set", "hdrMetadataInsertionMode=none")
    #expect(try !none.notices().codes.contains("ambientLightAssumed"))
  }

  /// One name has one meaning wherever colors are named.
  @Test func namesOfColorsAreTheSameEverywhere() throws {
    let source = try movie(
      "source.mov", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
    for (name, numbers) in [("display-p3", "12,13,1"), ("p3", "12,1,1"), ("hdr10", "9,16,9")] {
      let output = folder.path("\(name).mov")
      _ = try run("retag", source, output, "--color", name)
      let entries = "stream=color_space,color_transfer,color_primaries"
      let stated = try #require(try Tool.probe(output, entries).first)
      let words = ["display-p3": "bt709,iec61966-2-1,smpte432", "p3": "bt709,bt709,smpte432"]
      #expect(stated == words[name] ?? "bt2020nc,smpte2084,bt2020")
      let plan = try run("plan", source, "--source-color", name).output
      #expect(plan.contains("nclc \(numbers.replacing(",", with: "/"))"), "\(plan)")
      let set = try run("plan", source, "--set", "colorProperties=\(name)").output
      #expect(set.contains("nclc \(numbers.replacing(",", with: "/"))"), "\(set)")
    }
    for (name, transfer) in [("display-p3", "iec61966-2-1"), ("p3", "bt709")] {
      let still = folder.path("\(name).avif")
      _ = try run("still", source, still, "--color", name)
      #expect(
        try Tool.probe(still, "stream=color_transfer,color_primaries") == ["\(transfer),smpte432"])
    }
  }

  /// If x265's options ask for metadata that a preset key states, the error names that key.
  @Test func metadataOfEncodersIsStatedOtherwise() throws {
    let source = try movie(
      "source.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc")
    let plan = try BuiltCandela.run(
      "plan", source, "--set", "encoderOptions.master-display=G(8500,39850)")
    #expect(plan.status == 64)
    #expect(plan.errors.contains("--set video.masteringDisplay="), "\(plan.errors)")
  }
}
