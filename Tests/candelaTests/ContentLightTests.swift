// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation
import TestSupport
import Testing

/// With `contentLightLevel: measure`, the box, `hvcC` and the report state MaxCLL and MaxFALL of
/// the output's decoded frames, although both are known only after the last frame.
@Suite struct ContentLightTests {
  private static let measure = "video.compressionProperties.contentLightLevel=measure"
  private static let pq = [
    "video.colorProperties.transferFunction=SMPTE_ST_2084_PQ",
    "video.compressionProperties.hdrMetadataInsertionMode=none",
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Report: Decodable {
    struct Levels: Decodable {
      let maxCLL: Int
      let maxFALL: Int
    }
    let measuredContentLightLevel: Levels
  }

  /// Transcodes, and returns the path of the output and the levels of the report.
  private func measured(
    _ input: String, _ name: String, preset: String, _ changes: [String]
  ) throws -> (path: String, levels: [Int]) {
    let (output, report) = (folder.path(name), folder.path("report.json"))
    let settings = ["video.compressionProperties.speed=ultrafast", Self.measure] + changes
    let outcome = try BuiltCandela.run(
      ["transcode", input, output, "--preset", preset, "--report", report]
        + settings.flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    let data = Data(try FileBytes.read(report))
    let levels = try JSONDecoder().decode(Report.self, from: data).measuredContentLightLevel
    return (output, [levels.maxCLL, levels.maxFALL])
  }

  /// Returns the levels in the box, then those in each frame's SEI, as ffprobe reads them.
  private func stated(_ path: String) throws -> [[Int]] {
    let box = try Tool.probe(path, "stream_side_data=max_content,max_average")
    let pictures = try Tool.probe(path, "frame_side_data=max_content,max_average")
    return (box + pictures).map { line in line.split(separator: ",").compactMap { Int($0) } }
      .filter { $0.count == 2 }
  }

  // MARK: The definition, in double precision

  /// Returns the light of a PQ signal in cd/m² (SMPTE ST 2084, equation 4.1).
  private static func pqLight(_ signal: Double) -> Double {
    let power = pow(signal, 32.0 / 2523)
    let quotient = max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power)
    return 10_000 * pow(quotient, 16_384.0 / 2610)
  }

  /// Applies ARIB STD-B67's inverse OETF as BT.2100 writes it. Scene light goes up to 1.
  private static func hlgScene(_ signal: Double) -> Double {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73)
    return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
  }

  private static func light(_ signals: [Double], isHLG: Bool) -> Double {
    guard isHLG else { return signals.map(pqLight).max() ?? 0 }
    let scene = signals.map(hlgScene)
    let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
    // BT.2100, table 5: a display of 1000 cd/m² has the system gamma 1.2.
    return luminance > 0 ? 1000 * pow(luminance, 0.2) * (scene.max() ?? 0) : 0
  }

  /// Returns the light of the brightest pixel in some lines of a frame, and the mean light of these
  /// lines (CTA-861.3).
  private static func levels(
    _ picture: InterpolatedPicture, width: Int, lines: Range<Int>, isHLG: Bool
  ) -> (maximum: Double, mean: Double) {
    let values = lines.flatMap { y in
      (0..<width).map { x in
        let color = picture.pixel(x, y)
        return light([color.x, color.y, color.z], isHLG: isHLG)
      }
    }
    return (values.max() ?? 0, values.reduce(0, +) / Double(values.count))
  }

  /// Expects each level to be the exact value rounded up. Because of single precision, a level may
  /// be up to 0.1 below the exact value.
  private func expectLevels(
    _ levels: [Int], of path: String, pictures: Int, width: Int, height: Int,
    lines: Range<Int>? = nil, isHLG: Bool = false
  ) throws {
    let bytes = try Tool.pictures(path, format: "yuv420p10le")
    let size = bytes.count / pictures
    try #require(size == width * height * 3)
    let location = try Tool.chromaLocation(of: path)
    let all = (0..<pictures).map { index in
      let picture = InterpolatedPicture(
        bytes[index * size..<(index + 1) * size], width: width, height: height,
        isHLG ? .hlg : .pq, location: location)
      return Self.levels(picture, width: width, lines: lines ?? 0..<height, isHLG: isHLG)
    }
    let exact = [all.map(\.maximum).max() ?? 0, all.map(\.mean).max() ?? 0]
    for (level, exact) in zip(levels, exact) {
      #expect((-0.1..<1).contains(Double(level) - exact), "\(level) for \(exact)")
    }
  }

  // MARK: What is measured

