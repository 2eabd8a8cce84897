// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// `metadata convert` changes the HDR metadata of copies. Their coded pictures stay as they are.
@Suite struct MetadataConvertTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes half a second of PQ without dynamic metadata.
  private func pq() throws -> String {
    let output = folder.path("pq.mov")
    try transcode("hevc-pq", to: output)
    return output
  }

  private func transcode(_ preset: String, to output: String, _ settings: String...) throws {
    let outcome = try BuiltCandela.run(
      ["transcode", try BuiltCandela.sample(in: folder), output, "--preset", preset]
        + (settings + ["video.compressionProperties.speed=ultrafast"]).flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func convert(_ input: String, to name: String, _ options: String...) throws -> String {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(["metadata", "convert", input, output] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns the slices of a file's video.
  private func slices(_ path: String) throws -> [[UInt8]] {
    let stream = folder.path("slices.hevc")
    try Tool.ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    return ByteStream.units(try FileBytes.read(stream)).filter { $0[0] >> 1 < 32 }
  }

  /// Returns the numbers of HDR10+ in each frame, as ffprobe reads them.
  private func light(_ path: String) throws -> [String] {
    let text = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_frames", "-show_entries",
        "frame_side_data", path,
      ]
    ).output
    return text.components(separatedBy: "[FRAME]").dropFirst().map { frame in
      frame.split(separator: "\n").filter { $0.hasPrefix("maxscl") || $0.contains("maxrgb") }
        .joined(separator: " ")
    }
  }

  private func isValid(_ path: String, as format: String) throws {
    let verdict = try BuiltCandela.run("validate", path)
    #expect(verdict.status == 0 && verdict.output.contains("\(format): conforms"))
  }

  /// Measuring for a copy gives the same values as encoding the same frames.
  @Test func hdr10PlusIsThatOfTheEncode() throws {
    let encoded = folder.path("encoded.mov")
    try transcode("hevc-pq", to: encoded, "video.hdrMetadata.hdr10Plus=measure")
    let expected = try light(encoded)
    #expect(expected.count == 15 && expected.allSatisfy { !$0.isEmpty })
    let converted = try convert(try pq(), to: "converted.mp4", "--hdr10plus", "measure")
    #expect(try light(converted) == expected)
    let removed = try convert(converted, to: "removed.mkv", "--hdr10plus", "none")
    #expect(try light(removed).allSatisfy(\.isEmpty))
  }

  /// Returns the messages of ITU-T T.35 beside the frames of a Matroska file, in the file's order.
  private func additions(_ path: String) throws -> [[UInt8]] {
    let bytes = try FileBytes.read(path)
    // BlockAddID 4, then BlockAdditional with a length of one byte.
    let beginning: [UInt8] = [0xEE, 0x81, 0x04, 0xA5]
    return bytes.indices.dropLast(beginning.count).compactMap { place in
      guard bytes[place...].starts(with: beginning) else { return nil }
      let length = Int(bytes[place + beginning.count] & 0x7F)
      return Array(bytes[place...].dropFirst(beginning.count + 1).prefix(length))
    }
  }

  /// Returns the payloads of the SEI messages with HDR10+, in the order of decoding.
  private func hdr10PlusMessages(_ path: String) throws -> [[UInt8]] {
    let stream = folder.path("messages.hevc")
    try Tool.ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    return try ByteStream.units(FileBytes.read(stream)).compactMap { unit in
      let bytes = unit.indices.filter { index in
        index < 2 || unit[index] != 3 || unit[index - 1] != 0 || unit[index - 2] != 0
      }.map { unit[$0] }
      guard bytes.starts(with: [39 << 1, 1, 4]), bytes[4...].starts(with: [0xB5, 0, 0x3C, 0, 1, 4])
      else { return nil }
      return Array(bytes[4...].prefix(Int(bytes[3])))
    }
  }

  /// In Matroska, HDR10+ is repeated beside each frame, and the track announces it.
  @Test func matroskaHasHDR10PlusBesideFrames() throws {
    let source = try pq()
    let converted = try convert(source, to: "converted.mkv", "--hdr10plus", "measure")
    let beside = try additions(converted)
    let inside = try hdr10PlusMessages(converted)
    #expect(beside.count == 15 && beside == inside)
    let elements = try Tool.run("mkvinfo", [converted]).output
    #expect(elements.contains("Block addition ID type: 4"))
    // The frames, the index and the checksums are still right.
    try Tool.ffmpeg(
      "-xerror", "-err_detect", "crccheck+explode", "-ss", "0.3", "-i", converted, "-f", "null", "-"
    )
    let frames = try Tool.frameDigests(converted, format: "yuv420p10le")
    #expect(try frames == Tool.frameDigests(source, format: "yuv420p10le"))
    let removed = try convert(converted, to: "removed.mkv", "--hdr10plus", "none")
    #expect(try additions(removed).isEmpty)
  }

  /// Metadata that cannot be read is copied with its frame, but not repeated beside it, because
  /// FFmpeg would then drop the frame.
  @Test func damagedHDR10PlusIsNotRepeated() throws {
    let converted = try convert(try pq(), to: "converted.mp4", "--hdr10plus", "measure")
    let stream = folder.path("damaged.hevc")
    try Tool.ffmpeg("-i", converted, "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    let units = try ByteStream.units(FileBytes.read(stream)).map { unit in
      let isHDR10Plus =
        unit.starts(with: [39 << 1, 1, 4]) && unit[4...].starts(with: [0xB5, 0, 0x3C])
      return isHDR10Plus ? [39 << 1, 1, 4, 12] + unit[4..<16] + [0x80] : unit
    }
    try folder.write(ByteStream.joined(units), to: "damaged.hevc")
    let output = folder.path("damaged.mkv")
    let outcome = try BuiltCandela.run([
      "transcode", stream, output, "--preset", "hevc-match-source", "--codec", "passthrough",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try additions(output).isEmpty)
    #expect(try Tool.frameDigests(output, format: "yuv420p10le").count == 15)
  }

  /// Files in any container are converted, and coded pictures stay as they were.
  @Test(
    arguments: [
      ("in.mov", "out.mp4"), ("in.ts", "out.mov"), ("in.hevc", "out.mkv"), ("in.mkv", "out.mp4"),
      ("in.hevc", "out.mov"), ("in.ts", "out.mkv"),
    ].shortened(to: 2))
  func containers(input: String, output: String) throws {
    let (source, copy) = (try pq(), folder.path(input))
    try Tool.ffmpeg("-i", source, "-map", "0:v", "-c", "copy", copy)
    let converted = try convert(copy, to: output, "--dolby-vision", "8.1", "--light", "measure")
    try isValid(converted, as: "Dolby Vision 8.1")
    #expect(try slices(converted) == slices(source))
    let frames = try Tool.frameDigests(converted, format: "yuv420p10le")
    #expect(try frames == Tool.frameDigests(source, format: "yuv420p10le"))
    let shown = try BuiltCandela.run("metadata", "show", converted, "--json").json()
    let counts = try #require(shown["counts"] as? [[String: Any]])
    #expect(counts.map { $0["frameCount"] as? Int } == [15])
  }

  /// A stream without times gets times from the order and the rate of its frames.
  @Test func rawStreamsGetTimes() throws {
    let (source, stream) = (try pq(), folder.path("in.hevc"))
    try Tool.ffmpeg("-i", source, "-map", "0:v", "-c", "copy", stream)
    let converted = try convert(stream, to: "out.mp4", "--dolby-vision", "8.1")
    let times = try Tool.probe(converted, "frame=pts_time").compactMap { Double($0) }
    let expected = try Tool.probe(source, "frame=pts_time").compactMap { Double($0) }
    #expect(times.count == 15 && expected.count == 15)
    for (time, expected) in zip(times, expected) { #expect(abs(time - expected) < 0.001) }
  }

  /// The last RPU of this stream comes after an end of sequence, where libavformat cuts it off.
  @Test(.needsSharedMedia) func unitsAfterTheEndOfASequenceStay() throws {
    let source = SharedMedia.path("hdr/dovi_tool__regular.hevc")
    let converted = try convert(source, to: "regular.mp4", "--mastering-display", "p3,1000,0.0001")
    for (file, name) in [(source, "a.bin"), (converted, "b.bin")] {
      let outcome = try BuiltCandela.run("rpu", "extract", file, folder.path(name))
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let isSame = try FileBytes.read(folder.path("a.bin")) == FileBytes.read(folder.path("b.bin"))
    #expect(isSame)
    #expect(try slices(converted) == slices(source))
    #expect(try ValidateTests.validate(converted).having("fail") == [])
  }

  /// Plain HLG becomes Dolby Vision 8.4, with the record and the brands of 8.4.
  @Test func plainHLG() throws {
    let plain = folder.path("plain.mov")
    try transcode("hevc-hlg", to: plain, "video.hdrMetadata.dolbyVision=none")
    let converted = try convert(plain, to: "dv.mov", "--dolby-vision", "8.4")
    try isValid(converted, as: "Dolby Vision 8.4")
    let facts = try HDRCheck.facts(converted)
    #expect((facts["dv"] as? String)?.hasPrefix("dvvC 8.4") == true, "\(facts)")
    let file = try convert(plain, to: "dv.mp4", "--dolby-vision", "8.4")
    let brands = try Tool.run("ffprobe", ["-v", "error", "-show_entries", "format_tags", file])
    #expect(brands.output.contains("dby1db4h"), "\(brands.output)")
    // Matroska has no sample entry whose type could be wrong.
    try isValid(convert(plain, to: "dv.mkv", "--dolby-vision", "8.4"), as: "Dolby Vision 8.4")
    let back = try convert(converted, to: "back.mov", "--dolby-vision", "none")
    #expect(try HDRCheck.facts(back)["dv"] is NSNull)
    #expect(try slices(back) == slices(plain))
  }

  @Test func staticMetadata() throws {
    let converted = try convert(
      try pq(), to: "static.mp4", "--light", "1234,56", "--mastering-display", "2020,4000,0.005")
    let stated = try Tool.run("ffprobe", ["-v", "error", "-show_streams", converted]).output
    #expect(stated.contains("max_content=1234") && stated.contains("max_average=56"))
    #expect(stated.contains("max_luminance=40000000/10000"))
    let none = try convert(
      converted, to: "none.mp4", "--light", "none", "--mastering-display", "none")
    let left = try Tool.run("ffprobe", ["-v", "error", "-show_streams", none]).output
    #expect(!left.contains("max_content") && !left.contains("max_luminance"))
  }

  @Test(
    arguments: [
      ("hevc-hlg", ["--hdr10plus", "measure"], "is for PQ"),
      ("hevc-hlg", ["--dolby-vision", "8.1"], "PQ"), ("hevc-pq", ["--dolby-vision", "8.4"], "HLG"),
      ("h264-sdr", ["--light", "measure"], "not HLG or PQ"),
      ("hevc-sdr", ["--light", "1000,400"], "not HLG or PQ"),
    ].shortened(to: 3))
  func refusals(preset: String, options: [String], word: String) throws {
    let source = folder.path("source.mov")
    try transcode(preset, to: source)
    let outcome = try BuiltCandela.run(
      ["metadata", "convert", source, folder.path("out.mov")] + options)
    #expect(outcome.status == 65 && outcome.errors.contains(word), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.mov")))
  }

  /// If HDR10+ is broken, `validate` names the rule that it violates.
  @Test(
    arguments: [
      // `application_version` 2; a targeted display of more than 10 000 cd/m²; no window.
      ("hdr10PlusValues", 6, UInt8(2)), ("hdr10PlusValues", 7, 0x7F), ("hdr10PlusSyntax", 7, 0),
    ])
  func brokenHDR10Plus(rule: String, place: Int, byte: UInt8) throws {
    let measured = try convert(try pq(), to: "plus.mp4", "--hdr10plus", "measure")
    #expect(try ValidateTests.validate(measured).having("fail") == [])
    var file = try FileBytes.read(measured)
    let message: [UInt8] = [0xB5, 0, 0x3C, 0, 1, 4]
    let found = try #require(Data(file).firstRange(of: Data(message)))
    file[found.lowerBound + place] = byte
    let report = try ValidateTests.validate(folder.write(file, to: "broken.mp4"))
    #expect(report.having("fail") == [rule], "\(report.having("fail"))")
  }

  /// Copies keep user data that the program cannot read, and reports name it.
  @Test func otherUserDataIsNamed() throws {
    let stream = folder.path("plain.hevc")
    try Tool.ffmpeg("-i", try pq(), "-map", "0:v", "-c", "copy", "-f", "hevc", stream)
    // HDR Vivid as an SEI message before the first slice.
    let message: [UInt8] = [0x4E, 1, 4, 10, 0x26, 0, 4, 0, 5, 1, 0x40, 0x4E, 0x20, 0x80, 0x80]
    let units = ByteStream.units(try FileBytes.read(stream))
    let slice = try #require(units.firstIndex { $0[0] >> 1 < 32 })
    let named = Array(units[..<slice]) + [message] + Array(units[slice...])
    let input = try folder.write(ByteStream.joined(named), to: "named.hevc")
    let converted = try convert(input, to: "named.mp4", "--light", "1000,400")
    let shown = try BuiltCandela.run("metadata", "show", converted).output
    #expect(shown.contains("HDR Vivid: 1 frame"), "\(shown)")
    let plan = try BuiltCandela.run("plan", converted, "--preset", "hevc-pq")
    #expect(plan.output.contains("HDR Vivid"), "\(plan.output)")
    let notices = try BuiltCandela.run("plan", converted, "--preset", "hevc-pq", "--json").notices()
    #expect(notices.arguments("userDataNotCarried") == ["names": "HDR Vivid"])
  }

  /// A record that states a different profile than the RPUs is reported.
  @Test func recordsAreNotBelieved() throws {
    let clip = folder.path("dv.mov")
    try transcode("hevc-hlg", to: clip)
    var file = try FileBytes.read(clip)
    let box = try #require(Data(file).firstRange(of: Data("dvvC".utf8)))
    // `dv_profile` 9, in the upper 7 bits of the third byte.
    file[box.upperBound + 2] = 9 << 1
    let shown = try BuiltCandela.run(
      "metadata", "show", folder.write(file, to: "wrong.mov"), "--json")
    let report = try shown.json()
    let notices = try #require(report["notices"] as? [[String: Any]])
    #expect(notices.contains { $0["code"] as? String == "recordOfOtherProfile" }, "\(shown.output)")
  }

  /// Light levels of 0 would mean that they are unknown, so black frames get none.
  @Test func blackFrames() throws {
    let black = folder.path("black.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=black:s=128x96:r=25:d=0.2", "-pix_fmt", "yuv420p10le", "-c:v",
      "libx265", "-preset", "ultrafast", "-x265-params",
      "log-level=none:colorprim=9:transfer=16:colormatrix=9", "-tag:v", "hvc1", black)
    let converted = try convert(black, to: "measured.mp4", "--light", "measure")
    #expect(try HDRCheck.facts(converted)["clli"] as? [Int] == nil)
  }

  /// Messages about values name the option that was typed, not the key of a preset.
  @Test(
    arguments: [
      (["--light", "1000"], "--light cannot be '1000': use measure"),
      (["--light", "0,0"], "--light is '0,0'"),
      (["--mastering-display", "p3,1000,0.00001"], "--mastering-display cannot be 'p3,1000"),
      (["--mastering-display", "p4,1000,0.0001"], "--mastering-display cannot be 'p4,1000"),
      (["--mastering-display", "p3,0.1,1"], "--mastering-display is 'p3,0.1,1'"),
      (["--dolby-vision", "7"], "use '8.1', '8.4' or 'none'"),
    ])
  func valuesOfOptions(options: [String], words: String) throws {
    let outcome = try BuiltCandela.run(["metadata", "convert", "a.mov", "b.mov"] + options)
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("preset:") && !outcome.errors.contains("a number such as"))
  }

  @Test func somethingHasToChange() throws {
    let outcome = try BuiltCandela.run("metadata", "convert", "a.mov", "b.mov")
    #expect(outcome.status == 64 && outcome.errors.contains("--dolby-vision"))
  }
}
