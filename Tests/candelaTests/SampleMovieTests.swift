// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// The generated movie has the right content, and commands work with it. These tests need no other
/// file.
@Suite struct SampleMovieTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try folder.write(Self.made.get(), to: "sample.mov")
  }

  private static let made = Result {
    let folder = try TemporaryFolder()
    let path = folder.path("sample.mov")
    let outcome = try BuiltCandela.run("sample", path, "--size", "480x270", "--seconds", "1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try FileBytes.read(path)
  }

  private func transcode(_ name: String, _ arguments: String...) throws -> String {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(["transcode", sample, output] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  @Test func itIsHLGMain10WithATone() throws {
    let probe = try Tool.probe(
      sample, "stream=codec_tag_string,profile,pix_fmt,color_transfer,chroma_location,nb_frames")
    #expect(probe == ["Main 10,hvc1,yuv420p10le,arib-std-b67,topleft,30"])
    #expect(try Tool.probe(sample, "stream=codec_name,sample_rate", stream: "a:0") == ["aac,48000"])
    let levels = try Tool.run(
      "ffmpeg", ["-i", sample, "-af", "volumedetect", "-vn", "-f", "null", "-"])
    // A sine with a peak of −18 dB has a root mean square of −21 dB.
    #expect(levels.errors.contains("mean_volume: -21."))
  }

  /// 75% white, 75% green and 40% gray have the code values of Y', Cb and Cr that BT.2111 demands.
  @Test func itsBarsHaveTheValuesOfBT2111() throws {
    let picture = try Tool.picture(sample, format: "yuv420p10le")
    func value(_ plane: Int, _ x: Int, _ y: Int) -> Int {
      let base = plane == 0 ? 0 : (480 * 270 + (plane - 1) * 240 * 135) * 2
      let place = base + (y * (plane == 0 ? 480 : 240) + x) * 2
      return Int(picture[place]) | Int(picture[place + 1]) << 8
    }
    func pixel(_ x: Int, _ y: Int) -> [Int] {
      [value(0, x, y), value(1, x / 2, y / 2), value(2, x / 2, y / 2)]
    }
    func expect(_ found: [Int], _ wanted: [Int], _ name: String) {
      for (a, b) in zip(found, wanted) { #expect(abs(a - b) <= 3, "\(name): \(found)") }
    }
    expect(pixel(86, 90), [721, 512, 512], "75% white")
    // Green has Y', Cb and Cr of 0.678, −0.3604 and −0.4598, here times 0.75.
    expect(pixel(240, 90), [509, 270, 203], "75% green")
    expect(pixel(20, 90), [414, 512, 512], "40% gray")
  }

  @Test func somethingMoves() throws {
    let digests = try Tool.frameDigests(sample, format: "yuv420p10le")
    #expect(Set(digests).count == 30)
  }

  @Test func everyPresetMakesWhatItPromises() throws {
    for (preset, expected) in [
      ("hevc-hlg", "hvc1,yuv420p10le,tv,bt2020nc,arib-std-b67,bt2020"),
      ("hevc-match-source", "hvc1,yuv420p10le,tv,bt2020nc,arib-std-b67,bt2020"),
      ("hevc-pq", "hvc1,yuv420p10le,tv,bt2020nc,smpte2084,bt2020"),
      ("hevc-p3", "hvc1,yuv420p10le,tv,bt709,bt709,smpte432"),
      ("hevc-sdr", "hvc1,yuv420p10le,tv,bt709,bt709,bt709"),
      ("h264-sdr", "avc1,yuv420p,tv,bt709,bt709,bt709"),
      ("h264-1080p", "avc1,yuv420p,tv,bt709,bt709,bt709"),
    ] {
      let output = try transcode("\(preset).mp4", "--preset", preset, "--to", "0.2")
      let probe = try Tool.probe(
        output,
        "stream=codec_tag_string,pix_fmt,color_range,color_space,color_transfer,color_primaries")
      #expect(probe == [expected], "\(preset)")
    }
  }

  /// Lossless H.264 shows what the color conversion makes of 75% HLG white: an 8-bit gray of 213.
  /// This is the value if one curve serves the whole clip. With a curve for each shot, the 100%
  /// bars would count as highlights, and the curve would darken 75% white to make room for them.
  @Test func diffuseWhiteOfTheBarsInSDR() throws {
    let output = try transcode(
      "out.mp4", "--preset", "h264-sdr", "--set", "video.compressionProperties.lossless=true",
      "--set", "video.conversion.shots=off")
    #expect(try Tool.probe(output, "stream=profile") == ["High 4:4:4 Predictive"])
    let picture = try Tool.picture(output, format: "yuv420p")
    let luma = (80..<92).map { Int(picture[90 * 480 + $0]) }
    #expect(luma.allSatisfy { abs($0 - 213) <= 1 }, "\(luma)")
    let chroma = Int(picture[480 * 270 + 45 * 240 + 43])
    #expect(abs(chroma - 128) <= 1)
  }

  @Test func aPresetOfOnesOwnWithChangesOnTop() throws {
    let preset = try folder.write(
      """
      {"name": "mine", "video": {"codec": "hevc", "height": 136,
        "compressionProperties": {"constantRateFactor": 30, "speed": "ultrafast"}}}
      """, to: "mine.json")
    let output = folder.path("mine.mov")
    let outcome = try BuiltCandela.run(
      "transcode", sample, output, "--preset", preset, "--verbose",
      "--set", "video.compressionProperties.constantRateFactor=20")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("asked for: preset=ultrafast crf=20.0"))
    #expect(outcome.errors.contains("uses: crf=20.0"))
    #expect(try Tool.probe(output, "stream=width,height") == ["242,136"])
    #expect(try BuiltCandela.run("presets", "validate", preset).status == 0)
  }

  @Test func progressAsJSONAndNone() throws {
    let json = try BuiltCandela.run(
      "transcode", sample, folder.path("a.mov"), "--progress", "json")
    // Programs parse every line of the progress.
    let objects = try json.errors.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let done = try #require(objects.last?["done"] as? [String: Any])
    #expect(done["output"] as? String == folder.path("a.mov"))
    #expect(done["frameCount"] as? Int == 30)
    let object = try #require(objects.last { $0["fraction"] != nil })
    #expect(object["fraction"] as? Double == 1)
    #expect(object["frames"] as? Int == 30)
    #expect(object["framesPerSecond"] != nil && object["speed"] != nil)
    let none = try BuiltCandela.run(
      "transcode", sample, folder.path("b.mov"), "--progress", "none", "--set",
      "video.compressionProperties.hdrMetadataInsertionMode=none")
    #expect(none.errors.isEmpty && none.output.isEmpty)
    let bar = try BuiltCandela.run("transcode", sample, folder.path("c.mov"), "--progress", "bar")
    #expect(bar.status == 0)
  }

  /// Short option names and common names of codecs work, and a line says what was made.
  @Test func shortWaysAndTheResult() throws {
    let output = folder.path("d.mp4")
    let made = try BuiltCandela.run(
      "transcode", sample, output, "-p", "hevc-hlg", "--codec", "h265", "--crf", "30", "--speed",
      "ultrafast", "--set", "width=160")
    let line = try #require(made.errors.split(separator: "\n").last)
    let facts = "160×90 hevc, HDR (HLG), Dolby Vision 8.4, 30 frames, "
    #expect(line.hasPrefix("\(output): \(facts)"), "\(made.errors)")
    #expect(line.contains(" → ") && line.hasSuffix("×)"))
    #expect(try Tool.probe(output, "stream=width,height") == ["160,90"])
    let quiet = try BuiltCandela.run(
      "transcode", sample, output, "-y", "-q", "--max-size", "100", "--speed", "ultrafast")
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty && quiet.status == 0)
    #expect(try Tool.probe(output, "stream=width,height") == ["100,56"])
  }

  @Test func aFileWithSoundOnlyIsRemuxed() throws {
    let audio = folder.path("audio.m4a")
    try Tool.ffmpeg("-i", sample, "-vn", "-c", "copy", audio)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("transcode", audio, output, "--preset", "hevc-hlg")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(output, "stream=codec_type", stream: "0") == ["audio"])
    #expect(try Tool.digest(output, of: "a") == Tool.digest(audio, of: "a"))
  }

  @Test func passthroughKeepsSamplesAndColorBoxes() throws {
    let preset = try folder.write(#"{"video": {"codec": "passthrough"}}"#, to: "copy.json")
    let output = try transcode("copy.mov", "--preset", preset)
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le")
        == Tool.frameDigests(sample, format: "yuv420p10le"))
    let probe = try Tool.probe(output, "stream=codec_tag_string,color_transfer")
    #expect(probe == ["hvc1,arib-std-b67"])
  }
}
