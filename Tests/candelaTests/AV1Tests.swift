// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// AV1 outputs state their color in all places. Metadata stays with its frames, on the way into AV1
/// and out of it. Impossible settings are refused.
@Suite struct AV1Tests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func candela(_ arguments: String...) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return outcome
  }

  /// Encodes half a second of HLG in AV1.
  private func encoded(_ preset: String = "av1-hlg", as name: String = "av1.mp4") throws -> String {
    let output = folder.path(name)
    try candela(
      "transcode", try BuiltCandela.sample(in: folder), output, "-p", preset, "--speed", "12", "-y")
    return output
  }

  private static let color =
    "stream=color_range,color_space,color_transfer,color_primaries,codec_tag_string"

  @Test(arguments: ["mp4", "mkv"])
  func colorIsInEveryPlace(kind: String) throws {
    let output = try encoded(as: "av1.\(kind)")
    let facts = try Tool.probe(output, Self.color)
    #expect(facts.first?.hasSuffix("tv,bt2020nc,arib-std-b67,bt2020") == true, "\(facts)")
    let lines = try candela("inspect", output).output.split(separator: "\n")
    for place in ["container", "bitstream", "decoder"] {
      let line = lines.first { $0.contains("    \(place)  ") }
      #expect(line?.contains("BT.2020 (9) / HLG (18) / BT.2020 (9), limited range") == true)
    }
    #expect(try Tool.frameDigests(output, format: "yuv420p10le").count == 15)
  }

  /// Neither Matroska nor the samples of AV1 have a place for an ambient viewing environment.
  @Test func whatCannotBeStatedIsNotAssumed() throws {
    let source = try BuiltCandela.sample(in: folder)
    for (kind, isAssumed) in [("mp4", true), ("mkv", false)] {
      let plan = try candela("plan", source, folder.path("no.\(kind)"), "-p", "av1-hlg", "--json")
      #expect(try plan.notices().codes.contains("ambientLightAssumed") == isAssumed, "\(kind)")
    }
  }

  /// If a phone's clip is encoded as AV1, each frame keeps the RPU that it has in HEVC.
  @Test(.needsSharedMedia, arguments: ["mp4", "mkv"])
  func rpusStayWithTheirFrames(kind: String) throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let output = folder.path("phone.\(kind)")
    try candela("transcode", source, output, "-p", "av1-match-source", "--speed", "12")
    try candela("rpu", "extract", source, folder.path("source.rpu"), "--presented")
    try candela("rpu", "extract", output, folder.path("output.rpu"))
    #expect(
      try FileBytes.read(folder.path("output.rpu")) == FileBytes.read(folder.path("source.rpu")))
    try candela("validate", output)
    let record = try Tool.probe(
      output, "stream_side_data=dv_profile,dv_bl_signal_compatibility_id")
    #expect(record.first?.hasPrefix("10,4") == true, "\(record)")
    // On the way back to HEVC, nothing of the RPUs is lost.
    let back = folder.path("back.mov")
    try candela("transcode", output, back, "-p", "hevc-match-source", "--speed", "ultrafast")
    try candela("rpu", "extract", back, folder.path("back.rpu"))
    #expect(
      try FileBytes.read(folder.path("back.rpu")) == FileBytes.read(folder.path("source.rpu")))
  }

  /// AV1 in Matroska has no place for the ambient viewing environment, and the plan says so.
  @Test(.needsSharedMedia) func lossesAreNamed() throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    func plan(_ name: String) throws -> String {
      try candela("plan", source, folder.path(name), "-p", "av1-match-source").output
    }
    #expect(try plan("out.mkv").contains("not carried over: the ambient viewing environment"))
    #expect(try !plan("out.mp4").contains("not carried over: the ambient viewing environment"))
  }

  /// HDR10+ stays with its frames, although SVT-AV1 does not code frames in the order in which they
  /// are shown.
  @Test(.needsSharedMedia) func hdr10PlusStaysWithItsFrames() throws {
    let source = SharedMedia.path("hdr/hdr10plus_tool__regular.mkv")
    let output = folder.path("plus.mp4")
    try candela("transcode", source, output, "-p", "av1-match-source", "--speed", "12")
    func frames(_ path: String) throws -> [NSDictionary] {
      let shown = try candela("metadata", "show", path, "--frames", "--json").json()
      let frames = try #require(shown["frames"] as? [[String: Any]])
      return frames.compactMap { ($0["hdr10Plus"] as? [String: Any]).map(NSDictionary.init) }
    }
    let kept = try frames(output)
    #expect(kept.count == 259)
    #expect(try kept == frames(source))
    let start = try FileBytes.read(output).prefix(64)
    #expect(start.firstRange(of: Array("cdm4".utf8)) != nil)
    let facts = try candela("inspect", output).output
    #expect(facts.contains("(mdcv box, metadata OBU 2, decoder)"), "\(facts)")
    #expect(facts.contains("(clli box, metadata OBU 1, decoder)"), "\(facts)")
    #expect(try candela("compare", source, output).output.contains("nothing is lost"))
  }

  /// A retagged copy states the new color everywhere, and no frame changes.
  @Test func tagsAreReplaced() throws {
    let source = try encoded()
    let output = folder.path("retagged.mp4")
    try candela("retag", source, output, "--color", "709", "--range", "full")
    let facts = try Tool.probe(output, Self.color)
    #expect(facts.first?.hasSuffix("pc,bt709,bt709,bt709") == true, "\(facts)")
    // Without boxes, only the sequence headers in samples state the color.
    let stream = folder.path("stream.obu")
    try Tool.ffmpeg("-i", output, "-map", "0:v", "-c", "copy", "-f", "obu", stream)
    let alone = try Tool.probe(stream, Self.color)
    #expect(alone.first?.hasSuffix("pc,bt709,bt709,bt709") == true, "\(alone)")
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le")
        == Tool.frameDigests(source, format: "yuv420p10le"))
    let refused = try BuiltCandela.run(
      "retag", source, folder.path("no.mp4"), "--chroma-location", "center")
    #expect(refused.status == 65 && refused.errors.contains("cannot state the chroma location"))
    let matrix = try BuiltCandela.run("retag", source, folder.path("no.mp4"), "--color", "9/16/0")
    #expect(matrix.status == 65 && matrix.errors.contains("needs 4:4:4"))
  }

  /// Removing RPUs and putting them back changes neither the RPUs nor the coded frames.
  @Test func rpusAreRemovedAndPutBack() throws {
    let source = try encoded()
    let (bare, back) = (folder.path("bare.mp4"), folder.path("back.mp4"))
    try candela("rpu", "extract", source, folder.path("a.rpu"))
    let frames = try candela("inspect", source, "--frames").output
    #expect(frames.contains("OBU 4") && !frames.contains("SEI"), "\(frames)")
    try candela("metadata", "convert", source, bare, "--dolby-vision", "none")
    #expect(try BuiltCandela.run("rpu", "extract", bare, folder.path("no.rpu")).status == 65)
    try candela("rpu", "inject", bare, folder.path("a.rpu"), back)
    try candela("rpu", "extract", back, folder.path("b.rpu"))
    #expect(try FileBytes.read(folder.path("a.rpu")) == FileBytes.read(folder.path("b.rpu")))
    try candela("validate", back)
    let digests = try Tool.frameDigests(source, format: "yuv420p10le")
    for path in [bare, back] {
      #expect(try Tool.frameDigests(path, format: "yuv420p10le") == digests)
    }
  }

  /// Players read the configuration record first, so it has to agree with the frames. If it does
  /// not, the validation names each wrong field.
  @Test func aWrongConfigurationIsNamed() throws {
    let source = try encoded()
    let whole = try ValidateTests.validate(source)
    #expect(whole.evidence("configurationRecord") == "the same as in the sequence header")
    var bytes = Data(try FileBytes.read(source))
    let place = try #require(bytes.range(of: Data("av1C".utf8))).upperBound
    // Changes the level and the bit depth.
    bytes[place + 1] ^= 0x03
    bytes[place + 2] ^= 0x40
    let report = try ValidateTests.validate(folder.write([UInt8](bytes), to: "wrong.mp4"))
    #expect(report.having("fail") == ["configurationRecord"])
    let evidence = report.evidence("configurationRecord")
    #expect(evidence.contains("seq_level_idx_0 is"), "\(evidence)")
    #expect(evidence.contains("high_bitdepth is 0, but 1 in the sequence header"), "\(evidence)")
  }

  /// A batch names its outputs after the sources. If a source's container has no place for AV1, the
  /// batch chooses another container.
  @Test func batchesChooseAContainer() throws {
    _ = try BuiltCandela.sample(in: folder)
    try candela(
      "transcode", folder.path("sample.mov"), "--into", folder.path("out"), "-p",
      "hevc-match-source", "--set", "video.codec=av1", "--speed", "12")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/sample.mp4")))
  }

  /// A graft puts a source's RPUs onto an AV1 encode by another program.
  @Test func graftsAreTaken() throws {
    let source = try BuiltCandela.sample(in: folder)
    let (dolby, other) = (folder.path("dolby.mov"), folder.path("other.mp4"))
    try candela("transcode", source, dolby, "-p", "hevc-hlg", "--speed", "ultrafast")
    try Tool.ffmpeg(
      "-i", source, "-an", "-c:v", "libsvtav1", "-preset", "12", "-crf", "30", "-pix_fmt",
      "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace",
      "bt2020nc", other)
    let output = folder.path("grafted.mp4")
    try candela("metadata", "graft", dolby, other, output)
    try candela("rpu", "extract", dolby, folder.path("a.rpu"))
    try candela("rpu", "extract", output, folder.path("b.rpu"))
    #expect(try FileBytes.read(folder.path("a.rpu")) == FileBytes.read(folder.path("b.rpu")))
  }

  @Test(arguments: [
    (["--set", "video.compressionProperties.lossless=true"], "out.mp4", Int32(69), "lossless"),
    (["--width", "48"], "out.mp4", 65, "64 to 16384 columns"),
    (["--crf", "24.5"], "out.mp4", 64, "is 24.5, but SVT-AV1 takes only whole numbers"),
    (["--crf", "0"], "out.mp4", 64, "between 1 and 63"),
    (["--crf", "64"], "out.mp4", 64, "between 1 and 63"),
    ([], "out.mov", 64, "cannot be stored in .mov; write .mp4, .mkv or .webm"),
    (["--set", "dataRateLimits=[1000000, 1]"], "out.mp4", 64, "does not support"),
    (["--set", "encoderOptions.nosuch=1"], "out.mp4", 64, "nosuch=1"),
    (["--set", "encoderOptions.color-range=1"], "out.mp4", 64, "contradict"),
    // SVT-AV1 has two names for the interval of key frames.
    (["--set", "encoderOptions.keyint=9"], "out.mp4", 64, "use maxKeyFrameInterval instead"),
    (["--set", "encoderOptions.intra-period=9"], "out.mp4", 64, "use maxKeyFrameInterval instead"),
    (["--set", "encoderOptions.enable-force-key-frames=1"], "out.mp4", 64, "contradict"),
    (["--set", "encoderOptions.qp=30"], "out.mp4", 64, "use constantRateFactor instead"),
    (["--set", "encoderOptions.input-depth=8"], "out.mp4", 64, "use video.pixelFormat instead"),
    (["--set", "encoderOptions.profile=0"], "out.mp4", 64, "SVT-AV1 itself chooses"),
    (["--set", "encoderOptions.level=40"], "out.mp4", 64, "SVT-AV1 itself chooses"),
    (["--set", "encoderOptions.tier=0"], "out.mp4", 64, "SVT-AV1 itself chooses"),
    (["--set", "encoderOptions.chroma-u-dc-qindex-offset=5"], "out.mp4", 64, "cannot read"),
    (["--set", "encoderOptions.chroma-u-ac-qindex-offset=5"], "out.mp4", 64, "cannot read"),
    (["--set", "encoderOptions.chroma-v-dc-qindex-offset=5"], "out.mp4", 64, "cannot read"),
    (["--set", "encoderOptions.chroma-v-ac-qindex-offset=5"], "out.mp4", 64, "cannot read"),
    (["--set", "encoderOptions.enable-tf=0:color-range=1"], "out.mp4", 64, "color-range=1"),
  ])
  func impossibleSettingsAreRefused(
    options: [String], name: String, status: Int32, words: String
  ) throws {
    let outcome = try BuiltCandela.run(
      ["transcode", try BuiltCandela.sample(in: folder), folder.path(name), "-p", "av1-hlg"]
        + options)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!folder.names.contains(name))
  }

  /// If every frame has to be a key frame, decoding can begin at every frame.
  @Test(
    arguments: ["maxKeyFrameInterval=1", "maxKeyFrameIntervalDuration=0.01"], [true, false])
  func everyFrameCanBeAKeyFrame(interval: String, isReordered: Bool) throws {
    let output = folder.path("keys.mp4")
    try candela(
      "transcode", try BuiltCandela.sample(in: folder), output, "-p", "av1-hlg", "--speed", "12",
      "--set", interval, "--set", "allowFrameReordering=\(isReordered)")
    try expectKeyFramesAlone(in: output)
  }

  private func expectKeyFramesAlone(in path: String) throws {
    let flags = try Tool.probe(path, "packet=flags")
    #expect(flags.count == 15 && flags.allSatisfy { $0.hasPrefix("K") }, "\(flags)")
    #expect(try Tool.frameDigests(path, format: "yuv420p10le").count == 15)
  }

  /// SVT-AV1 1.4.1 cannot make every frame a key frame at an average bit rate, so that is refused
  /// before any work begins. If a later version can, the output has only key frames.
  @Test func keyFramesAloneAtAnAverageBitRate() throws {
    let source = try BuiltCandela.sample(in: folder)
    let output = folder.path("keys.mp4")
    let options = [
      "-p", "av1-hlg", "--speed", "12", "--set", "maxKeyFrameInterval=1", "--set",
      "averageBitRate=800000",
    ]
    let plan = try BuiltCandela.run(["plan", source, output] + options)
    let outcome = try BuiltCandela.run(["transcode", source, output] + options)
    #expect(plan.status == outcome.status)
    guard outcome.status != 0 else { return try expectKeyFramesAlone(in: output) }
    let words = "cannot make every frame a key frame at an average bit rate: use"
    for refused in [plan, outcome] {
      #expect(refused.status == 69 && refused.errors.contains(words), "\(refused.errors)")
    }
    #expect(!folder.names.contains("keys.mp4"))
  }

  /// No command stores AV1 under the name of a MOV file, whether or not it writes samples anew.
  @Test func noCommandStoresAV1InMOV() throws {
    let source = try encoded()
    let (rpus, output) = (folder.path("a.rpu"), folder.path("no.mov"))
    try candela("rpu", "extract", source, rpus)
    for command in [
      ["transcode", source, output, "--codec", "passthrough"],
      ["retag", source, output, "--range", "full"],
      ["rpu", "inject", source, rpus, output],
    ] {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65, "\(command) \(outcome.errors)")
      #expect(
        outcome.errors.contains("video of codec av1 cannot be stored in .mov; write .mp4"),
        "\(command) \(outcome.errors)")
      #expect(!folder.names.contains("no.mov"), "\(command)")
    }
    // This is another name for MP4.
    try candela("retag", source, folder.path("other.m4v"), "--range", "full")
  }

  /// A plan tries encoder options on an encoder that gets no frames. A transcode uses them.
  @Test(.timeLimit(.minutes(1))) func optionsAreTaken() throws {
    let plain = try encoded()
    let output = folder.path("options.mp4")
    for command in [["plan"], ["transcode"]] {
      let outcome = try BuiltCandela.run(
        command + [
          try BuiltCandela.sample(in: folder), output, "-p", "av1-hlg", "--speed", "12", "--set",
          "encoderOptions.enable-tf=0", "--set", "encoderOptions.film-grain=8",
        ])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try FileBytes.read(output) != FileBytes.read(plain))
    // Decoders add the grain, so `inspect` has to mention it.
    #expect(try BuiltCandela.run("inspect", output).output.contains("film grain"))
    #expect(try !BuiltCandela.run("inspect", plain).output.contains("film grain"))
  }

  /// A copy into Matroska keeps AV1 as it is. If metadata changes, the track's description changes
  /// with it.
  @Test func copiesIntoMatroskaDescribeTheirSamples() throws {
    let source = try encoded()
    let copy = folder.path("copy.mkv")
    try candela("transcode", source, copy, "--codec", "passthrough")
    try candela("validate", copy)
    func inspection(_ path: String) throws -> String {
      try BuiltCandela.run("inspect", "--json", path).output
    }
    #expect(try inspection(copy).contains("dolbyVision"))
    for input in [source, copy] {
      let plain = folder.path("plain.mkv")
      try candela("metadata", "convert", input, plain, "--dolby-vision", "none", "--overwrite")
      try candela("validate", plain)
      #expect(try !inspection(plain).contains("dolbyVision"))
      let (old, new) = try (
        Tool.frameDigests(input, format: "yuv420p10le"),
        Tool.frameDigests(plain, format: "yuv420p10le")
      )
      #expect(old == new)
    }
  }

  @Test func copiesHaveTheBrand() throws {
    let output = folder.path("cut.mp4")
    try candela("cut", try encoded(), output, "--to", "0.3")
    #expect(try FileBytes.read(output).prefix(64).firstRange(of: Array("av01".utf8)) != nil)
  }

  /// Every run gets the same samples from the encoder, so the files are the same.
  @Test func outputsAreReproducible() throws {
    let (one, two) = (try encoded(as: "one.mp4"), try encoded(as: "two.mp4"))
    #expect(try FileBytes.read(one) == FileBytes.read(two))
  }
}
