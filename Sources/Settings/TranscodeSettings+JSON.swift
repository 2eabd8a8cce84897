// SPDX-License-Identifier: GPL-2.0-or-later
internal import VideoEncoders
internal import CodePoints
internal import ColorConversion
public import Host
internal import MediaCore

extension TranscodeSettings {
  /// Creates settings from a preset's JSON. If the JSON extends a preset by its path, the path is
  /// relative to the working directory.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`, with the key's path, for an unknown
  ///   key, a wrong value or an impossible combination.
  public init(_ json: JSONValue) throws(TranscodingError) {
    guard json.kind == "an object" else {
      throw SettingsReader.error("", "must be an object, not \(json.kind)")
    }
    self.init(video: VideoSettings(codec: .usual))
    try read(PresetChain(of: json).merged, at: "")
    try video.conversion.refuseContradictions()
    try video.refuseContradictions()
  }

  /// Reads an object and the objects inside it, as the rows of ``PresetKey/all`` say.
  ///
  /// - Parameter place: what errors call the object, or `nil` for its path.
  private mutating func read(
    _ json: JSONValue?, at path: String, place: String? = nil
  ) throws(TranscodingError) {
    let keys = PresetKey.keys(of: path)
    let reader = try SettingsReader(json, path: place ?? path, keys: keys.map(\.name))
    try reader.refuseSeveral(of: keys)
    for key in keys {
      // `video` is required only for its codec. If it is absent, reading it as an empty object
      // gives a better message: "video.codec is missing".
      guard reader.has(key.name) || key.path == "video" else {
        if let missing = key.missing { throw reader.error(key.name, "is missing: \(missing)") }
        continue
      }
      try key.read(reader, key.name, &self)
      switch key.values {
      case .object: try read(reader.value(key.name), at: key.path)
      case .rules: try readRules(reader.value(key.name), at: key.path)
      default: break
      }
    }
  }

  /// Reads one rule, or an array of rules.
  private mutating func readRules(
    _ json: JSONValue?, at path: String
  ) throws(TranscodingError) {
    let rules: [(json: JSONValue, place: String)]
    switch json {
    case .object(let members): rules = [(.object(members), path)]
    case .array(let values): rules = values.enumerated().map { ($1, "\(path)[\($0)]") }
    default: return
    }
    guard !rules.isEmpty else { throw SettingsReader.error(path, "is an empty array") }
    for (json, place) in rules {
      audio.rules.append(AudioRule())
      try read(json, at: path, place: place)
      try audio.rule.refuseContradictions(at: place)
    }
  }
}

extension VideoSettings {
  /// Creates the settings of a video track from a dictionary with the keys of `video` in a preset:
  /// `["codec": "hevc", "colorProperties": ["colorPrimaries": "ITU_R_2020", …]]`.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`, as for presets.
  public init(outputSettings: JSONValue) throws {
    self = try TranscodeSettings(.object(["video": outputSettings])).video
  }

  /// The color properties, unspecified if there are none.
  var statedColor: ColorDescription {
    get { colorProperties ?? .unspecified }
    set { colorProperties = newValue }
  }

  /// The composition. Setting a part creates it.
  var layout: CompositionSettings {
    get { composition ?? CompositionSettings() }
    set { composition = newValue }
  }
}

extension SettingsReader {
  /// Refuses several keys of one group.
  fileprivate func refuseSeveral(of keys: [PresetKey]) throws(TranscodingError) {
    var first: [String: String] = [:]
    // `lossless: false` sets nothing, so a bit rate may be set as well.
    for key in keys where has(key.name) && value(key.name) != .bool(false) {
      guard let group = key.group else { continue }
      if let other = first[group] {
        throw error(
          key.name, "and '\(other)' cannot both be set: choose one way to set \(group)")
      }
      first[group] = key.name
    }
  }
}

extension ConversionOptions {
  /// Refuses a reference white brighter than the display.
  fileprivate func refuseContradictions() throws(TranscodingError) {
    // HLG's signal ends at the display's peak, so it has no code value for a brighter white.
    guard let white = hdrReferenceWhite, white > hlgPeakLuminance else { return }
    throw SettingsReader.error(
      "video.conversion.hdrReferenceWhite",
      "is brighter than hlgPeakLuminance: leave it out, so that white is 75 % of HLG")
  }
}
