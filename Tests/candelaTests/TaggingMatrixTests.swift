// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import TestSupport
import Testing

/// Outputs are tagged as the four tagging rules demand, for each combination of the source's
/// colors, the colors in the settings, the codec and the container. An independent reader reads the
/// tags back from each container and bitstream.
@Suite struct TaggingMatrixTests {
  /// What a source states: three code points, of which 2 means "unspecified", and a range.
  struct Source: Sendable, CustomStringConvertible {
    let name: String
    let color: [Int]
    let isFull: Bool?
    let bitDepth: Int

    var description: String { name }
    var isHDR: Bool { color[1] == 16 || color[1] == 18 }
    var isComplete: Bool { !color.contains(2) }
    var isTagged: Bool { color != [2, 2, 2] }
  }

  static let sources: [Source] = [
    .init(name: "none", color: [2, 2, 2], isFull: nil, bitDepth: 8),
    .init(name: "none, full", color: [2, 2, 2], isFull: true, bitDepth: 8),
    .init(name: "primaries only", color: [9, 2, 2], isFull: nil, bitDepth: 10),
    .init(name: "HLG without matrix", color: [9, 18, 2], isFull: false, bitDepth: 10),
    .init(name: "525 lines", color: [6, 6, 6], isFull: false, bitDepth: 8),
    .init(name: "625 lines", color: [5, 6, 5], isFull: false, bitDepth: 8),
    .init(name: "HD", color: [1, 1, 1], isFull: false, bitDepth: 8),
    .init(name: "HD, full", color: [1, 1, 1], isFull: true, bitDepth: 8),
    .init(name: "P3", color: [12, 1, 1], isFull: false, bitDepth: 10),
    .init(name: "2020", color: [9, 14, 9], isFull: false, bitDepth: 10),
    .init(name: "HLG", color: [9, 18, 9], isFull: false, bitDepth: 10),
    .init(name: "HLG, full", color: [9, 18, 9], isFull: true, bitDepth: 10),
    .init(name: "PQ", color: [9, 16, 9], isFull: false, bitDepth: 10),
  ]

