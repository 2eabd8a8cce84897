// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Headroom-adaptive gain curves (SMPTE ST 2094-50) are measured, stay with their frames, are
/// dropped if colors change, and can also be read from a separate track.
@Suite struct GainCurveTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let copies = "video.codec=passthrough"

  @discardableResult func candela(_ arguments: String...) throws -> Tool.Outcome {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome
  }

  /// Encodes half a second of PQ or HLG.
  func encoded(_ preset: String, _ settings: String...) throws -> String {
    let output = folder.path(preset + (preset.hasPrefix("av1") ? ".mp4" : ".mov"))
    let outcome = try BuiltCandela.run(
      ["transcode", try BuiltCandela.sample(in: folder), output, "--preset", preset, "-y"]
        + settings.flatMap { ["--set", $0] } + [
          "--speed", preset.hasPrefix("av1") ? "12" : "ultrafast",
        ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns the metadata that each frame states.
  private func gains(_ path: String) throws -> [[String: Any]?] {
    let shown = try candela("metadata", "show", path, "--frames", "--json").json()
    let frames = try #require(shown["frames"] as? [[String: Any]])
    return frames.map { $0["st2094_50"] as? [String: Any] }
  }

  func headrooms(_ path: String) throws -> [Double?] {
    try gains(path).map { $0?["headroom"] as? Double }
  }

  /// Makes PQ in which frame number n states a headroom of (1000 + n)/10 000.
  ///
  /// - Parameter stated: the frames that state a headroom; `nil` for all. If some have none, every
  ///   third frame is a sync sample.
  func numbered(
    only stated: Set<Int>? = nil, _ change: (inout [UInt8], Int) -> Void = { _, _ in }
  ) throws -> String {
    let plain = try encoded(
      "hevc-pq", "video.compressionProperties.allowFrameReordering=false",
      "video.compressionProperties.maxKeyFrameInterval=\(stated == nil ? 250 : 3)")
    let stream = folder.path("plain.hevc")
    try Tool.ffmpeg("-i", plain, "-map", "0:v", "-c", "copy", "-f", "hevc", stream, "-y")
    var number = 0
    let units = ByteStream.units(try FileBytes.read(stream)).flatMap { unit -> [[UInt8]] in
      // Each message goes before the first slice of its frame.
      guard unit[0] >> 1 < 32, unit[2] & 0x80 != 0 else { return [unit] }
      let headroom = 1000 + number
      var body = [0, 0x40, UInt8(headroom >> 8), UInt8(headroom & 255), 0x80]
      change(&body, number)
      defer { number += 1 }
      guard stated?.contains(number) ?? true else { return [unit] }
      return [[0x4E, 1, 4, UInt8(5 + body.count), 0xB5, 0, 0x90, 0, 1] + body + [0x80], unit]
    }
    let named = try folder.write(ByteStream.joined(units), to: "numbered.hevc")
    let movie = folder.path("numbered.mov")
    try candela("metadata", "convert", named, movie, "--light", "1000,400", "-y")
    return movie
  }

  func numbers(_ path: String) throws -> [Int?] {
    try headrooms(path).map { $0.map { Int(($0 * 10_000).rounded()) - 1000 } }
  }

  /// A copy states a headroom that is measured in its own frames. This headroom agrees with the
  /// peak that HDR10+ states.
  @Test func copiesGetTheLightOfTheirShots() throws {
    let source = try encoded("hevc-pq", "video.hdrMetadata.hdr10Plus=measure")
    let output = folder.path("measured.mp4")
    try candela("metadata", "convert", source, output, "--st2094-50", "measure")
    let shown = try candela("metadata", "show", output, "--frames", "--json").json()
    let frames = try #require(shown["frames"] as? [[String: Any]])
    let peaks = frames.compactMap { ($0["hdr10Plus"] as? [String: Any])?["maximum"] as? [Double] }
    let peak = try #require(peaks.flatMap { $0 }.max())
    let stated = try headrooms(output)
    #expect(stated.count == 15 && Set(stated).count == 1)
    #expect(abs((stated[0] ?? 0) - log2(peak / 203)) < 0.001, "\(stated[0] ?? 0) \(peak)")
    let curves = try #require(try gains(output)[0])
    #expect(curves["isReferenceWhiteCurve"] as? Bool == true)
    #expect((curves["alternates"] as? [Any])?.count == 2)
    #expect(try ValidateTests.validate(output).having("fail") == [])
    let without = folder.path("without.mkv")
    try candela("metadata", "convert", output, without, "--st2094-50", "none")
    #expect(try headrooms(without).allSatisfy { $0 == nil })
    #expect(
      try Tool.frameDigests(without, format: "yuv420p10le")
        == Tool.frameDigests(source, format: "yuv420p10le"))
  }

  /// HLG gets the headroom of a display of 1000 cd/m². The preset's Dolby Vision is written as
  /// well.
  @Test(arguments: ["hevc-hlg", "av1-hlg"].shortened(to: 1))
  func encodesGetTheLightOfTheirShots(preset: String) throws {
    let output = try encoded(preset, "video.hdrMetadata.st2094_50=measure")
    let stated = try headrooms(output)
    #expect(stated.count == 15 && Set(stated).count == 1)
    #expect(abs((stated[0] ?? 0) - log2(1000.0 / 203)) < 0.02, "\(stated)")
    let verdict = try candela("validate", output)
    #expect(verdict.output.contains("Dolby Vision"), "\(verdict.output)")
  }

  /// A segment that begins inside a shot states the light of the whole shot. The second of the two
  /// shots is brightest in the first segment, and then fades.
  @Test func jobsOfSegmentsKnowTheShots() throws {
    let source = folder.path("shots.mp4")
    // A source with fewer than 240 frames is not divided into segments.
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=s=64x64:r=30", "-frames:v", "240", "-vf",
      "format=yuv420p10le,geq=lum='if(lt(N,60),300,max(500,760-2*(N-60)))+X':cb=512:cr=512",
      "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:range=limited:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
      source)
    var counts: [Int?] = []
    for workers in ["1", "2"] {
      let report = folder.path("\(workers).json")
      try candela(
        "transcode", source, folder.path("\(workers).mov"), "--preset", "hevc-pq", "--speed",
        "ultrafast", "--workers", workers, "--report", report, "--set",
        "video.hdrMetadata.st2094_50=measure", "--set",
        "video.compressionProperties.maxKeyFrameInterval=5")
      let data = Data(try FileBytes.read(report))
      let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      counts.append((object?["segments"] as? [String: Any])?["count"] as? Int)
    }
    #expect(counts[1] == 2)
    let stated = try headrooms(folder.path("2.mov"))
    #expect(stated.count == 240 && Set(stated).count == 2)
    #expect(stated[59] != stated[60] && stated[60] == stated[239])
    #expect(try headrooms(folder.path("1.mov")) == stated)
  }

  /// Each payload stays with its frame.
  @Test(
    arguments: [
      (["transcode", "-p", "hevc-match-source", "--speed", "ultrafast"], "mov", Array(0..<15)),
      (["transcode", "-p", "hevc-match-source", "--speed", "medium"], "mkv", Array(0..<15)),
      (["transcode", "-p", "av1-match-source", "--speed", "12"], "mp4", Array(0..<15)),
      (
        [
          "transcode", "-p", "hevc-match-source", "--set", "video.codec=h264", "--set",
          "video.profileLevel=H264_High10_AutoLevel",
        ], "mp4", Array(0..<15)
      ),
      (
        ["transcode", "-p", "hevc-match-source", "--set", "video.codec=passthrough"], "mkv",
        Array(0..<15)
      ),
      (
        ["transcode", "-p", "hevc-match-source", "--set", "video.codec=passthrough"], "mp4",
        Array(0..<15)
      ),
      (
        ["transcode", "-p", "hevc-match-source", "--speed", "ultrafast", "--from", "0.2"], "mov",
        Array(6..<15)
      ),
      (["cut", "--from", "0", "--to", "0.2"], "mov", Array(0..<6)),
      (
        [
          "transcode", "-p", "hevc-match-source", "--speed", "ultrafast", "--set",
          "video.frameRate=15",
        ], "mov", Array(stride(from: 0, to: 15, by: 2))
      ),
      (
        [
          "transcode", "-p", "hevc-match-source", "--speed", "ultrafast", "--set",
          "video.width=96",
        ], "mov", Array(0..<15)
      ),
      (
        [
          "transcode", "-p", "hevc-match-source", "--speed", "ultrafast", "--set",
          "video.width=96", "--set", "video.height=64", "--set",
          "video.scalingMode=resizeAspectFill",
        ], "mov", Array(0..<15)
      ),
      (["retag", "--content-light", "900,100"], "mov", Array(0..<15)),
      (["metadata", "convert", "--hdr10plus", "measure"], "mp4", Array(0..<15)),
    ].shortened(to: 4))
  func payloadsStayWithTheirFrames(
    command: [String], kind: String, expected: [Int]
  ) throws {
    let (source, output) = (try numbered(), folder.path("out.\(kind)"))
    #expect(try numbers(source) == Array(0..<15))
    let words = command.prefix(command[0] == "metadata" ? 2 : 1)
    let outcome = try BuiltCandela.run(words + [source, output] + command.dropFirst(words.count))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try numbers(output) == expected)
  }

  /// Curves stay in force until others replace them. So the first frame of a part gets the curves
  /// in force, even if a frame before the part's sync sample states them.
  @Test func partsBeginWithTheCurvesInForce() throws {
    let source = try numbered(only: [0, 2])
    let output = folder.path("part.mov")
    try candela(
      "transcode", source, output, "-p", "hevc-match-source", "--speed", "ultrafast", "--from",
      "10f")
    #expect(try numbers(output) == [2, nil, nil, nil, nil])
    let still = folder.path("still.avif")
    try candela("still", source, still, "--hdr", "--frame", "10")
    #expect(try Data(FileBytes.read(still)).range(of: Data([0, 0x40, 0x03, 0xEA, 0x80])) != nil)
    // A byte stream states no times for its frames, and is read once for all of its stills.
    let stream = folder.path("numbered.hevc")
    try candela("still", stream, folder.path("s%d.avif"), "--hdr", "--every", "0.2")
    for (number, headroom) in [(1, UInt8(0xE8)), (2, 0xEA), (3, 0xEA)] {
      let file = try Data(FileBytes.read(folder.path("s\(number).avif")))
      #expect(file.range(of: Data([0, 0x40, 0x03, headroom, 0x80])) != nil, "still \(number)")
    }
  }

  @Test func graftsTakeThem() throws {
    let source = try numbered()
    let other = folder.path("other.mp4")
    try Tool.ffmpeg(
      "-i", source, "-c:v", "libx265", "-x265-params", "log-level=none", "-preset", "ultrafast",
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-tag:v",
      "hvc1", "-an", other)
    #expect(try numbers(other).allSatisfy { $0 == nil })
    try candela("metadata", "graft", source, other, folder.path("grafted.mp4"))
    #expect(try numbers(folder.path("grafted.mp4")) == Array(0..<15))
  }

  /// Curves made for PQ do not fit SDR or HLG, so they are dropped, and the plan says that they are
  /// lost.
  @Test func conversionsDropThem() throws {
    let source = try numbered()
    for (preset, isKept) in [("h264-sdr", false), ("hevc-hlg", false), ("hevc-pq", true)] {
      let notices = try candela("plan", source, "--preset", preset, "--json").notices()
      let lost = notices.arguments("metadataNotCarried")?["metadata"]
      #expect(lost?.contains("st2094_50") ?? false != isKept, "\(preset): \(notices)")
    }
    let output = folder.path("sdr.mp4")
    try candela("transcode", source, output, "--preset", "h264-sdr", "--speed", "ultrafast")
    #expect(try numbers(output).allSatisfy { $0 == nil })
  }

  @Test(
    arguments: [
      ("hevc-sdr", "this metadata is only for HDR", 64),
      ("hevc-pq", "cannot be measured before", 65),
    ])
  func whatCannotBeMeasuredIsRefused(preset: String, words: String, status: Int32) throws {
    let sdr = folder.path("sdr.mp4")
    try candela(
      "transcode", try BuiltCandela.sample(in: folder), sdr, "--preset", "h264-sdr", "--speed",
      "ultrafast")
    let outcome = try BuiltCandela.run(
      "plan", sdr, "--preset", preset, "--set", "video.hdrMetadata.st2094_50=measure")
    #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
  }

  /// `validate` names the rule that a payload violates, and copies keep the payload.
  @Test(
    arguments: [
      // A headroom above 6; reserved bits; a reference white of 0; a later version.
      ("st2094_50Values", "fail", [0, 0x40, 0xFF, 0xE8, 0x80]),
      ("st2094_50Syntax", "fail", [0, 0x40, 3, 0xEB, 0x81]),
      ("st2094_50Values", "fail", [0, 0xC0, 0, 0, 0x4E, 0x20, 0x80]),
      ("st2094_50Syntax", "warning", [0x20, 0x40, 3, 0xEB, 0x80]),
    ] as [(String, String, [UInt8])])
  func brokenPayloads(rule: String, verdict: String, broken: [UInt8]) throws {
    let source = try numbered { body, number in if number == 3 { body = broken } }
    let report = try ValidateTests.validate(source)
    #expect(report.having(verdict).contains(rule), "\(report)")
    // Copies keep even payloads that cannot be read.
    let copy = folder.path("copy.mkv")
    try candela("transcode", source, copy, "-p", "hevc-match-source", "--set", Self.copies)
    let shown = try candela("metadata", "show", copy).output
    #expect(shown.contains("st2094_50: 15 frames"), "\(shown)")
  }

  /// A frame without curves would be shown with those of an earlier frame, so `validate` warns.
  @Test func missingPayloadsWarn() throws {
    let source = try numbered { body, number in if number == 3 { body[2] = 0 } }
    var file = try FileBytes.read(source)
    let message: [UInt8] = [0xB5, 0, 0x90, 0, 1]
    let found = try #require(Data(file).lastRange(of: Data(message)))
    file[found.lowerBound] = 0xB6
    let report = try ValidateTests.validate(folder.write(file, to: "missing.mov"))
    #expect(report.having("warning").contains("st2094_50Presence"), "\(report)")
  }

  /// Two payloads in a frame are a fault, even if another frame has none.
  @Test func doubledPayloadsFail() throws {
    _ = try numbered()
    var units = ByteStream.units(try FileBytes.read(folder.path("numbered.hevc")))
    let payloads = units.indices.filter { units[$0].dropFirst(4).starts(with: [0xB5, 0, 0x90]) }
    try #require(payloads.count > 3)
    units.remove(at: payloads[3])
    units.insert(units[payloads[1]], at: payloads[1])
    let stream = try folder.write(ByteStream.joined(units), to: "doubled.hevc")
    let report = try ValidateTests.validate(stream)
    #expect(report.having("fail").contains("st2094_50Presence"), "\(report)")
  }

  /// If the source has the curves in a separate track, a graft writes them into the encode's frames
  /// as messages.
  @Test(.needsSharedMedia) func graftFromATrack() throws {
    let source = SharedMedia.path("metadata/androidx__sample_with_it35_track.mp4")
    let (encoded, output) = (folder.path("encoded.mp4"), folder.path("out.mp4"))
    try Tool.ffmpeg(
      "-i", source, "-map", "0:v", "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt",
      "yuv420p10le", "-x265-params",
      "crf=20:log-level=none:colorprim=9:transfer=16:colormatrix=9:range=limited", "-tag:v",
      "hvc1", encoded)
    try candela("metadata", "graft", source, encoded, output)
    #expect(try headrooms(output) == headrooms(source))
    // The messages are in the samples, and the output has no track of user data.
    #expect(try Tool.probe(output, "stream=codec_type") == ["video"])
  }

  /// User data of a format that is not read cannot be grafted, whether it is in samples or in a
  /// track. It is named, unless the output gets the track.
  @Test(.needsSharedMedia) func graftNamesOtherUserData() throws {
    let encoded = folder.path("encoded.mp4")
    let whole = SharedMedia.path("metadata/androidx__sample_with_it35_track.mp4")
    try Tool.ffmpeg(
      "-i", whole, "-map", "0:v", "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt",
      "yuv420p10le", "-x265-params",
      "crf=20:log-level=none:colorprim=9:transfer=16:colormatrix=9:range=limited", "-tag:v",
      "hvc1", encoded)
    var bytes = try FileBytes.read(whole)
    let code = try #require(bytes.firstRange(of: Array("it35".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 5]))
    // HDR Vivid (T/UWA 005.1) instead of ST 2094-50.
    bytes.replaceSubrange(code.upperBound..<code.upperBound + 5, with: [0x26, 0, 4, 0, 5])
    // Without metadata that can be grafted, the source would be refused.
    let source = folder.path("source.mp4")
    try candela(
      "metadata", "convert", folder.write(bytes, to: "vivid.mp4"), source, "--light", "900,300")
    for (options, names) in [([], "HDR Vivid in track 2"), (["--tracks"], nil)] {
      let words = ["metadata", "graft", source, encoded, "--plan", "--json"]
      let plan = try BuiltCandela.run(words + options)
      #expect(plan.status == 0, "\(plan.errors)")
      #expect(try plan.notices().arguments("userDataNotCarried")?["names"] == names)
    }
  }

  /// A separate track with gain curves is shown and copied. It is left out if colors change.
  @Test(.needsSharedMedia) func tracksOfTheirOwn() throws {
    let source = SharedMedia.path("metadata/androidx__sample_with_it35_track.mp4")
    #expect(try candela("inspect", source).output.contains("SMPTE ST 2094-50"))
    let stated = try headrooms(source)
    #expect(stated.count == 30 && stated.first == 1.2178 && stated.last == 1.2124)
    let copy = folder.path("copy.mp4")
    try candela("transcode", source, copy, "-p", "hevc-match-source", "--set", Self.copies)
    #expect(try headrooms(copy) == stated)
    let cut = folder.path("cut.mp4")
    try candela("cut", source, cut, "--from", "0", "--to", "0.2")
    #expect(try headrooms(cut) == Array(stated.prefix(6)))
    let notices = try candela("plan", source, "--preset", "h264-sdr", "--json").notices()
    #expect(notices.arguments("trackNotCarried")?["track"] == "2", "\(notices)")
    // Only the setting for ST 2094-50 removes the track.
    for (kind, isKept) in [("st2094_50", false), ("hdr10Plus", true)] {
      let plan = try candela(
        "plan", source, "--preset", "hevc-match-source", "--set", "video.hdrMetadata.\(kind)=none",
        "--json")
      #expect(
        (try plan.notices().arguments("trackNotCarried")?["track"] == nil) == isKept, "\(kind)")
    }
  }
}
