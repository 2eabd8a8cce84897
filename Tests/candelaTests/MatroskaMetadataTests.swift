// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// Matroska can state HDR metadata outside the bitstream (RFC 9559, the elements `MaxCLL`,
/// `MaxFALL` and `MasteringMetadata`; the block addition mapping of Dolby Vision). This metadata
/// counts just as much as metadata in boxes.
@Suite struct MatroskaMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func copy(_ source: String, _ name: String) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg("-i", source, "-map", "0:v", "-c", "copy", path)
    return path
  }

  private func transcode(_ source: String, _ preset: String) throws -> String {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", preset, "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// If only the container states a mastering display and light levels, the output gets them as
  /// well. The `mdcv` below (ISO/IEC 14496-12, 12.1.7) has green, blue, red and white in units of
  /// 0.00002, then 1000 and 0.005 cd/m² in units of 0.0001.
  @Test func staticMetadata() throws {
    let numbers: [UInt16] = [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450]
    let luminances: [UInt8] = [0, 0x98, 0x96, 0x80, 0, 0, 0, 50]
    let display = numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] as [UInt8] } + luminances
    let mdcv = [0, 0, 0, 32] + Array("mdcv".utf8) + display
    let clli = [0, 0, 0, 12] + Array("clli".utf8) + [0x03, 0xE8, 0x01, 0x90]
    let plain = try FileBytes.read(copy(BuiltCandela.sample(in: folder), "plain.mov"))
    let stated = try folder.write(
      SyntheticMovie.insert(clli, into: SyntheticMovie.insert(mdcv, into: plain)), to: "stated.mov")
    let matroska = try copy(stated, "stated.mkv")
    let inspected = try BuiltCandela.run("inspect", matroska)
    #expect(inspected.output.contains("masteringDisplay: 0.005…1000.0 cd/m² (container)"))
    #expect(
      inspected.output.contains("contentLightLevel: MaxCLL 1000, MaxFALL 400 cd/m² (container)"))
    let output = try BuiltCandela.run("inspect", try transcode(matroska, "hevc-match-source"))
    #expect(output.output.contains("0.005…1000.0 cd/m² (mdcv box, SEI 137"))
    #expect(output.output.contains("MaxCLL 1000, MaxFALL 400 cd/m² (clli box, SEI 144"))
  }

  /// If a phone's clip was copied to Matroska, the output still has all of its Dolby Vision, with
  /// the same level.
  @Test(.needsSharedMedia) func dolbyVisionIsCompleted() throws {
    let clip = try copy(SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"), "clip.mkv")
    let inspected = try BuiltCandela.run("inspect", clip)
    #expect(inspected.output.contains("dolbyVision: profile 8.4, level 2 (container)"))
    let output = try transcode(clip, "hevc-hlg")
    let validated = try BuiltCandela.run("validate", output, "--all")
    #expect(validated.status == 0, "\(validated.output)")
    #expect(validated.output.contains("dvvC, profile 8.4, level 2"))
  }

  /// Profile 5 in Matroska is also reshaped by its RPUs.
  @Test(.needsSharedMedia) func profile5IsReshaped() throws {
    let clip = try copy(SharedMedia.path("hdr/androidx__dvhe_05_05.mp4"), "clip.mkv")
    let plan = try BuiltCandela.run("plan", clip, "--json")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(
      try plan.notices().arguments("baseLayerReshaped")
        == ["dolbyVision": "Dolby Vision profile 5, level 5"])
  }
}
