// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorConversion
import Foundation
import Host
import MediaCore
@testable import Settings
import TestSupport
import Testing
import VideoEncoders

@Suite struct TranscodeSettingsTests {
  private static func settings(_ json: String) throws -> TranscodeSettings {
    try TranscodeSettings(JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))
  }

  private static func message(_ json: String) -> String {
    do {
      _ = try settings(json)
      return "accepted"
    } catch { return "\(error)" }
  }

  @Test func everyShippedPresetIsValidAndNamedLikeItsFile() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent("Presets").path)
    let names = files.filter { $0.hasSuffix(".json") && $0 != "preset.schema.json" }
      .map { $0.dropLast(".json".count) }.sorted()
    #expect(Preset.shipped.map(\.name) == names.map(String.init))
    for preset in Preset.shipped {
      let settings = try Preset.settings(preset.name, changes: [])
      #expect(settings.name == preset.name)
      #expect(preset.description?.isEmpty == false)
    }
  }

  @Test func whatThePresetsPromise() throws {
    func color(_ name: String) throws -> String? {
      try Preset.settings(name, changes: []).video.colorProperties?.triple
    }
    #expect(try color("hevc-hlg") == "9/18/9")
    #expect(try color("hevc-pq") == "9/16/9")
    #expect(try color("hevc-p3") == "12/1/1")
    #expect(try color("hevc-sdr") == "1/1/1")
    #expect(try color("h264-sdr") == "1/1/1")
    #expect(try color("hevc-match-source") == nil)
    let p3 = try Preset.settings("hevc-p3", changes: []).video
    #expect("\(try #require(p3.profileLevel))" == "HEVC_Main10_AutoLevel")
  }

  @Test func absentKeysHaveTheirDefaults() throws {
    let video = try Self.settings(#"{"video": {"codec": "hevc"}}"#).video
    #expect(video.colorProperties == nil)
    #expect(video.allowWideColor)
    #expect(video.videoFullRangeFlag == nil)
    #expect(video.speed == "medium")
    #expect(video.conversion == ConversionOptions())
    #expect(video.scalingMode == .fit)
  }

  /// Each error names the key and, where possible, what could have been meant.
  @Test(arguments: [
    (
      #"{"video": {"codec": "hevc", "colourProperties": {}}}"#,
      "video.colourProperties is not a known key: did you mean 'video.colorProperties'?"
    ),
    (#"{"video": {"codec": "hvec"}}"#, "video.codec cannot be 'hvec': did you mean 'hevc'?"),
    (
      #"{"video": {"codec": "prores_ks"}}"#,
      "ProRes, which is made for editing: use 'hevc' or 'h264' with video.compressionProperties"
    ),
    (#"{"video": {"codec": "vp9"}}"#, "VP9, which AV1 replaces: use 'av1', or 'passthrough'"),
    (
      #"{"video": {"codec": "mpeg2"}}"#,
      "MPEG-2, which takes much more space than H.264: use 'h264'"
    ),
    (#"{"video": {"codec": "h266"}}"#, "H.266, which few players support: use 'av1' or 'hevc'"),
    (#"{"video": {"codec": "x266"}}"#, "H.266, which few players support"),
    (#"{"video": {"codec": "mjpeg"}}"#, "or make images of individual frames"),
    (#"{"video": {"codec": "cinepak"}}"#, "Candela does not write Cinepak: use one of 'hevc'"),
    (#"{"video": {"codec": "hevc_nvenc"}}"#, "does not encode on GPUs: use one of 'hevc'"),
    (#"{"video": {}}"#, "video.codec is missing"),
    (#"{"video": {"codec": "hevc", "fps": 25}}"#, "did you mean 'video.frameRate'?"),
    (#"{"video": {"codec": "hevc", "toneMapping": "off"}}"#, "'video.conversion.toneMapping'?"),
    (#"{"video": {"codec": "hevc", "rotation": 90}}"#, "use one of 'keep', 'apply'"),
    (#"{"video": {"codec": "hevc", "deinterlace": true}}"#, "did you mean 'auto'?"),
    (#"{"lut": "x.cube", "video": {"codec": "hevc"}}"#, "LUTs (.cube files) are not supported"),
    (#"{"vidoe": {"codec": "hevc"}}"#, "vidoe is not a known key: did you mean 'video'?"),
    (
      #"{"video": {"codec": "hevc", "width": "1280"}}"#,
      "video.width must be a number, not a string"
    ),
    (#"{"video": {"codec": "hevc", "width": 12.5}}"#, "video.width is 12.5"),
    (
      #"{"video": {"codec": "hevc", "compressionProperties": {"constantRateFactor": 99}}}"#,
      "video.compressionProperties.constantRateFactor is 99, which is not between 0 and 51"
    ),
    (
      """
      {"video": {"codec": "hevc", "colorProperties": {"colorPrimaries": "ITU_R_2020",
      "transferFunction": "ITU_R_2100_HLG"}}}
      """,
      "video.colorProperties.yCbCrMatrix is missing"
    ),
    (
      """
      {"video": {"codec": "hevc", "colorProperties": {"colorPrimaries": "ITU_R_2021",
      "transferFunction": 1, "yCbCrMatrix": 1}}}
      """,
      "did you mean 'ITU_R_2020'?"
    ),
    (
      """
      {"video": {"codec": "h264", "colorProperties": {"colorPrimaries": 9, "transferFunction": 18,
      "yCbCrMatrix": 9}}}
      """,
      "needs 10 bits"
    ),
    (
      """
      {"video": {"codec": "hevc", "profileLevel": "HEVC_Main10_AutoLevel", "pixelFormat": "420v"}}
      """,
      "video.pixelFormat is 8 bit 4:2:0, which the profile Main10 does not support"
    ),
    (
      #"{"video": {"codec": "h264", "profileLevel": "HEVC_Main10_AutoLevel"}}"#,
      "not a profile of 'h264': set it to null"
    ),
    (
      """
      {"video": {"codec": "h264", "profileLevel": "H264_High_AutoLevel",
      "compressionProperties": {"lossless": true}}}
      """,
      "needs profile High444"
    ),
    (
      """
      {"video": {"codec": "hevc", "profileLevel": "HEVC_Main_AutoLevel",
      "compressionProperties": {"profileLevel": "HEVC_Main10_AutoLevel"}}}
      """,
      "but video.profileLevel is 'HEVC_Main_AutoLevel'"
    ),
    (
      """
      {"video": {"codec": "hevc", "compressionProperties": {"averageBitRate": 1000000,
      "quality": 0.5}}}
      """,
      "cannot both be set"
    ),
    (#"["video"]"#, "must be an object, not an array"),
    (
      #"{"video": {"codec": "hevc", "chromaLocation": "topleft "}}"#, "did you mean 'topLeft'?"
    ),
    (
      #"{"video": {"codec": "hevc", "chromaLocation": 6}}"#,
      "video.chromaLocation is 6, which is not between 0 and 5"
    ),
    (
      #"{"video": {"codec": "h264", "pixelFormat": "yuv420p12"}}"#,
      "video.pixelFormat is 12 bit 4:2:0, but x264 encodes 8 or 10 bits"
    ),
    (
      #"{"video": {"codec": "hevc", "profileLevel": "HEVC_Main10_3_3"}}"#,
      "video.profileLevel cannot be 'HEVC_Main10_3_3'"
    ),
    (
      """
      {"video": {"codec": "hevc", "conversion": {"hlgPeakLuminance": 150,
      "hdrReferenceWhite": 203}}}
      """,
      "video.conversion.hdrReferenceWhite is brighter than hlgPeakLuminance"
    ),
  ])
  func mistakesAreNamed(json: String, expected: String) {
    let message = Self.message(json)
    #expect(message.contains(expected), "\(message)")
  }

  @Test(arguments: ["topLeft", "TOPLEFT", "2"])
  func chromaLocationsAreNamesAndNumbers(text: String) throws {
    let video = try Preset.settings("hevc-hlg", changes: ["video.chromaLocation=\(text)"]).video
    #expect(video.chromaLocation == .topLeft)
    #expect(try Preset.settings("hevc-hlg", changes: []).video.chromaLocation == nil)
  }

  @Test(arguments: ["HEVC_Main10_4_0", "HEVC_Main10_5", "H264_High_4_1", "H264_High_1_3"])
  func levelsThatExistAreTaken(spelling: String) {
    #expect(VideoSettings.ProfileLevel(spelling: spelling)?.level != nil)
  }

  @Test func changesAreSetRemovedAndReplaceOtherRates() throws {
    let changes = [
      "video.compressionProperties.averageBitRate=8000000", "video.width=1280",
      "video.colorProperties=null", "video.compressionProperties.encoderOptions.aq-mode=3",
    ]
    let video = try Preset.settings("hevc-hlg", changes: changes).video
    #expect(video.rateControl == .averageBitRate(8_000_000))
    #expect(video.width == 1280)
    #expect(video.colorProperties == nil)
    #expect(video.encoderOptions == ["aq-mode": "3"])
    let lossless = try Preset.settings(
      "hevc-hlg", changes: ["video.compressionProperties.lossless=true"])
    #expect(lossless.video.rateControl == .lossless)
  }

  @Test(
    arguments: [
      ("hevc-hlg", 0.0, 44.0), ("hevc-hlg", 0.5, 28), ("h264-sdr", 1, 12), ("av1-hlg", 0, 62),
      ("av1-hlg", 0.5, 38), ("av1-hlg", 1, 14),
    ])
  func qualityIsARateFactor(preset: String, quality: Double, factor: Double) throws {
    let video = try Preset.settings(
      preset, changes: ["video.compressionProperties.quality=\(quality)"]
    ).video
    let library = try #require(video.codec).encoder
    #expect(video.rateControl?.resolved(for: library) == .constantRateFactor(factor))
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Descriptions of keys fit a terminal, and keys can be found by a word.
  @Test func keysFitATerminal() throws {
    #expect(
      PresetKey.all.allSatisfy { $0.text.split(separator: "\n").allSatisfy { $0.count <= 80 } })
    #expect(try PresetKey.keys(about: "").count == PresetKey.all.count)
    #expect(try PresetKey.keys(about: "tonemappingnorm").count == 1)
    // If no path contains the word, it is looked for in the keys' descriptions.
    let found = try PresetKey.keys(about: "Loudness")
    #expect(!found.isEmpty && found.count < 5)
    let error = #expect(throws: TranscodingError.self) { try PresetKey.keys(about: "toneMaping") }
    #expect(error?.message.contains("toneMapping") == true)
  }

  /// A word of another program finds the keys that it may mean, before those with a similar name.
  @Test(
    arguments: [
      ("crf", ["constantRateFactor"]), ("CQ", ["constantRateFactor"]), ("fps", ["frameRate"]),
      ("gop", ["maxKeyFrameInterval"]), ("pix_fmt", ["pixelFormat"]),
      ("bitrate", ["averageBitRate", "bitRate"]), ("frame-rate", ["frameRate"]),
      ("dolby", ["dolbyVision"]), ("dovi", ["dolbyVision"]), ("peak", ["sourcePeak"]),
      ("tonemap", ["toneMapping", "toneMappingNorm"]), ("hdr10+", ["hdr10Plus"]),
      ("x265-params", ["encoderOptions"]), ("preset", ["speed"]), ("size", ["width", "height"]),
      ("maxrate", ["vbv-maxrate"]), ("bframes", ["allowFrameReordering"]),
      ("video.compressionProperties.encoderOptions.vbv-maxrate", ["vbv-maxrate"]),
      ("encoderoptions.aq-mode", ["aq-mode"]), ("yuv420p", ["pixelFormat"]),
      ("x420", ["pixelFormat"]), ("h265", ["codec"]), ("opus", ["codec", "fallback"]),
      ("hlg", ["colorProperties", "hlgPeakLuminance", "hlgSurround", "transferFunction"]),
    ])
  func wordsOfOthersFindKeys(word: String, names: [String]) throws {
    let found = try PresetKey.keys(about: word)
    #expect(found.map(\.name).starts(with: names), "\(found.map(\.path))")
    #expect(Set(found.map(\.path)).count == found.count)
  }

  /// If no key does what a word means, the error says what to do instead.
  @Test(
    arguments: [
      ("two-pass", "there is only one pass"), ("2pass", "there is only one pass"),
      ("title", "titles and names are copied"), ("vf", "each filter is a key"),
      ("prores", "Candela does not write ProRes"), ("movflags", "always at its beginning"),
      // Meanings contain it only inside of words.
      ("utput", "no preset key is about 'utput'"),
    ])
  func wordsWithoutKeysAreAnswered(word: String, answer: String) {
    let error = #expect(throws: TranscodingError.self) { try PresetKey.keys(about: word) }
    #expect(error?.message.contains(answer) == true)
  }

  /// The schema file and the article on presets contain what `candela schema preset` and `candela
  /// presets keys` print.
  @Test func schemaAndDocumentationHaveEveryKey() throws {
    let schema = Self.root.appendingPathComponent("Presets/preset.schema.json")
    #expect(try String(contentsOf: schema, encoding: .utf8) == PresetKey.presetSchema + "\n")
    let article = Self.root.appendingPathComponent(
      "Sources/Transcoding/Transcoding.docc/Presets.md")
    #expect(try String(contentsOf: article, encoding: .utf8).contains(PresetKey.table))
  }

  /// Every key is read, so a value of the wrong kind is refused with an error that names the key's
  /// path.
  @Test(arguments: PresetKey.all.filter { $0.path != "$schema" }.map(\.path))
  func everyKeyIsRead(path: String) {
    // No key takes a list of lists.
    var json = JSONValue.array([.array([])])
    var rest = path.split(separator: ".").map(String.init)
    while let name = rest.popLast() {
      var members = Self.required(in: rest.joined(separator: "."))
      if rest.isEmpty { members["video"] = .object(Self.required(in: "video")) }
      members[name] = json
      json = .object(members)
    }
    let error = #expect(throws: TranscodingError.self) { try TranscodeSettings(json) }
    // For a list, the error names the position in it.
    let isNamed = ["\(path) must ", "\(path)[0] must "].contains {
      error?.message.hasPrefix("preset: \($0)") == true
    }
    #expect(isNamed, "\(json): \(error)")
  }

  /// Returns values for the keys that an object has to have.
  private static func required(in path: String) -> [String: JSONValue] {
    let keys = PresetKey.keys(of: path).filter { $0.missing != nil }
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, example(of: $0.values)) })
  }

  private static func example(of values: PresetKey.Values) -> JSONValue {
    switch values {
    case .object, .anyObject: .object([:])
    case .rules(let words): .string(words.first ?? "")
    case .boolean: .bool(true)
    case .text: .string("text")
    case .integer(let range): .number(Double(range.lowerBound))
    case .number(let range): .number(range.lowerBound)
    case .names(let names, _), .codePoint(let names), .selection(let names),
      .wordsOrText(let names, _, _):
      .string(names.first ?? "")
    case .pairs: .array([1, 1])
    case .textOrNumber(_, let range): .number(range.lowerBound)
    }
  }

  /// Defaults that may change are marked wherever keys are listed.
  @Test func changeableDefaultsAreMarked() throws {
    let notice = "A later version may change"
    for name in ["dither", "toneMapping", "hlgPeakLuminance", "sourcePeak", "constantRateFactor"] {
      let key = try #require(PresetKey.all.first { $0.name == name })
      #expect(
        key.text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(notice))
      #expect(PresetKey.table(of: [key]).contains(notice))
    }
    let width = try #require(PresetKey.all.first { $0.path == "video.width" })
    #expect(!width.text.contains("later version"))
  }

  /// Names are accepted in capital letters, too. In changes, so are keys.
  @Test func capitalLettersAreTaken() throws {
    let changes = [
      "video.scalingMode=RESIZE", "video.compressionProperties.speed=Slow",
      "video.pixelFormat=X420", "Video.WIDTH=640", "VIDEO.compressionproperties.QUALITY=0.5",
      "video.compressionProperties.encoderoptions.aq-mode=2",
    ]
    let video = try Preset.settings("hevc-hlg", changes: changes).video
    #expect(video.scalingMode == .resize && video.speed == "slow" && video.width == 640)
    #expect(video.rateControl == .quality(0.5) && video.encoderOptions == ["aq-mode": "2"])
    #expect(video.pixelFormat == .yuv420p10 && video.videoFullRangeFlag == false)
  }
}
