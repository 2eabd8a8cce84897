// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// The base layer and the RPUs of Dolby Vision 7 become 8.1, both in copies and in encodes.
@Suite struct DualLayerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(_ input: String, to name: String) throws -> (String, Tool.Outcome) {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      "metadata", "convert", input, output, "--dolby-vision", "8.1")
    return (output, outcome)
  }

  /// Returns the video's NAL units.
  private func units(_ path: String) throws -> [[UInt8]] {
    let stream = folder.path("units.hevc")
    try Tool.ffmpeg("-i", path, "-map", "0:v:0", "-c", "copy", "-f", "hevc", stream)
    return ByteStream.units(try FileBytes.read(stream))
  }

  private func isProfile81(_ path: String, _ stream: DualLayerStream, rpu: String) throws {
    let units = try units(path)
    #expect(units.filter { $0[0] >> 1 < 32 } == stream.slices)
    let rpus = units.filter(DualLayerStream.isRPU)
    #expect(rpus.count == DualLayerStream.frameCount)
    #expect(try Set(rpus) == [DualLayerStream.rpu(rpu)])
    #expect(!units.contains(where: DualLayerStream.isLayer))
    let streams = try Tool.run("ffprobe", ["-v", "error", "-show_streams", path]).output
    for line in ["dv_profile=8", "el_present_flag=0", "dv_bl_signal_compatibility_id=1"] {
      #expect(streams.contains(line), "\(line)")
    }
    #expect(streams.components(separatedBy: "codec_type=video").count == 2)
  }

  struct Container: Sendable, CustomTestStringConvertible {
    let input: String
    let output: String
    let layer: DualLayerStream.Layer
    var isInTwoTracks = false
    var testDescription: String {
      "\(layer) \(input)\(isInTwoTracks ? " of two tracks" : "") to \(output)"
    }
  }

  /// The source may have any container, with the layers in one track or in two. Coded pictures stay
  /// as they are, and the RPUs are the same as those that another program converts.
  @Test(
    .needsSharedMedia,
    arguments: [
      Container(input: "in.mp4", output: "out.mp4", layer: .full),
      Container(input: "in.ts", output: "out.mov", layer: .minimal, isInTwoTracks: true),
      Container(input: "in.hevc", output: "out.mp4", layer: .minimal),
      Container(input: "in.mkv", output: "out.mp4", layer: .full, isInTwoTracks: true),
      Container(input: "in.mp4", output: "out.mkv", layer: .minimal, isInTwoTracks: true),
      Container(input: "in.ts", output: "out.mkv", layer: .full),
      Container(input: "in.mkv", output: "out.mov", layer: .minimal),
    ].shortened(to: 4))
  func conversion(_ container: Container) throws {
    let stream = try DualLayerStream(container.layer)
    let source =
      container.isInTwoTracks
      ? try stream.writeTracks(to: container.input, in: folder)
      : try stream.write(to: container.input, in: folder)
    let (output, outcome) = try convert(source, to: container.output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let isFull = container.layer == .full
    #expect(outcome.errors.contains(isFull ? "residuals are lost" : "nothing is lost"))
    try isProfile81(output, stream, rpu: "\(container.layer.rawValue)_to_81")
    guard container.output.hasSuffix("mp4") else { return }
    let probe = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream=codec_tag_string", output])
    #expect(probe.output.contains("dby1db1p") && probe.output.contains("=hvc1"))
  }

  /// Nothing is lost at ends of sequences, where libavformat cuts the stream before the enhancement
  /// layer and RPU of the last frame.
  @Test(.needsSharedMedia) func endsOfSequences() throws {
    let stream = try DualLayerStream(.minimal, hasEnds: true)
    let (output, outcome) = try convert(stream.write(to: "ends.hevc", in: folder), to: "out.mp4")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try isProfile81(output, stream, rpu: "mel_to_81")
  }

  /// RPUs of profile 8 stay as they are. The enhancement layer, which they do not use, is removed.
  @Test(.needsSharedMedia) func unusedLayer() throws {
    let source = SharedMedia.path("metadata/dovi_tool__regular_start_code_4_muxed_el.hevc")
    let stored = ByteStream.units(try FileBytes.read(source))
    let (output, outcome) = try convert(source, to: "out.mp4")
    #expect(outcome.status == 0 && outcome.errors.contains("nothing is lost"))
    let written = try units(output)
    #expect(!written.contains(where: DualLayerStream.isLayer))
    #expect(
      Set(written.filter(DualLayerStream.isRPU)) == Set(stored.filter(DualLayerStream.isRPU)))
  }

  /// The copy gets a record of profile 8, which promises that there is no enhancement layer. So the
  /// layer is removed.
  @Test(.needsSharedMedia) func unusedLayerUnderARecord() throws {
    let source = SharedMedia.path("metadata/dovi_tool__regular_start_code_4_muxed_el.hevc")
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("metadata", "convert", source, output, "--light", "1000,400")
    #expect(outcome.status == 0 && outcome.errors.contains("nothing is lost"), "\(outcome.errors)")
    #expect(try !units(output).contains(where: DualLayerStream.isLayer))
    #expect(try ValidateTests.validate(output).having("fail") == [])
  }

  /// Copies a file with commands other than `metadata`.
  private func copies(_ source: String) throws -> [(path: String, outcome: Tool.Outcome)] {
    let paths = ["copy.mp4", "cut.mp4", "copy.mkv"].map(folder.path)
    let pass = ["--preset", "hevc-match-source", "--set", "video.codec=passthrough"]
    return try [
      (paths[0], BuiltCandela.run(["transcode", source, paths[0]] + pass)),
      (paths[1], BuiltCandela.run("cut", source, paths[1], "--from", "1", "--to", "3")),
      (paths[2], BuiltCandela.run(["transcode", source, paths[2]] + pass)),
    ]
  }

  /// Returns a movie that contains a stream, and a record that states profile 8.1.
  private func movie(_ stream: DualLayerStream) throws -> String {
    let plain = try stream.write(to: "plain.mp4", in: folder)
    let record = SyntheticMovie.dolbyVision("dvvC", profile: 8, level: 6, compatibility: 1)
    return try folder.write(
      SyntheticMovie.insert(record, into: FileBytes.read(plain)), to: "in.mp4")
  }

  /// Copies drop an enhancement layer if neither the record nor the RPUs mention one.
  @Test(.needsSharedMedia) func unusedLayerInCopies() throws {
    var stream = try DualLayerStream(.minimal)
    let rpu = try DualLayerStream.rpu("mel_to_81")
    stream.change { unit, _ in DualLayerStream.isRPU(unit) ? rpu : unit }
    for (path, outcome) in try copies(movie(stream)) {
      #expect(outcome.status == 0 && outcome.errors.contains("nothing is lost"), "\(path)")
      let units = try units(path)
      #expect(!units.contains(where: DualLayerStream.isLayer))
      #expect(Set(units.filter(DualLayerStream.isRPU)) == [rpu])
      #expect(try !ValidateTests.validate(path).having("fail").contains("enhancementLayer"))
    }
  }

  /// Copies keep an enhancement layer that the RPUs use, and state profile 7.
  @Test(.needsSharedMedia) func usedLayerInCopies() throws {
    let stream = try DualLayerStream(.minimal)
    for (path, outcome) in try copies(movie(stream)) {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("the RPUs have profile 7"), "\(path): \(outcome.errors)")
      let report = try ValidateTests.validate(path)
      #expect(report.format == "Dolby Vision 7")
      #expect(
        report.having("fail").isDisjoint(
          with: ["enhancementLayer", "rpuProfile", "dolbyVisionFields"]))
    }
  }

  /// If a copy gets new light levels, its RPUs of profile 7 state them as well. The enhancement
  /// layer stays.
  @Test(.needsSharedMedia, arguments: ["out.mp4", "out.mkv"]) func level6(name: String) throws {
    var stream = try DualLayerStream(.full)
    var old = try ReferenceProcessingUnit(hevcNALUnit: DualLayerStream.rpu("fel_orig"))
    old.displayManagement?.level6 = Level6(
      maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1)
    let rpu = try old.hevcNALUnit()
    stream.change { unit, _ in DualLayerStream.isRPU(unit) ? rpu : unit }
    let source = try stream.write(to: "in.mkv", in: folder)
    let output = folder.path(name)
    let outcome = try BuiltCandela.run("metadata", "convert", source, output, "--light", "900,300")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let written = try units(output)
    #expect(
      written.filter(DualLayerStream.isLayer) == stream.units.filter(DualLayerStream.isLayer))
    let rpus = Set(written.filter(DualLayerStream.isRPU))
    #expect(rpus.count == 1)
    for rpu in rpus {
      let unit = try ReferenceProcessingUnit(hevcNALUnit: rpu)
      #expect(unit.profile == 7)
      #expect(unit.displayManagement?.level6?.maxContentLightLevel == 900)
      #expect(unit.displayManagement?.level6?.maxFrameAverageLightLevel == 300)
    }
    #expect(try ValidateTests.validate(output).format == "Dolby Vision 7")
  }

  /// A movie's separate track with the enhancement layer is copied as it is. If its level 6 then
  /// contradicts new light levels, a notice says so.
  @Test(.needsSharedMedia, arguments: [("out.mp4", "measure"), ("out.mkv", "900,300")])
  func level6OfASecondTrack(name: String, light: String) throws {
    var stream = try DualLayerStream(.minimal)
    var unit = try ReferenceProcessingUnit(hevcNALUnit: DualLayerStream.rpu("mel_orig"))
    unit.displayManagement?.level6 = Level6(
      maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1,
      maxContentLightLevel: 4321, maxFrameAverageLightLevel: 321)
    let rpu = try unit.hevcNALUnit()
    stream.change { unit, _ in DualLayerStream.isRPU(unit) ? rpu : unit }
    let source = try stream.writeTracks(to: "in.mp4", in: folder)
    let outcome = try BuiltCandela.run(
      "metadata", "convert", source, folder.path(name), "--light", light)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let believed = light == "measure" ? "the measured value" : "MaxCLL 900, MaxFALL 300 cd/m²"
    let other = "MaxCLL 4321, MaxFALL 321 cd/m² (level 6 of the RPUs in track 2)"
    #expect(outcome.errors.contains("\(believed) is believed, not \(other)"), "\(outcome.errors)")
  }

  /// If RPUs of profile 8 are injected, they replace those of profile 7, and the enhancement layer
  /// is left out.
  @Test(.needsSharedMedia) func injection() throws {
    let stream = try DualLayerStream(.minimal)
    let source = try stream.write(to: "in.mp4", in: folder)
    let rpu = try SharedMedia.bytes("metadata/rpu/mel_to_81.bin")
    let rpus = [[UInt8]](repeating: rpu, count: DualLayerStream.frameCount)
    let file = try folder.write(rpus.flatMap { $0 }, to: "rpus.bin")
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("rpu", "inject", source, file, output)
    #expect(outcome.status == 0 && outcome.errors.contains("left out"), "\(outcome.errors)")
    try isProfile81(output, stream, rpu: "mel_to_81")
  }

  /// A frame whose RPU is missing or damaged gets the RPU of the frame before it, and the run says
  /// so.
  @Test(.needsSharedMedia) func damagedRPU() throws {
    var stream = try DualLayerStream(.minimal)
    stream.change { unit, frame in
      guard DualLayerStream.isRPU(unit), frame == 20 || frame == 30 else { return unit }
      return frame == 20 ? nil : Array(unit.dropLast(6) + [1, 2, 3, 4, 5, 0x80])
    }
    let (output, outcome) = try convert(stream.write(to: "in.mkv", in: folder), to: "out.mp4")
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("2 damaged"))
    try isProfile81(output, stream, rpu: "mel_to_81")
    let stopped = try BuiltCandela.run(
      "metadata", "convert", folder.path("in.mkv"), folder.path("stopped.mp4"), "--dolby-vision",
      "8.1", "--on-error", "stop")
    #expect(stopped.status == 65 && stopped.errors.contains("no readable Dolby Vision RPU"))
  }

  /// If it is unclear which RPU belongs to which frame of the base layer, the program does not
  /// guess and refuses the file.
  @Test(.needsSharedMedia) func layersThatDoNotPair() throws {
    var stream = try DualLayerStream(.full)
    stream.change { unit, frame in
      let isOfLayer = DualLayerStream.isRPU(unit) || DualLayerStream.isLayer(unit)
      return frame >= 250 && isOfLayer ? nil : unit
    }
    let (_, outcome) = try convert(stream.writeTracks(to: "in.mkv", in: folder), to: "out.mp4")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("for 250 frames"), "\(outcome.errors)")
    #expect(outcome.errors.contains("do not pair with the 259 frames"))
  }

  /// If an encode does not scale or crop frames, it keeps the RPUs, converted to 8.1, whichever of
  /// the source's tracks they are in.
  @Test(
    .needsSharedMedia, arguments: [(false, 1), (true, 1), (true, 2), (false, 3)].shortened(to: 2))
  func encoding(isInTwoTracks: Bool, workers: Int) throws {
    let stream = try DualLayerStream(.minimal)
    let source =
      isInTwoTracks
      ? try stream.writeTracks(to: "in.mp4", in: folder)
      : try stream.write(to: "in.mp4", in: folder)
    let plan = try BuiltCandela.run("plan", source, "--json")
    let named = try plan.notices().arguments("enhancementLayerDropped")
    #expect(named == ["layer": "minimal"], "\(plan.output)")
    let severity = try plan.notices().first { $0.code == "enhancementLayerDropped" }?.severity
    #expect(severity == "note")
    #expect(try !plan.notices().codes.contains("trackNotCarried"))
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", "hevc-match-source", "--set",
      "video.compressionProperties.speed=ultrafast", "--workers", "\(workers)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rpus = try units(output).filter(DualLayerStream.isRPU)
    #expect(rpus.count == DualLayerStream.frameCount)
    #expect(try Set(rpus) == [DualLayerStream.rpu("mel_to_81")])
    #expect(try ValidateTests.validate(output).having("fail") == [])
  }

  @Test(
    .needsSharedMedia, arguments: ["av1-match-source", "h264-sdr", "hevc-hlg"].shortened(to: 2))
  func otherOutputs(preset: String) throws {
    let source = try DualLayerStream(.minimal).write(to: "in.mkv", in: folder)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("transcode", source, output, "--preset", preset)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try ValidateTests.validate(output)
    let formats = [
      "av1-match-source": "Dolby Vision 10.1", "h264-sdr": "SDR", "hevc-hlg": "HLG",
    ]
    #expect(report.format == formats[preset])
    #expect(report.having("fail") == [])
  }

  /// Scaled frames cannot keep their RPUs. The output has new RPUs if they are requested;
  /// otherwise, it has none.
  @Test(.needsSharedMedia) func scaledFrames() throws {
    let source = try DualLayerStream(.full).write(to: "in.mp4", in: folder)
    func notices(_ settings: String...) throws -> [ReportedNotice] {
      let all = ["plan", source, "--preset", "hevc-pq", "--json"]
      return try BuiltCandela.run(all + settings.flatMap { ["--set", $0] }).notices()
    }
    let lost = try notices("video.width=128").arguments("baseLayerTaken")
    #expect(lost?["enhancementLayer"]?.contains("FEL") == true)
    let computed = try BuiltCandela.run(
      "plan", source, "--preset", "hevc-pq", "--set", "video.width=128", "--set",
      "video.hdrMetadata.dolbyVision=8.1")
    #expect(computed.output.contains("8.1, level 1: measured from the output's frames"))
  }

  /// `compare` also reports that residuals are lost.
  @Test(.needsSharedMedia, arguments: DualLayerStream.Layer.allCases)
  func comparison(layer: DualLayerStream.Layer) throws {
    let source = try DualLayerStream(layer).write(to: "in.mp4", in: folder)
    let (output, _) = try convert(source, to: "out.mp4")
    let report = try ComparedFiles(source, output)
    #expect(report.findings("lost") == (layer == .full ? ["dolbyVisionResiduals"] : []))
  }

  /// If the RPUs are in a second track, commands find them there.
  @Test(.needsSharedMedia) func reportsOnTwoTracks() throws {
    let source = try DualLayerStream(.full).writeTracks(to: "in.mp4", in: folder)
    let report = try BuiltCandela.run("inspect", source).words
    #expect(report.contains("dolbyVisionEnhancementLayer: in track 2"))
    let shown = try BuiltCandela.run("metadata", "show", source).output
    #expect(shown.contains("dolbyVision: 259 frames"))
    let extracted = try BuiltCandela.run("rpu", "extract", source, folder.path("all.bin"))
    #expect(extracted.status == 0, "\(extracted.errors)")
    let rpus = ByteStream.units(try FileBytes.read(folder.path("all.bin")))
    #expect(rpus.count == DualLayerStream.frameCount)
    #expect(try Set(rpus.map { [62 << 1, 1] + $0 }) == [DualLayerStream.rpu("fel_orig")])
    let cut = try BuiltCandela.run(
      "cut", source, folder.path("cut.mp4"), "--from", "1", "--to", "3")
    #expect(cut.status == 0, "\(cut.errors)")
    let still = try BuiltCandela.run("still", source, folder.path("still.png"), "--time", "1")
    #expect(still.status == 0, "\(still.errors)")
  }

  /// A graft converts RPUs of profile 7 to 8.1.
  @Test(.needsSharedMedia) func graft() throws {
    let source = try DualLayerStream(.minimal).write(to: "in.mkv", in: folder)
    let encode = folder.path("encode.mp4")
    try Tool.ffmpeg(
      "-i", source, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "log-level=none:colorprim=9:transfer=16:colormatrix=9", "-tag:v", "hvc1", encode)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("metadata", "graft", source, encode, output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rpus = try units(output).filter(DualLayerStream.isRPU)
    #expect(rpus.count == DualLayerStream.frameCount)
    #expect(try Set(rpus) == [DualLayerStream.rpu("mel_to_81")])
  }

  // MARK: Rules

  private func validated(
    _ stream: DualLayerStream,
    record box: [UInt8] = SyntheticMovie.dolbyVision(
      "dvcC", profile: 7, level: 6, enhancementLayer: true, compatibility: 6)
  ) throws -> ValidateTests.Report {
    let movie = try stream.write(to: "plain.mp4", in: folder)
    return try ValidateTests.validate(
      folder.write(SyntheticMovie.insert(box, into: FileBytes.read(movie)), to: "layers.mp4"))
  }

  @Test(.needsSharedMedia) func rules() throws {
    let stream = try DualLayerStream(.minimal)
    let report = try validated(stream)
    #expect(report.format == "Dolby Vision 7")
    let passed = report.having("pass")
    for rule in ["enhancementLayer", "residuals", "dolbyVisionFields", "rpuProfile"] {
      #expect(passed.contains(rule), "\(rule): \(report.evidence(rule))")
    }
    #expect(report.evidence("residuals") == "minimal (MEL) in all RPUs")
  }

  @Test(.needsSharedMedia) func brokenLayers() throws {
    var stream = try DualLayerStream(.minimal)
    let full = try DualLayerStream.rpu("fel_orig")
    stream.change { unit, frame in
      if frame == 7, DualLayerStream.isLayer(unit) { return nil }
      return frame == 9 && DualLayerStream.isRPU(unit) ? full : unit
    }
    let report = try validated(
      stream,
      record: SyntheticMovie.dolbyVision("dvcC", profile: 7, level: 6, compatibility: 2))
    #expect(report.having("fail").isSuperset(of: ["enhancementLayer", "dolbyVisionFields"]))
    #expect(report.having("warning").contains("residuals"))
    #expect(report.evidence("enhancementLayer").contains("1 of 259"))
    #expect(report.evidence("dolbyVisionFields").contains("el_present_flag is 0, expected 1"))
    #expect(report.evidence("dolbyVisionFields").contains("compatibility_id is 2, expected 1 or 6"))
  }
}