  /// PQ that is made from the sample movie states the levels of its decoded frames in every place,
  /// in both containers.
  @Test(arguments: ["mov", "mp4"].shortened(to: 1)) func pqIsMeasured(container: String) throws {
    let sample = try BuiltCandela.sample(in: folder)
    let (output, levels) = try measured(sample, "out.\(container)", preset: "hevc-hlg", Self.pq)
    try expectLevels(levels, of: output, pictures: 15, width: 128, height: 96)
    let stated = try stated(output)
    #expect(stated.count == 16)
    #expect(stated.allSatisfy { $0 == levels })
    let inspected = try BuiltCandela.run("inspect", output)
    #expect(
      inspected.output.contains(
        "MaxCLL \(levels[0]), MaxFALL \(levels[1]) cd/m² (clli box, SEI 144"))
  }

  /// HLG is measured as BT.2100's display of 1000 cd/m² shows it, even if Dolby Vision is computed
  /// from the same frames. Black bars do not count.
  @Test func hlgIsMeasured() throws {
    let sample = try BuiltCandela.sample(in: folder)
    let (output, levels) = try measured(
      sample, "boxed.mov", preset: "hevc-hlg",
      ["video.width=128", "video.height=128", "video.scalingMode=resizeAspect"])
    try expectLevels(
      levels, of: output, pictures: 15, width: 128, height: 128, lines: 16..<112, isHLG: true)
    let stated = try stated(output)
    #expect(stated.count == 16)
    #expect(stated.allSatisfy { $0 == levels })
    let validated = try BuiltCandela.run("validate", output)
    #expect(validated.status == 0, "\(validated.output)")
    #expect(validated.output.contains("Dolby Vision 8.4"))
  }

  /// The levels that a real HDR10 file states are replaced, but its mastering display stays.
  @Test(.needsSharedMedia) func statedLevelsAreReplaced() throws {
    let source = SharedMedia.path("hdr/EncodingGuidelines__output_hdr10.mp4")
    let (output, levels) = try measured(
      source, "out.mp4", preset: "hevc-match-source", ["video.width=320"])
    try expectLevels(levels, of: output, pictures: 1, width: 320, height: 180)
    let facts = try HDRCheck.facts(output)
    #expect(facts["clli"] as? [Int] == levels)
    #expect(levels != [2000, 50])
    #expect((facts["mdcv"] as? [Int])?.last == 1)
    #expect(facts["warnings"] as? [String] == [])
    #expect(try BuiltCandela.run("validate", output).status == 0)
  }

  // MARK: What is stated

  /// Returns what an independent reader finds in an HDR10 output made from the sample movie, which
  /// is HLG.
  private func facts(_ settings: [String]) throws -> [String: Any] {
    let (sample, output) = (try BuiltCandela.sample(in: folder), folder.path("hdr10.mov"))
    let outcome = try BuiltCandela.run(
      ["transcode", sample, output, "--overwrite", "--preset", "hevc-pq", "--to", "0.2"]
        + (settings + ["video.compressionProperties.speed=ultrafast"]).flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try BuiltCandela.run("validate", output).status == 0)
    return try HDRCheck.facts(output)
  }

  /// HLG that becomes HDR10 states the display that it was converted for.
  @Test func displayOfTheConversion() throws {
    let primaries = [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450]
    #expect(try facts([])["mdcv"] as? [Int] == primaries + [10_000_000, 1])
    let dim = try facts(["video.conversion.hlgPeakLuminance=600"])
    #expect(dim["mdcv"] as? [Int] == primaries + [6_000_000, 1])
  }

  @Test func valuesOfThePreset() throws {
    let facts = try facts(["video.masteringDisplay=p3,4000,0.005", "contentLightLevel=900,120"])
    let primaries = [13250, 34500, 7500, 3000, 34000, 16000, 15635, 16450]
    #expect(facts["mdcv"] as? [Int] == primaries + [40_000_000, 50])
    #expect(facts["clli"] as? [Int] == [900, 120])
  }

  @Test(
    arguments: [
      ("h264-sdr", "video.masteringDisplay=p3,1000,0.0001", "not HLG or PQ"),
      ("hevc-sdr", "video.masteringDisplay=p3,1000,0.0001", "not HLG or PQ"),
      ("hevc-sdr", "contentLightLevel=1000,400", "not HLG or PQ"),
      ("hevc-pq", "contentLightLevel=400,1000", "400,1000"),
      ("hevc-pq", "contentLightLevel=0,0", "0,0"), ("hevc-pq", "contentLightLevel=bright", "400"),
      ("hevc-pq", "masteringDisplay=dci,1000,0", "p3,1000,0.0001"),
      ("hevc-pq", "masteringDisplay=p3,1,1000", "p3,1,1000"),
    ].shortened(to: 4))
  func refusedValues(preset: String, setting: String, word: String) throws {
    let sample = try BuiltCandela.sample(in: folder)
    let outcome = try BuiltCandela.run(["plan", sample, "--preset", preset, "--set", setting])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(word), "\(outcome.errors)")
  }

  // MARK: What is said, and refused

  @Test func thePlanSaysThatTheyAreMeasured() throws {
    let sample = try BuiltCandela.sample(in: folder)
    let plan = try BuiltCandela.run(
      ["plan", sample, "--preset", "hevc-hlg", "--set", Self.measure])
    #expect(plan.status == 0)
    #expect(plan.output.contains("content light level: MaxCLL and MaxFALL, measured"))
    let plain = try BuiltCandela.run("plan", sample, "--preset", "hevc-hlg")
    #expect(!plain.output.contains("content light level"))
  }

  /// Measuring is refused if the preset or the source makes the output SDR.
  @Test(
    arguments: [
      ("hevc-sdr", ["not HLG or PQ"]), ("h264-sdr", ["not HLG or PQ"]),
      ("hevc-match-source", ["not HLG or PQ"]),
    ].shortened(to: 2))
  func refusals(preset: String, words: [String]) throws {
    let sample = try BuiltCandela.sample(in: folder)
    var input = sample
    if preset == "hevc-match-source" {
      input = folder.path("sdr.mov")
      #expect(try BuiltCandela.run("transcode", sample, input, "--preset", "h264-sdr").status == 0)
    }
    let outcome = try BuiltCandela.run(["plan", input, "--preset", preset, "--set", Self.measure])
    #expect(outcome.status == 64)
    for words in words + ["video.compressionProperties.contentLightLevel"] {
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    let unknown = try BuiltCandela.run(
      ["plan", sample, "--set", "video.compressionProperties.contentLightLevel=measured"])
    #expect(unknown.status == 64 && unknown.errors.contains("measure"))
  }
}
