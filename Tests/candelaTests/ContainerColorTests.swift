// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Unusual color boxes do no harm: boxes that are cut off or have numbers without a meaning, `gama`
/// and ICC profiles.
@Suite struct ContainerColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie that has HLG tags in its bitstream but states something else in `colr`.
  private func movie(_ name: String, colr numbers: [UInt8]) throws -> String {
    let source = try BuiltCandela.sample(in: folder)
    let path = folder.path(name)
    try Tool.ffmpeg("-i", source, "-map", "0:v", "-c", "copy", "-write_tmcd", "0", path)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(data.range(of: Data("colrnclx".utf8))).upperBound
    data.replaceSubrange(place..<place + numbers.count, with: numbers)
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Returns what a plan says about its source, with code points as text, such as `HLG (18)`.
  private func source(_ path: String, _ arguments: String...) throws -> [String: Any] {
    let plan = try BuiltCandela.run(["plan", path, "--json", "--preset", "h264-sdr"] + arguments)
    #expect(plan.status == 0, "\(plan.errors)")
    let video = try #require(try plan.json()["video"] as? [String: Any])
    let signal = try #require((video["encoding"] as? [String: Any])?["source"] as? [String: Any])
    return signal.mapValues { value in
      guard let point = value as? [String: Any], let name = point["name"] else { return value }
      return point["code"].map { "\(name) (\($0))" } ?? "\(name)"
    }
  }

  @Test(
    arguments: ([
      [0, 0, 0, 0, 0, 0], [0, 3, 0, 3, 0, 3], [1, 9, 1, 18, 1, 9], [0, 99, 0, 99, 0, 99],
    ] as [[UInt8]]).shortened(to: 2))
  func numbersWithoutAMeaningAreNotBelieved(numbers: [UInt8]) throws {
    let path = try movie("reserved.mp4", colr: numbers)
    let signal = try source(path)
    #expect(signal["colorPrimaries"] as? String == "BT.2020 (9)")
    #expect(signal["transferFunction"] as? String == "HLG (18)")
    #expect(signal["yCbCrMatrix"] as? String == "BT.2020 (9)")
    let shown = try BuiltCandela.run("inspect", path, "--json").notices()
    #expect(shown.codes.contains("meaninglessStatement"))
    // If `retag` is asked for a color, it replaces such numbers like any others. If only other tags
    // change, it leaves the box alone.
    let output = folder.path("retagged.mp4")
    #expect(try BuiltCandela.run("retag", path, output, "--color", "pq").status == 0)
    #expect(try Tool.probe(output, "stream=color_transfer") == ["smpte2084"])
    let other = folder.path("other.mp4")
    #expect(
      try BuiltCandela.run("retag", path, other, "--chroma-location", "topleft").status == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(bytes.range(of: Data("colrnclx".utf8) + Data(numbers)) != nil)
  }

  /// FFmpeg uses numbers that H.273 does not have and that do not fit into 8 bits. They are named,
  /// and copies keep them.
  @Test func numbersAbove255AreNamedAndKept() throws {
    let numbers: [UInt8] = [1, 0, 1, 0, 2, 1]
    let path = try movie("large.mp4", colr: numbers)
    let shown = try BuiltCandela.run("inspect", path)
    for name in ["FFmpeg's V-Gamut (256)", "FFmpeg's V-Log (256)", "reserved (513)"] {
      #expect(shown.output.contains(name), "\(name): \(shown.output)")
    }
    let copy = folder.path("copy.mp4")
    let outcome = try BuiltCandela.transcode([path, copy, "--set", "video.codec=passthrough"])
    #expect(outcome.outcome.status == 0, "\(outcome.outcome.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    #expect(bytes.range(of: Data("colrnclx".utf8) + Data(numbers)) != nil)
  }

  /// Neither a bitstream nor Matroska has room for such numbers. They are named and become
  /// "unspecified", never another number.
  @Test func numbersAbove255AreNeverCut() throws {
    let (plain, unstated) = (try movie("plain.mp4", colr: []), folder.path("unstated.mp4"))
    try Tool.ffmpeg(
      "-i", plain, "-c", "copy", "-bsf:v",
      "hevc_metadata=colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2", unstated)
    var bytes = try FileBytes.read(unstated)
    let place = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound
    // 300 and 265 would be 44 and 9 in 8 bits.
    bytes.replaceSubrange(place..<place + 6, with: [1, 0x2C, 0, 18, 1, 9])
    let source = try folder.write(bytes, to: "large.mp4")
    for (name, settings) in [
      ("encoded.mp4", ["--speed", "ultrafast"]), ("copied.mkv", ["--codec", "passthrough"]),
    ] {
      let output = folder.path(name)
      let (outcome, notices) = try BuiltCandela.transcode([source, output] + settings)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let named = notices.filter { $0.code == "meaninglessStatement" }
      let fields = Set(named.compactMap { $0.arguments["field"] })
      #expect(fields == ["colorPrimaries", "yCbCrMatrix"], "\(name): \(notices)")
    }
    let encoded = folder.path("encoded.mp4")
    #expect(
      try Tool.probe(encoded, "stream=color_space,color_transfer,color_primaries")
        == ["unknown,arib-std-b67,unknown"])
    #expect(try HDRCheck.facts(encoded)["colr"] as? [String] == ["nclx 2 18 2 0"])
  }

  @Test(.needsSharedMedia) func aCutBoxIsReadWithoutItsRange() throws {
    let path = SharedMedia.path("found/androidx__sample_18byte_nclx_colr.mp4")
    let shown = try BuiltCandela.run("inspect", path, "--json").notices()
    #expect(shown.codes.contains("colorBoxWithoutRange"))
    #expect(try source(path)["colorPrimaries"] as? String == "BT.709 (1)")
    #expect(try source(path)["range"] == nil)
    let output = folder.path("retagged.mp4")
    #expect(try BuiltCandela.run("retag", path, output, "--range", "full").status == 0)
    #expect(try HDRCheck.facts(output)["colr"] as? [String] == ["nclx 1 1 1 1"])
  }

  /// Numbers without a meaning fail `validate`. They break no reader, but no standard allows them.
  @Test func validationNamesThem() throws {
    let verdict = try BuiltCandela.run("validate", try movie("odd.mp4", colr: [0, 3, 0, 18, 0, 9]))
    #expect(verdict.status == 1)
    #expect(verdict.output.contains("FAIL  valid code points"), "\(verdict.output)")
    let even = try movie("even.mp4", colr: [0, 9, 0, 18, 0, 9])
    let valid = try BuiltCandela.run("validate", even, "--all")
    #expect(valid.output.contains("pass  valid code points"), "\(valid.output)")
  }

  /// If a box is cut off before its numbers end, a notice names it, and the color is that of the
  /// bitstream.
  @Test func aBoxWithoutItsNumbersIsNamed() throws {
    var data = try Data(
      contentsOf: URL(fileURLWithPath: try movie("whole.mp4", colr: [0, 1, 0, 1, 0, 1])))
    let place = try #require(data.range(of: Data("colrnclx".utf8))).lowerBound
    // One of its 11 bytes is left; the others become a `free` box.
    data[place - 1] = 9
    data.replaceSubrange(place + 5..<place + 13, with: [0, 0, 0, 10] + Array("free".utf8))
    let path = folder.path("cut.mp4")
    try data.write(to: URL(fileURLWithPath: path))
    let shown = try BuiltCandela.run("inspect", path, "--json").notices()
    #expect(shown.arguments("colorBoxCutOff") == ["byteCount": "1"])
    #expect(try source(path)["transferFunction"] as? String == "HLG (18)")
    #expect(try BuiltCandela.run("validate", path).output.contains("of 1 byte is cut off"))
  }

  /// A source with `nclc` 1/2/1 and gamma 2.2 is converted for displays with gamma 2.4: each
  /// gray V becomes V^(2.2/2.4).
  @Test(.needsSharedMedia) func gammaIsConverted() throws {
    let path = SharedMedia.path("found/EncodingGuidelines__greyscale-gamma22.mov")
    #expect(try source(path)["transferFunction"] as? String == "gamma 2.2 (4)")
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", path, output, "--preset", "h264-sdr", "--set",
      "video.compressionProperties={\"lossless\":true}", "--set",
      "video.conversion.dither=none", "--set", "video.range=full")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let before = try Tool.picture(path, format: "gray")
    let after = try Tool.picture(output, format: "gray")
    try #require(before.count == after.count)
    for (old, new) in zip(before, after) {
      let wanted = 255 * pow(Double(old) / 255, 2.2 / 2.4)
      #expect(abs(Double(new) - wanted) <= 0.55)
      if abs(Double(new) - wanted) > 0.55 { break }
    }
  }

  /// Gammas 2.8 and 1 have code points. Gamma 1.8 has none and is understood all the same.
  @Test(.needsSharedMedia) func otherGammas() throws {
    let bytes = try SharedMedia.bytes("found/EncodingGuidelines__greyscale-gamma22.mov")
    for (value, name) in [(2.8, "gamma 2.8 (5)"), (1, "linear (8)"), (1.8, "gamma 1.8")] {
      var data = Data(bytes)
      let place = try #require(data.range(of: Data("gama".utf8))).upperBound
      let fixed = UInt32((value * 65536).rounded())
      data.replaceSubrange(
        place..<place + 4, with: (0..<4).map { UInt8(fixed >> (24 - 8 * $0) & 0xFF) })
      let path = folder.path("gamma.mov")
      try data.write(to: URL(fileURLWithPath: path))
      let container = try BuiltCandela.run("inspect", path).output
      #expect(container.contains("/ \(name) /"))
      #expect(try source(path)["transferFunction"] as? String == name)
    }
  }

  @Test(.needsSharedMedia) func aProfileIsUnderstood() throws {
    let signal = try source(SharedMedia.path("found/mediabunny__video-h265.mp4"))
    #expect(signal["colorPrimaries"] as? String == "BT.709 (1)")
    #expect(signal["transferFunction"] as? String == "sRGB (13)")
  }
}
