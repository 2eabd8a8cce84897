// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// Sources whose Dolby Vision is incomplete, wrong or meant for other frames give valid outputs.
/// The sources are made from streams and RPUs without faults.
@Suite(.needsSharedMedia, .takesLong) struct OddDolbyVisionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Making files

  /// Makes an HEVC byte stream in which every frame has this RPU.
  private func stream(transfer: Int, rpu: [UInt8], options: [String] = []) throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(to: plain, transfer: transfer, options: options)
    return try folder.write(
      ByteStream.append(to: FileBytes.read(plain)) { _ in [[62 << 1, 1] + rpu] }, to: "rpus.hevc")
  }

  private func movie(_ stream: String, records: [[UInt8]] = []) throws -> String {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg("-f", "hevc", "-i", stream, "-c", "copy", "-tag:v", "hvc1", plain)
    let movie = try records.reduce(FileBytes.read(plain)) {
      try SyntheticMovie.insert($1, into: $0)
    }
    return try folder.write(movie, to: "source.mp4")
  }

  private static let record84 = SyntheticMovie.dolbyVision(
    "dvvC", profile: 8, level: 1, compatibility: 4)

  // MARK: Transcoding

  private func run(
    _ source: String, _ name: String = "out.mov", preset: String, _ changes: String...
  ) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path(name)
    let settings = ["video.compressionProperties.speed=ultrafast"] + changes
    let result = try BuiltCandela.transcode(
      [source, output, "--preset", preset] + settings.flatMap { ["--set", $0] })
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private func copy(_ source: String, _ name: String = "copy.mov") throws -> (
    path: String, notices: [ReportedNotice]
  ) {
    let output = folder.path(name)
    let result = try BuiltCandela.transcode([source, output, "--set", "video.codec=passthrough"])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private func expectClean(_ path: String, _ format: String) throws {
    let validated = try BuiltCandela.run("validate", path)
    #expect(validated.status == 0 && validated.output.contains(": \(format): conforms"))
    if validated.status != 0 { Issue.record("\(validated.output)") }
  }

  /// Returns the first RPU of a file.
  private func unit(_ path: String) throws -> ReferenceProcessingUnit {
    try parsed(#require(ByteStream.units(HDRCheck.rpus(path)).first))
  }

  private func parsed(_ rpu: [UInt8]) throws -> ReferenceProcessingUnit {
    try ReferenceProcessingUnit(hevcNALUnit: [0x7C, 0x01] + rpu)
  }

  // MARK: RPUs and records

  /// The record says 8.4, but the RPUs are from a disc, whose base layer would be PQ. The tags,
  /// which say HLG, are believed, and the RPUs are computed anew.
  @Test func rpusOfADiscAreNotKeptOnHLG() throws {
    let source = try movie(
      stream(transfer: 18, rpu: SharedMedia.rpu("fel_rpu")), records: [Self.record84])
    let output = try run(source, preset: "hevc-hlg")
    #expect(output.notices.arguments("baseLayerTaken") != nil)
    #expect(output.notices.arguments("tagsNotOfBaseLayer") != nil)
    try expectClean(output.path, "Dolby Vision 8.4")
    #expect(try unit(output.path).profile == 8)
  }

  /// RPUs of profile 5 reshape frames, whatever the record and the tags say.
  @Test(
    arguments: [
      (18, 4, "hevc-hlg", "HLG"), (18, 4, "hevc-match-source", "Dolby Vision 8.1"),
      (16, 1, "hevc-match-source", "Dolby Vision 8.1"),
    ] as [(Int, Int, String, String)])
  func rpusOfProfile5Decide(
    transfer: Int, compatibility: Int, preset: String, format: String
  ) throws {
    let record = SyntheticMovie.dolbyVision(
      "dvvC", profile: 8, level: 1, compatibility: compatibility)
    let source = try movie(
      stream(transfer: transfer, rpu: SharedMedia.rpu("profile5")), records: [record])
    let output = try run(source, preset: preset)
    #expect(output.notices.arguments("baseLayerReshaped") != nil)
    try expectClean(output.path, format)
  }

  /// If a record has values that cannot be true, a notice names them and the output has correct
  /// ones. A record may state a higher level than the frames need ("Dolby Vision Profiles and
  /// Levels", 2.2: 128 × 96 at 25 frames a second needs only level 1).
  @Test(
    arguments: [
      ([1, 0, 0x10, 0x05, 0x40], "dv_level is 0", "L1"),
      ([1, 0, 0x11, 0xFD, 0x40], "dv_level is 63", "L1"),
      ([1, 0, 0x10, 0x2D, 0x40], nil, "L5"),
      ([9, 7, 0x10, 0x0D, 0x40], "dv_version_major is 9, dv_version_minor is 7", "L1"),
      ([1, 0, 0x10, 0x09, 0x40], "rpu_present_flag is 0", "L1"),
      ([1, 0, 0x10, 0x0C, 0x40], "bl_present_flag is 0", "L1"),
      ([1, 0, 0x10, 0x0D, 0x44], nil, "L1"),
      ([1, 0, 0x10, 0x0D, 0x48], "dv_md_compression is 2", "L1"),
    ] as [([UInt8], String?, String)])
  func recordsAreMadeAnew(start: [UInt8], fault: String?, level: String) throws {
    let record = Self.record84.prefix(8) + start + [UInt8](repeating: 0, count: 19)
    let source = try movie(
      stream(transfer: 18, rpu: SharedMedia.rpu("profile84")), records: [Array(record)])
    for output in [try run(source, preset: "hevc-hlg"), try copy(source)] {
      #expect(output.notices.arguments("recordCorrected")?["faults"] == fault)
      try expectClean(output.path, "Dolby Vision 8.4")
      #expect(try HDRCheck.facts(output.path)["dv"] as? String == "dvvC 8.4 \(level)")
    }
    // The RPUs are still those of the source.
    let isSame =
      try unit(folder.path("out.mov")).displayManagement?.level1
      == parsed(SharedMedia.rpu("profile84")).displayManagement?.level1
    #expect(isSame)
  }

  /// Apple's TN3145 requires `amve` with 8.4, so the output has it even if the source does not.
  @Test func ambientValuesAreAssumedForKeptRPUs() throws {
    let source = try movie(
      stream(transfer: 18, rpu: SharedMedia.rpu("profile84")), records: [Self.record84])
    for output in [try run(source, preset: "hevc-hlg"), try copy(source)] {
      #expect(output.notices.codes.contains("ambientLightAssumed"))
      #expect(try HDRCheck.facts(output.path)["amve"] as? [Int] == [3_140_000, 15_635, 16_450])
    }
  }

  /// Dolby Vision 8.1 is kept even if only the RPUs state it and there is no record.
  @Test(arguments: ["hevc", "mkv", "ts"])
  func profile81WithoutARecordIsKept(container: String) throws {
    let stream = try stream(transfer: 16, rpu: SharedMedia.rpu("profile8"))
    let source = folder.path("source.\(container)")
    try Tool.ffmpeg("-f", "hevc", "-i", stream, "-c", "copy", source)
    let output = try run(source, preset: "hevc-match-source")
    #expect(!output.notices.codes.contains("metadataNotCarried"))
    try expectClean(output.path, "Dolby Vision 8.1")
    #expect(try HDRCheck.facts(output.path)["dv"] as? String == "dvvC 8.1 L1")
    #expect(try HDRCheck.facts(output.path)["rpu_aus"] as? Int == 8)
  }

  /// The level suits the rate of most frames, even if pauses lower the average rate. 30 frames a
  /// second need level 2 here, because level 1 ends at 24 frames a second of 1280 × 720.
  @Test func variableRatesHaveTheLevelOfMostPictures() throws {
    let filter = "settb=1/600,setpts=N*20+if(gte(N\\,6)\\,600\\,0)"
    let plain = folder.path("variable.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30,\(filter)", "-frames:v", "12", "-vsync",
      "passthrough", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast",
      "-x265-params", "bframes=0:log-level=none:colorprim=9:transfer=18:colormatrix=9", plain)
    for name in ["variable.mp4", "variable.mkv"] {
      try Tool.ffmpeg("-i", plain, "-c", "copy", folder.path("in-\(name)"))
      let output = try run(folder.path("in-\(name)"), preset: "hevc-hlg")
      #expect(try HDRCheck.facts(output.path)["dv"] as? String == "dvvC 8.4 L2", "\(name)")
      try expectClean(output.path, "Dolby Vision 8.4")
      try FileManager.default.removeItem(atPath: output.path)
    }
  }

  /// A mapping for PQ does not suit HLG. Instead, the computed RPUs have the mapping of phones,
  /// which is also in libdovi's `profile84.bin`.
  @Test func mappingsForPQAreNotKept() throws {
    let record = SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 1, compatibility: 1)
    let source = try movie(
      stream(transfer: 18, rpu: SharedMedia.rpu("profile8")), records: [record])
    let output = try run(source, preset: "hevc-hlg")
    let phone = try parsed(SharedMedia.rpu("profile84"))
    let isPhones = try unit(output.path).mapping == phone.mapping
    #expect(isPhones)
    try expectClean(output.path, "Dolby Vision 8.4")
  }

  /// If level 5 has offsets that leave nothing of the frame, they are ignored.
  @Test(arguments: [Level5(left: 64, right: 64), Level5(left: 5000, top: 4000, bottom: 8000)])
  func areasWithoutAPictureAreTheWholePicture(area: Level5) throws {
    var unit = try parsed(SharedMedia.rpu("profile84"))
    unit.displayManagement?.setActiveArea(area)
    let source = try movie(
      stream(transfer: 18, rpu: Array(try unit.hevcNALUnit().dropFirst(2))),
      records: [Self.record84])
    let output = try run(
      source, preset: "hevc-hlg", "video.compressionProperties.preserveDynamicHDRMetadata=false")
    #expect(try self.unit(output.path).displayManagement?.level5 ?? Level5() == Level5())
  }

  /// If there are two records, the one for profile 8 is believed.
  @Test func twoRecords() throws {
    let other = SyntheticMovie.dolbyVision(
      "dvcC", profile: 7, level: 6, enhancementLayer: true, compatibility: 6)
    let source = try movie(
      stream(transfer: 18, rpu: SharedMedia.rpu("profile84")), records: [other, Self.record84])
    let output = try run(source, preset: "hevc-hlg")
    let conflict = output.notices.arguments("hdrMetadataConflict")
    #expect(conflict?["metadata"] == "dolbyVision")
    #expect(conflict?["otherStatement"]?.hasPrefix("profile 7") == true)
    #expect(try unit(output.path).displayManagement?.level1?.maxPQ == 3383)
    try expectClean(output.path, "Dolby Vision 8.4")
  }

  /// Every command says that RPUs of profile 5 contradict a record of profile 8.
  @Test func profile5UnderARecordOfProfile8IsNamed() throws {
    let source = try movie(
      stream(transfer: 16, rpu: SharedMedia.rpu("profile5")),
      records: [SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 1, compatibility: 1)])
    let inspected = try BuiltCandela.run("inspect", source)
    #expect(inspected.output.contains("Dolby Vision 5, 128×96"), "\(inspected.output)")
    let validated = try BuiltCandela.run("validate", source)
    #expect(validated.output.contains("profile 5, which is believed"), "\(validated.output)")
    for command in ["inspect", "metadata show"] {
      let words = command.split(separator: " ").map(String.init)
      let notices = try BuiltCandela.run(words + [source, "--json"]).notices()
      #expect(notices.arguments("recordOfOtherProfile")?["profile"] == "5", "\(command)")
    }
    #expect(try copy(source).notices.arguments("recordOfOtherProfile")?["profile"] == "5")
    // Light of frames that are not reshaped would be wrong, whatever their tags say.
    for option in [["--dolby-vision", "8.1"], ["--light", "measure"], ["--light", "900,300"]] {
      let refused = try BuiltCandela.run(
        ["metadata", "convert", source, folder.path("out.mp4")] + option)
      #expect(refused.status == 65 && refused.errors.contains("its record says profile 8.1"))
    }
  }

  /// Copies and retagged files get the record and the sample entry that RPUs of profile 5 need,
  /// whatever record the source has.
  @Test(arguments: [true, false]) func profile5GetsItsRecord(hasRecord: Bool) throws {
    let wrong = SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 1, compatibility: 1)
    let source = try movie(
      stream(transfer: 16, rpu: SharedMedia.rpu("profile5")), records: hasRecord ? [wrong] : [])
    let code = hasRecord ? "recordOfOtherProfile" : "recordAdded"
    let copied = try copy(source, "copy.mp4")
    #expect(copied.notices.arguments(code)?["profile"] == "5", "\(copied.notices)")
    var outputs = [copied.path]
    if hasRecord {
      let retagged = folder.path("retagged.mp4")
      let outcome = try BuiltCandela.run("retag", source, retagged, "--range", "full")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("but the RPUs have profile 5"), "\(outcome.errors)")
      outputs.append(retagged)
    }
    for output in outputs {
      let facts = try HDRCheck.facts(output)
      #expect(facts["dv"] as? String == "dvcC 5.0 L1", "\(output)")
      #expect(facts["fourcc"] as? String == "dvh1", "\(output)")
      let fails = try ValidateTests.validate(output).having("fail")
      #expect(fails.isDisjoint(with: ["rpuProfile", "dolbyVisionFields"]), "\(fails)")
    }
    let matroska = try copy(source, "copy.mkv").path
    let shown = try BuiltCandela.run("metadata", "show", matroska).output
    #expect(shown.contains("dolbyVision: profile 5"), "\(shown)")
  }

  /// `retag` also corrects a record of profile 5 if the RPUs have profile 8.
  @Test func retaggingCorrectsTheRecordOfProfile8() throws {
    let wrong = SyntheticMovie.dolbyVision("dvcC", profile: 5, level: 1, compatibility: 0)
    let source = try movie(
      stream(transfer: 16, rpu: SharedMedia.rpu("profile8")), records: [wrong])
    let output = folder.path("retagged.mp4")
    let outcome = try BuiltCandela.run("retag", source, output, "--color", "9/16/9")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("but the RPUs have profile 8"), "\(outcome.errors)")
    try expectClean(output, "Dolby Vision 8.1")
  }

  /// A record of profile 8 states one layer. If the samples have a second layer, and no RPU
  /// explains it, every command says so.
  @Test(arguments: [true, false]) func aLayerThatNoRPUExplains(hasRPUs: Bool) throws {
    var rpu = try SharedMedia.rpu("profile8")
    rpu[20] ^= 0xFF
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(to: plain, transfer: 16)
    let layer: [UInt8] = [63 << 1, 1, 0x26, 1, 0xAF, 9, 0x40, 0xF3, 0x80]
    let units = [layer] + (hasRPUs ? [[62 << 1, 1] + rpu] : [])
    let stream = try folder.write(
      ByteStream.append(to: FileBytes.read(plain)) { _ in units }, to: "layers.hevc")
    let source = try movie(
      stream,
      records: [SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 1, compatibility: 1)])
    let code = "layerNotOfRecord"
    #expect(try BuiltCandela.run("inspect", source, "--json").notices().codes.contains(code))
    let plan = try BuiltCandela.run("plan", source, "--preset", "hevc-pq", "--json")
    #expect(try plan.notices().codes.contains(code), "\(plan.errors)")
    #expect(try copy(source).notices.codes.contains(code))
    #expect(try ValidateTests.validate(source).having("fail").contains("enhancementLayer"))
    let output = folder.path("converted.mp4")
    let converted = try BuiltCandela.run(
      "metadata", "convert", source, output, "--dolby-vision", "8.1")
    #expect(converted.status == (hasRPUs ? 2 : 0))
    #expect(converted.errors.contains("also contain an enhancement layer"), "\(converted.errors)")
    try expectClean(output, "Dolby Vision 8.1")
  }

  // MARK: Copied samples

  /// If samples are copied from files that state nothing, the sample entry is complete all the
  /// same. It has the record, ambient values, static metadata, and the parameter sets, which belong
  /// only in `hvcC` if the entry is `hvc1`.
  @Test(arguments: ["mkv", "ts", "frag.mp4"], [16, 18])
  func copiesAreComplete(container: String, transfer: Int) throws {
    let stream = try stream(
      transfer: transfer, rpu: SharedMedia.rpu(transfer == 16 ? "profile8" : "profile84"),
      options: ["repeat-headers=1", "keyint=4"] + (transfer == 16 ? ["max-cll=1000,400"] : []))
    let source = folder.path("source.\(container)")
    var options = ["-f", "hevc", "-i", stream, "-c", "copy"]
    if container == "frag.mp4" {
      options += ["-movflags", "frag_keyframe+empty_moov", "-tag:v", "hev1"]
    }
    try Tool.ffmpeg(options + [source])
    let output = try copy(source, "copy.mp4")
    try expectClean(output.path, transfer == 16 ? "Dolby Vision 8.1" : "Dolby Vision 8.4")
    let facts = try HDRCheck.facts(output.path)
    #expect(facts["fourcc"] as? String == "hvc1")
    #expect(facts["dv"] as? String == "dvvC 8.\(transfer == 16 ? 1 : 4) L1")
    if transfer == 16 { #expect(facts["clli"] as? [Int] == [1000, 400]) }
    #expect(
      try Tool.frameDigests(output.path, format: "yuv420p10le", ignoringEdits: true)
        == Tool.frameDigests(stream, format: "yuv420p10le"))
  }

  /// Parameter sets that change in the middle have to stay in the samples, so the entry is `hev1`,
  /// and a notice says so.
  @Test func changingParameterSetsStayInTheSamples() throws {
    let streams = try [[], ["ref=1", "no-strong-intra-smoothing=1", "qp=40"]].flatMap { options in
      try FileBytes.read(
        stream(transfer: 18, rpu: SharedMedia.rpu("profile84"), options: options))
    }
    let source = folder.path("source.ts")
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(streams, to: "both.hevc"), "-c", "copy", source)
    let output = try copy(source, "copy.mp4")
    #expect(try HDRCheck.facts(output.path)["fourcc"] as? String == "hev1")
    #expect(output.notices.codes.contains("parameterSetsChange"))
    let pictures = try Tool.frameDigests(output.path, format: "yuv420p10le", ignoringEdits: true)
    #expect(pictures.count == 16)
  }

  /// If the program can make no record for RPUs, it copies them without one, and a notice says so.
  @Test func unknownRPUsAreCopiedWithoutARecord() throws {
    let source = folder.path("source.ts")
    try Tool.ffmpeg(
      "-f", "hevc", "-i", stream(transfer: 16, rpu: SharedMedia.rpu("fel_rpu")), "-c", "copy",
      source)
    let output = try copy(source)
    #expect(output.notices.arguments("recordMissing") == ["profile": "7"])
    #expect(try HDRCheck.facts(output.path)["dv"] is NSNull)
  }

  /// Players that know only HEVC cannot show profile 5, so its sample entry is `dvh1` and contains
  /// `dvcC`.
  @Test func profile5IsCopiedAsWhatItIs() throws {
    let source = SharedMedia.path("hdr/androidx__dvhe_05_05.mp4")
    let output = try copy(source, "copy.mp4")
    #expect(try HDRCheck.facts(output.path)["fourcc"] as? String == "dvh1")
    #expect((try HDRCheck.facts(output.path)["dv"] as? String)?.hasPrefix("dvcC 5") == true)
  }

  // MARK: HDR10+

  /// If frames are cropped or get bars, their light levels change, so HDR10+ is measured again.
  /// Frames that are only resized keep their HDR10+.
  @Test(arguments: [("resize", true), ("resizeAspect", false), ("resizeAspectFill", false)])
  func dynamicMetadataIsOfTheWholePicture(mode: String, isKept: Bool) throws {
    let arguments = [
      "plan", SharedMedia.path("hdr/hdr10plus_tool__regular.mkv"), "--preset",
      "hevc-match-source", "--set", "video.width=320", "--set", "video.height=320", "--set",
      "video.scalingMode=\(mode)",
    ]
    let plan = try BuiltCandela.run(arguments)
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("HDR10+: the source's") == isKept)
    #expect(plan.output.contains("HDR10+: measured") == !isKept, "\(plan.output)")
  }
}