  /// The settings to try: one states nothing, and the others state SDR or HDR colors.
  static let settings: [[Int]?] = [nil, [1, 1, 1], [12, 1, 1], [9, 18, 9]]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie of three frames whose bitstream states the tags of a source.
  private func make(_ source: Source) throws -> String {
    let raw = folder.path("source.h264")
    let options = ["keyint=3", "bframes=0"] + tagOptions(source)
    let format = source.bitDepth == 8 ? "yuv420p" : "yuv420p10le"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.12", "-vf", "format=\(format)", "-c:v",
      "libx264", "-qp", "10", "-x264-params", options.joined(separator: ":"), "-color_range",
      source.isFull == true ? "pc" : "tv", raw)
    let movie = folder.path("source.mp4")
    try Tool.ffmpeg("-i", raw, "-c", "copy", movie)
    let facts = try facts(movie)
    #expect((facts.bitstream ?? [2, 2, 2]) == source.color)
    #expect((facts.isFull ?? false) == (source.isFull ?? false))
    return movie
  }

  /// Returns the tags as options of x264. If ffmpeg's own options were used, its newer versions
  /// would convert the frames.
  private func tagOptions(_ source: Source) -> [String] {
    let names = ["colorprim", "transfer", "colormatrix"]
    let words: [[Int: String]] = [
      [1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020", 12: "smpte432"],
      [1: "bt709", 6: "smpte170m", 14: "bt2020-10", 16: "smpte2084", 18: "arib-std-b67"],
      [1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020nc"],
    ]
    return (0..<3).filter { source.color[$0] != 2 }.map { index in
      "\(names[index])=\(words[index][source.color[index]] ?? "")"
    }
  }

  /// Returns the three code points of the VUI, its range bit, and the `colr` boxes.
  private func facts(
    _ path: String
  ) throws -> (bitstream: [Int]?, isFull: Bool?, boxes: [String]) {
    let facts = try HDRCheck.facts(path)
    let vui = (facts["vui"] as? [Any] ?? []).map { $0 as? Int }
    let triple = vui.prefix(3).compactMap { $0 }
    return (
      triple.count == 3 ? triple : nil, vui.count > 3 ? vui[3].map { $0 == 1 } : nil,
      facts["colr"] as? [String] ?? []
    )
  }

  private func triple(_ color: [Int]) -> String {
    #"{"colorPrimaries":\#(color[0]),"transferFunction":\#(color[1]),"yCbCrMatrix":\#(color[2])}"#
  }

  @Test(arguments: sources.shortened(to: 5))
  func everyOutputSaysWhatTheRulesDemand(source: Source) throws {
    // The outputs take turns, so that each kind of source and each kind of settings meets all of
    // them.
    let outputs = [("hevc", "mov"), ("h264", "mp4"), ("hevc", "mp4"), ("h264", "mov")]
    let first = Self.sources.firstIndex { $0.name == source.name } ?? 0
    try expectOutputs(of: source) { [outputs[(first + $0) % 4]] }
  }

  @Test(.takesLong, arguments: sources) func everyCodecAndContainerSaysIt(source: Source) throws {
    try expectOutputs(of: source) { _ in
      ["hevc", "h264"].flatMap { codec in ["mov", "mp4"].map { (codec, $0) } }
    }
  }

  private func expectOutputs(
    of source: Source, _ outputs: (_ settings: Int) -> [(codec: String, container: String)]
  ) throws {
    let input = try make(source)
    let original = try Tool.frameDigests(input, format: "yuv420p10le")
    for (number, wanted) in Self.settings.enumerated() {
      for (codec, container) in outputs(number) {
        let output = folder.path("out.\(container)")
        let color = wanted.map(triple) ?? "null"
        let outcome = try BuiltCandela.run(
          "transcode", input, output, "--overwrite", "--set", "video.codec=\(codec)", "--set",
          "video.colorProperties=\(color)", "--set", "video.compressionProperties.lossless=true",
          "--set", "video.compressionProperties.speed=ultrafast")
        let name = "\(source) → \(wanted ?? []) \(codec) \(container)"
        try check(
          outcome, output, source: source, wanted: wanted, codec: codec, container: container,
          original: original, name)
      }
    }
  }

  private func check(
    _ outcome: Tool.Outcome, _ output: String, source: Source, wanted: [Int]?, codec: String,
    container: String, original: [String], _ name: String
  ) throws {
    let expected = wanted ?? source.color
    if codec == "h264" && [16, 18].contains(expected[1]) {
      // HDR does not fit into 8 bits. If the settings ask for HDR, they are at fault; otherwise,
      // the source is.
      #expect(outcome.status == (wanted == nil ? 65 : 64), "\(name): \(outcome.errors)")
      return
    }
    #expect(outcome.status == 0, "\(name): \(outcome.errors)")
    let facts = try facts(output)
    let isStated = expected != [2, 2, 2]
    #expect((facts.bitstream ?? [2, 2, 2]) == expected, "\(name): bitstream")
    let box = expected.map(String.init).joined(separator: " ")
    let full = source.isFull == true ? 1 : 0
    let boxes =
      !isStated ? [] : container == "mov" ? ["nclc \(box) None"] : ["nclx \(box) \(full)"]
    #expect(facts.boxes == boxes, "\(name): container")
    if source.isFull == true { #expect(facts.isFull == true, "\(name): range") }
    // Pixels stay as they are if nothing is converted. That is so if the settings state nothing, if
    // the source is untagged, or if settings and source mean the same.
    let isUntagged = !source.isComplete && !(source.color == [9, 18, 2])
    let sdr: Set = [1, 6, 14, 15]
    let means = { (color: [Int]) in
      [color[0], sdr.contains(color[1]) ? 1 : color[1], color[2] == 5 ? 6 : color[2]]
    }
    let completed = source.color == [9, 18, 2] ? [9, 18, 9] : source.color
    let isSame = wanted == nil || isUntagged || means(completed) == means(expected)
    guard codec == "hevc" else { return }
    // If full-range samples go from 8 to 10 bits, their code values change, and ffmpeg rounds them
    // in a different way.
    guard source.bitDepth == 10 || source.isFull != true || expected[1] != 18 else { return }
    let digests = try Tool.frameDigests(output, format: "yuv420p10le")
    #expect((digests == original) == isSame, "\(name): pixels \(isSame ? "changed" : "stayed")")
  }

  /// If colors are converted, pixels are within 1 code value of those that `Definition` computes in
  /// double precision. Each patch has one color, so that chroma filters change nothing.
  @Test(arguments: sources.filter { $0.isComplete || $0.color == [9, 18, 2] }.shortened(to: 5))
  func convertedPixelsAreThoseOfTheDefinition(source: Source) throws {
    let input = try makePatches(source)
    let from = color(source.color == [9, 18, 2] ? [9, 18, 9] : source.color)
    let before = try patches(input, source.bitDepth, isFull: source.isFull == true)
    let curve = try curve(of: input)
    for wanted in Self.settings.compactMap({ $0 }) {
      for codec in ["hevc", "h264"] where codec == "hevc" || wanted[1] == 1 {
        let output = folder.path("out.mov")
        let outcome = try BuiltCandela.run(
          "transcode", input, output, "--overwrite", "--set", "video.codec=\(codec)", "--set",
          "video.colorProperties=\(triple(wanted))", "--set",
          "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}", "--set",
          "video.conversion.dither=none")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let depth = codec == "h264" ? 8 : wanted[1] == 18 ? 10 : source.bitDepth
        let after = try patches(output, depth, isFull: source.isFull == true)
        for (codes, found) in zip(before, after) {
          let isFull = source.isFull == true
          let defined = try Definition.convert(
            codes, from: from, to: color(wanted), sourceDepth: source.bitDepth, targetDepth: depth,
            isFullSource: isFull, isFullTarget: isFull, curve: curve)
          for component in 0..<3 {
            #expect(
              abs(found[component] - defined[component]) <= 1,
              "\(source) → \(wanted) \(codec): \(codes) is \(found), defined \(defined)")
          }
        }
      }
    }
  }

  /// Returns the tone curve of the only shot, as `plan` reports it. If `plan` reports no shot,
  /// returns the curve of a dark shot.
  private func curve(of input: String) throws -> FittedToneCurve {
    let outcome = try BuiltCandela.run(["plan", input, "--json", "--preset", "hevc-sdr"])
    let video = try #require(outcome.json()["video"] as? [String: Any])
    let encoding = try #require(video["encoding"] as? [String: Any])
    let shots = try #require(encoding["shots"] as? [[String: Any]])
    #expect(shots.count <= 1)
    guard let shot = shots.first else {
      return FittedToneCurve(sourcePeak: 1000, targetPeak: 203)
    }
    let whites = try #require(shot["whites"] as? [Double])
    return FittedToneCurve(
      sourcePeak: try #require(shot["peak"] as? Double), targetPeak: 203,
      shoulder: try #require(shot["shoulder"] as? Double), white: try #require(whites.first))
  }

  private func color(_ numbers: [Int]) -> ColorDescription {
    ColorDescription(
      ColorPrimaries(rawValue: UInt16(numbers[0])),
      TransferCharacteristics(rawValue: UInt16(numbers[1])),
      MatrixCoefficients(rawValue: UInt16(numbers[2])))
  }

  private static let patchColors = ["0x808080", "0xB09080", "0x406080", "0x90A060"]

  /// Makes a movie of patches of 64 × 64 samples, side by side, tagged like a source.
  private func makePatches(_ source: Source) throws -> String {
    let movie = folder.path("patches.mp4")
    let inputs = Self.patchColors.flatMap {
      ["-f", "lavfi", "-i", "color=\($0):s=64x64:r=25:d=0.08"]
    }
    let format = source.bitDepth == 8 ? "yuv420p" : "yuv420p10le"
    try Tool.ffmpeg(
      inputs + [
        "-filter_complex", "hstack=\(Self.patchColors.count),format=\(format)", "-c:v", "libx264",
        "-qp", "0", "-x264-params", (["bframes=0"] + tagOptions(source)).joined(separator: ":"),
        "-color_range", source.isFull == true ? "pc" : "tv", movie,
      ])
    return movie
  }

  /// Returns the code values in the middle of each patch, as an independent decoder reads them.
  private func patches(_ path: String, _ bitDepth: Int, isFull: Bool) throws -> [Triple] {
    // With `yuvj420p`, ffmpeg's name for full range, ffmpeg does not convert the samples.
    let format = bitDepth == 8 ? isFull ? "yuvj420p" : "yuv420p" : "yuv420p10le"
    let bytes = try Tool.picture(path, format: format)
    let width = 64 * Self.patchColors.count
    func code(_ index: Int) -> Double {
      bitDepth == 8
        ? Double(bytes[index]) : Double(Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8)
    }
    return Self.patchColors.indices.map { patch in
      let luma = 32 * width + patch * 64 + 32
      let chroma = width * 64 + 16 * width / 2 + patch * 32 + 16
      return Triple(code(luma), code(chroma), code(chroma + width / 2 * 32))
    }
  }
}
