internal import VideoEncoders

/// The keys of `video.compressionProperties`.
struct CompressionReader {
  static let keys = [
    "constantRateFactor", "quality", "averageBitRate", "lossless", "speed", "maxKeyFrameInterval",
    "allowFrameReordering", "hdrMetadataInsertionMode", "preserveDynamicHDRMetadata",
    "contentLightLevel", "profileLevel", "encoderOptions",
  ]
  static let rateKeys = ["constantRateFactor", "quality", "averageBitRate", "lossless"]
  static let speeds = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    "placebo",
  ]

  let reader: SettingsReader

  init(_ video: SettingsReader) throws(TranscodingError) {
    reader = try video.object("compressionProperties", keys: Self.keys)
  }

  func rateControl() throws(TranscodingError) -> VideoEncoderSettings.RateControl? {
    let factor = try reader.number("constantRateFactor", in: 0...51)
    let quality = try reader.number("quality", in: 0...1)
    let bitRate = try reader.integer("averageBitRate", in: 1_000...2_000_000_000)
    let lossless = try reader.bool("lossless") ?? false
    let given = Self.rateKeys.filter { reader.has($0) && ($0 != "lossless" || lossless) }
    guard given.count < 2 else {
      throw reader.error(
        given[1], "and '\(given[0])' cannot both be set: choose one way to decide the data rate")
    }
    if lossless { return .lossless }
    if let factor { return .constantRateFactor(factor) }
    if let bitRate { return .averageBitRate(bitRate) }
    return quality.map { .constantRateFactor(Self.rateFactor(quality: $0)) }
  }

  /// Apple's quality from 0 to 1 as a rate factor: 0 is 44, 0.5 is 28, 1 is 12, in a line.
  static func rateFactor(quality: Double) -> Double { 44 - 32 * quality }

  func speed() throws(TranscodingError) -> String {
    guard let speed = try reader.string("speed") else { return "medium" }
    guard Self.speeds.contains(speed) else {
      throw reader.error(
        "speed", "has no value '\(speed)': \(NearestName.hint(for: speed, among: Self.speeds))")
    }
    return speed
  }

  func encoderOptions() throws(TranscodingError) -> [String: String] {
    guard let value = reader.value("encoderOptions") else { return [:] }
    guard case .object(let members) = value else {
      throw reader.error("encoderOptions", "must be an object, not \(value.kind)")
    }
    var options: [String: String] = [:]
    for (key, value) in members {
      switch value {
      case .string(let text): options[key] = text
      case .number(let number):
        options[key] = Int64(exactly: number).map(String.init) ?? "\(number)"
      case .bool(let flag): options[key] = flag ? "1" : "0"
      default:
        throw reader.error(
          "encoderOptions.\(key)", "must be a string, a number or a boolean, not \(value.kind)")
      }
    }
    return options
  }
}
