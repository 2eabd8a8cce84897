// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import Foundation
import TestSupport
import Testing

/// Every preset key that becomes a setting has a public property. These tests see only what is
/// public.
@Suite struct PresetPropertyTests {
  /// Some keys of a preset with values that are not the defaults, and how a program sets the same
  /// values.
  struct Row: Sendable, CustomTestStringConvertible {
    let keys: JSONValue
    let set: @Sendable (inout TranscodeSettings) -> Void

    init(_ keys: JSONValue, _ set: @escaping @Sendable (inout TranscodeSettings) -> Void) {
      (self.keys, self.set) = (keys, set)
    }

    var testDescription: String { PresetPropertyTests.paths(keys).joined(separator: " ") }
  }

  private static func video(
    _ keys: JSONValue, _ set: @escaping @Sendable (inout VideoSettings) -> Void
  )
    -> Row
  {
    Row(["video": keys]) { set(&$0.video) }
  }

  private static func conversion(
    _ keys: JSONValue, _ set: @escaping @Sendable (inout ConversionOptions) -> Void
  ) -> Row {
    video(["conversion": keys]) { set(&$0.conversion) }
  }

  private static func compression(
    _ keys: JSONValue, _ set: @escaping @Sendable (inout VideoSettings) -> Void
  ) -> Row { video(["compressionProperties": keys], set) }

  private static func composition(
    _ keys: JSONValue, _ set: @escaping @Sendable (inout CompositionSettings) -> Void
  ) -> Row {
    video(["composition": keys]) {
      var composition = CompositionSettings()
      set(&composition)
      $0.composition = composition
    }
  }

  private static func audio(
    _ keys: JSONValue, _ set: @escaping @Sendable (inout AudioRule) -> Void
  ) -> Row {
    Row(["audio": keys]) {
      var rule = AudioRule(codec: .opus)
      set(&rule)
      $0.audio.rules = [rule]
    }
  }

  private static let hlg: JSONValue = [
    "colorPrimaries": "ITU_R_2020", "transferFunction": "ITU_R_2100_HLG", "yCbCrMatrix": 9,
  ]

