// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// After Dolby Vision RPUs are extracted from a file or injected into one, an independent reader
/// finds the same RPUs.
@Suite(.needsSharedMedia) struct RPUCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let clips = ["androidx__dolbyVision-hdr.MOV", "androidx__sample_edit_list.mp4"]

  private func path(_ clip: String) -> String { SharedMedia.path("hdr/\(clip)") }

  private func extract(_ source: String, _ options: String...) throws -> [UInt8] {
    let file = folder.path("extracted.bin")
    let outcome = try BuiltCandela.run(
      ["rpu", "extract", source, file, "--overwrite"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try FileBytes.read(file)
  }

  @Test(arguments: clips)
  func extractGivesAllRPUs(clip: String) throws {
    let isSame = try extract(path(clip)) == HDRCheck.rpus(path(clip))
    #expect(isSame)
  }

  /// A byte stream has no times, so its RPUs are extracted in the order in which a decoder outputs
  /// the frames. In this stream, the last RPU comes after an end of sequence.
  @Test func byteStreamsAreInTheOrderOfPresentation() throws {
    let source = path("dovi_tool__regular.hevc")
    let decoded = ByteStream.units(try HDRCheck.rpus(source))
    let packets = try Tool.probe(source, "packet=pos").compactMap { Int($0) }
    let shown = try Tool.probe(source, "frame=pkt_pos").compactMap { Int($0) }
    #expect(shown.count == decoded.count)
    let expected = try shown.map { position in
      decoded[try #require(packets.firstIndex(of: position))]
    }
    let found = ByteStream.units(try extract(source))
    let isSame = found == expected
    #expect(isSame)
    let isReordered = found != decoded
    #expect(isReordered)
  }

  /// If samples are copied into another container, the RPUs that are extracted stay the same.
  @Test(arguments: ["clip.mkv", "clip.ts", "clip.hevc", "fragments.mp4"].shortened(to: 2))
  func everyContainer(name: String) throws {
    let source = path(Self.clips[0])
    let copy = folder.path(name)
    var arguments = ["-ignore_editlist", "1", "-i", source, "-map", "0:v", "-c", "copy"]
    if name.hasSuffix("mp4") { arguments += ["-movflags", "frag_keyframe+empty_moov"] }
    try Tool.ffmpeg(arguments + [copy])
    let isSame = try extract(copy) == HDRCheck.rpus(source)
    #expect(isSame)
  }

  /// Injection adds the brands of Dolby Vision to a file, because players choose files by brand.
  @Test func injectionAddsBrands() throws {
    let (plain, file) = (folder.path("plain.mp4"), folder.path("rpus.bin"))
    let source = path(Self.clips[0])
    let bare = try BuiltCandela.run("metadata", "convert", source, plain, "--dolby-vision", "none")
    #expect(bare.status == 0, "\(bare.errors)")
    _ = try BuiltCandela.run("rpu", "extract", source, file)
    let output = folder.path("with.mp4")
    let outcome = try BuiltCandela.run("rpu", "inject", plain, file, output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let brands = try Tool.run("ffprobe", ["-v", "error", "-show_entries", "format_tags", output])
    #expect(brands.output.contains("dby1db4h"), "\(brands.output)")
    let decoded = try Tool.frameDigests(output, format: "yuv420p10le")
    #expect(try decoded == Tool.frameDigests(plain, format: "yuv420p10le"))
  }

  /// With `--presented`, only the RPUs of presented frames are extracted, because an editor sees
  /// only these frames.
  @Test func presentedOnly() throws {
    let presented = ByteStream.units(try extract(path(Self.clips[1]), "--presented"))
    let isSame =
      presented == Array(ByteStream.units(try HDRCheck.rpus(path(Self.clips[1])))[7..<85])
    #expect(isSame)
  }

  /// Level 1 has the values that other software decoded from this clip: a maximum of 3044 and an
  /// average of 2077.
  @Test func showTellsLevel1() throws {
    let report = try BuiltCandela.run("rpu", "show", path(Self.clips[0]), "--json").json()
    let frames = try #require(report["frames"] as? [[String: Any]])
    #expect(report["rpuCount"] as? Int == 5)
    #expect(frames.count == 5)
    let levels = frames.compactMap { $0["level1"] as? [String: Any] }
    #expect(levels.contains { $0["maxPQ"] as? Int == 3044 && $0["avgPQ"] as? Int == 2077 })
    // colour-science's `eotf_ST2084` gives 925.1238 cd/m² for 3044 of 4095.
    let brightest = try #require(levels.first { $0["maxPQ"] as? Int == 3044 })
    let light = try #require(brightest["maxLuminance"] as? Double)
    #expect(abs(light - 925.1238) < 0.001, "\(light)")
    // A file of extracted RPUs can be shown, too.
    let file = folder.path("rpu.bin")
    _ = try BuiltCandela.run("rpu", "extract", path(Self.clips[0]), file)
    let alone = try BuiltCandela.run("rpu", "show", file, "--frame", "2")
    #expect(alone.output.contains("level 1:"), "\(alone.output) \(alone.errors)")
  }

  private func pictures(_ path: String) throws -> String {
    try Tool.ffmpeg("-i", path, "-map", "0:v", "-f", "framemd5", "-").text
  }

  /// The RPUs of a source are injected into a transcode without metadata. Each frame gets the RPU
  /// of its source frame, and the decoded frames stay as they were.
  @Test(
    arguments: [
      ("androidx__dolbyVision-hdr.MOV", "out.mov", "dvvC 8.4 L2"),
      ("androidx__sample_edit_list.mp4", "out.mp4", "dvvC 8.4 L4"),
    ].everySecond)
  func injectGivesEachPictureItsRPU(clip: String, name: String, record: String) throws {
    let (plain, output) = (folder.path("plain-\(name)"), folder.path(name))
    let settings = [
      "video.compressionProperties.speed=ultrafast",
      "video.compressionProperties.hdrMetadataInsertionMode=none",
    ]
    let transcode = try BuiltCandela.run(
      ["transcode", path(clip), plain, "--preset", "hevc-hlg"]
        + settings.flatMap { ["--set", $0] })
    #expect(transcode.status == 0, "\(transcode.errors)")
    let wanted = try extract(path(clip), "--presented")
    let outcome = try BuiltCandela.run(
      "rpu", "inject", plain, folder.path("extracted.bin"), output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let isSame = try HDRCheck.rpus(output) == wanted
    #expect(isSame)
    let facts = try HDRCheck.facts(output)
    #expect(facts["dv"] as? String == record)
    #expect(facts["rpu_aus"] as? Int == ByteStream.units(wanted).count)
    #expect(facts["aus"] as? Int == ByteStream.units(wanted).count)
    let warnings = try #require(facts["warnings"] as? [String])
    #expect(warnings.isEmpty, "\(warnings)")
    let isUntouched = try pictures(output) == pictures(plain)
    #expect(isUntouched)
    let noRPUs = try BuiltCandela.run(
      "rpu", "inject", plain, path(clip), folder.path("none.mov"))
    #expect(noRPUs.status == 65)
  }

  /// Injection into a phone's clip replaces all RPUs of the clip and nothing else. Injecting the
  /// clip's own RPUs again restores the clip.
  @Test func injectReplaces() throws {
    let source = path(Self.clips[0])
    let rpus = try extract(source)
    let own = try folder.write(rpus, to: "own.bin")
    let reversed = ByteStream.joined(ByteStream.units(rpus).reversed())
    let turned = try folder.write(reversed, to: "turned.bin")
    let output = folder.path("turned.mov")
    _ = try BuiltCandela.run("rpu", "inject", source, turned, output)
    let isTurned = try HDRCheck.rpus(output) == reversed
    #expect(isTurned)
    #expect(
      try HDRCheck.facts(output)["warnings"] as? [String] == HDRCheck.facts(source)["warnings"]
        as? [String])
    let back = folder.path("back.mov")
    #expect(try BuiltCandela.run("rpu", "inject", output, own, back).status == 0)
    let before = try BuiltCandela.run("inspect", source).output.split(separator: "\n").dropFirst()
    let after = try BuiltCandela.run("inspect", back).output.split(separator: "\n").dropFirst()
    #expect(before == after)
    let isBack = try HDRCheck.rpus(back) == rpus && pictures(back) == pictures(source)
    #expect(isBack)
  }

  @Test func aCountThatDoesNotFitIsRefused() throws {
    let rpus = try folder.write(extract(path(Self.clips[1])), to: "rpu.bin")
    let outcome = try BuiltCandela.run(
      "rpu", "inject", path(Self.clips[0]), rpus, folder.path("x.mov"))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("5 frames") && outcome.errors.contains("86 RPUs"))
    #expect(!folder.names.contains("x.mov"))
  }

  /// RPUs that were extracted with `--presented` cannot be injected into the same file, because
  /// there are none for its hidden frames.
  @Test func presentedRPUsDoNotFitHiddenPictures() throws {
    let source = path(Self.clips[1])
    _ = try extract(source, "--presented")
    let outcome = try BuiltCandela.run(
      "rpu", "inject", source, folder.path("extracted.bin"), folder.path("x.mp4"))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("86 frames") && outcome.errors.contains("78 RPUs"))
    #expect(outcome.errors.contains("without --presented"), "\(outcome.errors)")
  }

  /// Injection decodes nothing, so RPUs can be injected even if no frame can be decoded.
  @Test func injectNeedsNoPicture() throws {
    var bytes = try FileBytes.read(path(Self.clips[0]))
    // The picture parameter set becomes number 1, but all slices refer to number 0.
    let set = try #require(Data(bytes).range(of: Data([0x44, 0x01, 0xC0]), options: .backwards))
    bytes[set.upperBound - 1] = 0x50
    let damaged = try folder.write(bytes, to: "damaged.mov")
    #expect(try BuiltCandela.run("inspect", damaged).output.contains("no frame could be decoded"))
    let own = try extract(path(Self.clips[0]))
    let outcome = try BuiltCandela.run(
      "rpu", "inject", damaged, folder.path("extracted.bin"), folder.path("x.mov"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let isSame = try HDRCheck.rpus(folder.path("x.mov")) == own
    #expect(isSame)
  }

  /// `rpu plot` writes a PNG file that ffmpeg can read, with the line of the maximum in its place.
  @Test(arguments: clips.shortened(to: 1)) func plotIsAPicture(clip: String) throws {
    let output = folder.path("plot.png")
    let outcome = try BuiltCandela.run("rpu", "plot", path(clip), output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(output, "stream=codec_name,width,height") == ["png,1280,720"])
    let pixels = try Tool.picture(output, format: "rgb24")
    // The line of the maximum is red. PQ 3044 of 4095 is at row 201, because the plot area reaches
    // from row 640 up to row 50.
    let red = stride(from: 0, to: pixels.count, by: 3).filter {
      pixels[$0] == 200 && pixels[$0 + 1] == 60 && pixels[$0 + 2] == 30
    }.map { $0 / 3 / 1280 }.filter { $0 > 45 }
    let row = try #require(red.min())
    if clip == Self.clips[0] { #expect(abs(row - 201) <= 2, "\(row)") }
  }

  /// `inspect --frames` lists the types and times that FFmpeg's decoder finds, and SEI messages.
  @Test func framesAreListed() throws {
    let source = path(Self.clips[1])
    let report = try BuiltCandela.run("inspect", source, "--frames", "--json").json()
    let frames = try #require(report["frames"] as? [[String: Any]])
    let expected = try Tool.probe(
      source, "frame=pts,pict_type", options: ["-ignore_editlist", "1"]
    ).filter { $0.first?.isNumber == true }
    #expect(frames.count == 86)
    let found = frames.compactMap { $0["type"] as? String }
    #expect(
      found == expected.compactMap { $0.split(separator: ",").dropFirst().first.map(String.init) })
    let ticks = frames.compactMap { $0["time"] as? Double }.map { Int(($0 * 600).rounded()) }
    #expect(ticks == expected.compactMap { $0.split(separator: ",").first.flatMap { Int($0) } })
    #expect(frames.allSatisfy { $0["level1"] != nil })
    let text = try BuiltCandela.run("inspect", source, "--frames").output
    #expect(text.contains("L1 "))
    // Both IDR frames carry SEI 137 (mastering display) and SEI 144 (light level).
    let stream = try BuiltCandela.run("inspect", path("dovi_tool__regular.hevc"), "--frames")
    let carriers = stream.output.split(separator: "\n").filter {
      $0.contains(" I sync") && $0.contains(" 137") && $0.contains(" 144")
    }
    #expect(carriers.count == 2, "\(stream.output.prefix(2000))")
  }

  @Test func mistakes() throws {
    func status(_ arguments: String...) throws -> Int32 {
      try BuiltCandela.run(["rpu"] + arguments).status
    }
    let sample = try BuiltCandela.sample(in: folder)
    #expect(try status("extract", sample, folder.path("x.bin")) == 65)
    #expect(try status("show", sample) == 65)
    #expect(try status("show", path(Self.clips[0]), "--frame", "5") == 64)
    #expect(try status("extract", folder.path("none.mov"), folder.path("x.bin")) == 66)
    #expect(try status("extract", path(Self.clips[0]), sample) == 73)
    #expect(folder.names == ["sample.mov"])
  }
}