  static let rows: [Row] = [
    Row(["name": "mine"]) { $0.name = "mine" },
    Row(["description": "For tests."]) { $0.description = "For tests." },
    Row(["container": "mkv"]) { $0.container = .mkv },
    Row(["metadata": "none"]) { $0.metadata = .none },
    Row(["tracks": ["video": "none"]]) { $0.tracks.video = .none },
    Row(["tracks": ["audio": [2]]]) { $0.tracks.audio = .some(numbers: [2], languages: []) },
    Row(["tracks": ["other": ["eng"]]]) {
      $0.tracks.other = .some(numbers: [], languages: ["eng"])
    },
    Row(["audio": "passthrough"]) { $0.audio = .passthrough },
    audio(["codec": "opus"]) { _ in },
    audio(["codec": "opus", "language": "eng"]) { $0.language = "eng" },
    audio(["codec": "opus", "bitRate": 96000]) { $0.bitRate = 96000 },
    audio(["codec": "opus", "channels": "mono"]) { $0.channels = .mono },
    audio(["codec": "opus", "sampleRate": 48000]) { $0.sampleRate = 48000 },
    audio(["codec": "opus", "fallback": "none"]) { $0.fallback = .none },
    video(["codec": "h264"]) { $0.codec = .h264 },
    video(["profileLevel": "HEVC_Main10_AutoLevel"]) {
      $0.profileLevel = VideoSettings.ProfileLevel(spelling: "HEVC_Main10_AutoLevel")
    },
    video(["width": 640]) { $0.width = 640 },
    video(["height": 360]) { $0.height = 360 },
    video(["scalingMode": "resize"]) { $0.scalingMode = .resize },
    video(["cleanAperture": "crop"]) { $0.cleanAperture = .crop },
    video(["colorProperties": hlg]) { $0.colorProperties = .hlg },
    video(["allowWideColor": false]) { $0.allowWideColor = false },
    video(["range": "full"]) { $0.videoFullRangeFlag = true },
    video(["chromaLocation": "topLeft"]) { $0.chromaLocation = .topLeft },
    video(["pixelFormat": "yuv420p10"]) { $0.pixelFormat = .yuv420p10 },
    video(["masteringDisplay": "auto"]) { $0.masteringDisplay = .auto },
    video([
      "masteringDisplay":
        "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,1)"
    ]) {
      $0.masteringDisplay = .stated(
        MasteringDisplayColorVolume(
          green: .init(x: 8500, y: 39850), blue: .init(x: 6550, y: 2300),
          red: .init(x: 35400, y: 14600), whitePoint: .init(x: 15635, y: 16450),
          maxDisplayMasteringLuminance: 10_000_000, minDisplayMasteringLuminance: 1))
    },
    video(["hdrMetadata": ["dolbyVision": "8.1"]]) { $0.hdrMetadata.dolbyVision = .profile81 },
    video(["hdrMetadata": ["dolbyVision": 8.4]]) { $0.hdrMetadata.dolbyVision = .profile84 },
    video(["hdrMetadata": ["hdr10Plus": "none"]]) { $0.hdrMetadata.hdr10Plus = .none },
    video(["hdrMetadata": ["st2094_50": "measure"]]) {
      $0.hdrMetadata.headroomAdaptiveGain = .measure
    },
    video(["deinterlace": "bob"]) { $0.deinterlace = .bob },
    video(["rotation": "apply"]) { $0.rotation = .apply },
    video(["pixelAspect": "square"]) { $0.pixelAspect = .square },
    video(["crop": "auto"]) { $0.crop = .auto },
    video(["frameRate": "max 30000/1001"]) {
      $0.frameRate = FrameRate(30000, per: 1001).map { .atMost($0) } ?? .source
    },
    conversion(["toneMapping": "bt2390"]) { $0.toneMapping = .bt2390 },
    conversion(["toneMapping": "authored"]) { $0.toneMapping = .authored },
    conversion(["shots": "off"]) { $0.shots = .off },
    conversion(["sourcePeak": 4000]) { $0.sourcePeak = 4000 },
    conversion(["toneMappingNorm": "maxRGB"]) { $0.toneMappingNorm = .maxRGB },
    conversion(["highlightDetail": 0.5]) { $0.highlightDetail = 0.5 },
    conversion(["inverseToneMapping": "bt2446a"]) { $0.inverseToneMapping = .bt2446a },
    conversion(["gamutMapping": "clip"]) { $0.gamutMapping = .clip },
    conversion(["dither": "errorDiffusion"]) { $0.dither = .errorDiffusion },
    conversion(["hlgPeakLuminance": 600]) { $0.hlgPeakLuminance = 600 },
    conversion(["hlgSurround": "source"]) { $0.hlgSurround = .source },
    conversion(["hdrReferenceWhite": 100]) { $0.hdrReferenceWhite = 100 },
    conversion(["headroom": 4]) { $0.headroom = 4 },
    conversion(["sdrReading": "quickTime"]) { $0.sdrReading = .quickTime },
    compression(["constantRateFactor": 18]) { $0.rateControl = .constantRateFactor(18) },
    compression(["quality": 0.5]) { $0.rateControl = .quality(0.5) },
    compression(["averageBitRate": 5_000_000]) { $0.rateControl = .averageBitRate(5_000_000) },
    compression(["lossless": true]) { $0.rateControl = .lossless },
    compression(["speed": "fast"]) { $0.speed = "fast" },
    compression(["maxKeyFrameInterval": 60]) { $0.maxKeyFrameInterval = 60 },
    compression(["maxKeyFrameIntervalDuration": 2]) { $0.maxKeyFrameIntervalDuration = 2 },
    compression(["dataRateLimits": [1_000_000, 1, 30_000_000, 60]]) {
      $0.dataRateLimits = [
        VideoSettings.DataRateLimit(bytes: 1_000_000, seconds: 1),
        VideoSettings.DataRateLimit(bytes: 30_000_000, seconds: 60),
      ]
    },
    compression(["allowFrameReordering": false]) { $0.allowFrameReordering = false },
    compression(["hdrMetadataInsertionMode": "none"]) { $0.hdrMetadataInsertionMode = .none },
    compression(["preserveDynamicHDRMetadata": false]) { $0.preserveDynamicHDRMetadata = false },
    compression(["contentLightLevel": "measure"]) { $0.contentLightLevel = .measure },
    compression(["contentLightLevel": "1000,400"]) {
      $0.contentLightLevel = .stated(
        ContentLightLevel(maxContentLightLevel: 1000, maxPicAverageLightLevel: 400))
    },
    compression(["profileLevel": "HEVC_Main_AutoLevel"]) {
      $0.profileLevel = VideoSettings.ProfileLevel(spelling: "HEVC_Main_AutoLevel")
    },
    compression(["encoderOptions": ["aq-mode": 3]]) { $0.encoderOptions = ["aq-mode": "3"] },
    composition(["colorProperties": hlg]) { $0.colorProperties = .hlg },
    composition(["crop": ["x": 2, "y": 4, "width": 64, "height": 32]]) {
      $0.crop = PixelRectangle(x: 2, y: 4, width: 64, height: 32)
    },
    composition(["scale": ["width": 64, "height": 32]]) {
      $0.scale = VideoDimensions(width: 64, height: 32)
    },
    composition(["pad": ["width": 64, "height": 32]]) {
      $0.pad = VideoDimensions(width: 64, height: 32)
    },
    composition(["overlay": ["file": "logo.png", "x": 2, "y": -4, "opacity": 0.5]]) {
      var overlay = CompositionSettings.OverlaySettings(file: "logo.png")
      (overlay.x, overlay.y, overlay.opacity) = (2, -4, 0.5)
      $0.overlay = overlay
    },
  ]

  /// Keys and properties give the same settings, and these differ from the defaults.
  @Test(arguments: rows) func propertiesAreKeys(row: Row) throws {
    let usual: JSONValue = ["video": ["codec": "hevc"]]
    let base = try TranscodeSettings(usual)
    var settings = base
    row.set(&settings)
    let read = try TranscodeSettings(Self.merged(usual, row.keys))
    #expect(Self.text(read) == Self.text(settings))
    #expect(Self.text(read) != Self.text(base))
  }

  /// Every key in the schema has a property, except the keys that do not become settings.
  @Test func everyKeyHasAProperty() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let schema = try JSONDecoder().decode(
      JSONValue.self,
      from: Data(contentsOf: root.appendingPathComponent("Presets/preset.schema.json")))
    let keys = Set(Self.keys(of: schema)).subtracting(["$schema", "extends"])
    let covered = Set(Self.rows.flatMap { Self.paths($0.keys) })
    #expect(keys.subtracting(covered).sorted() == [])
    #expect(keys.count > 60)
  }

  /// Returns the paths of all keys except those that only contain other keys.
  private static func keys(of schema: JSONValue, at path: String = "") -> [String] {
    guard case .object(let members) = schema else { return [] }
    var keys: [String] = []
    if case .object(let properties)? = members["properties"] {
      keys = properties.flatMap { name, inner in
        Self.keys(of: inner, at: path.isEmpty ? name : "\(path).\(name)")
      }
    }
    // `audio` can be a word, a rule, or an array of rules.
    if path == "audio", case .array(let kinds)? = members["anyOf"] {
      return [path] + kinds.flatMap { Self.keys(of: $0, at: path) }.filter { $0 != path }
    }
    return keys.isEmpty && !path.isEmpty ? [path] : keys
  }

  static func paths(_ keys: JSONValue, at path: String = "") -> [String] {
    guard case .object(let members) = keys, !path.hasSuffix("encoderOptions") else { return [path] }
    return members.flatMap { paths($1, at: path.isEmpty ? $0 : "\(path).\($0)") }
  }

  private static func merged(_ value: JSONValue, _ other: JSONValue) -> JSONValue {
    guard case .object(let left) = value, case .object(let right) = other else { return other }
    return .object(left.merging(right) { merged($0, $1) })
  }

  private static func text(_ settings: TranscodeSettings) -> String {
    var text = ""
    dump(settings, to: &text)
    return text
  }
}
