// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Host
internal import VideoEncoders

/// A preset: a JSON document with the settings of a transcode.
public struct Preset: Sendable {
  /// The name, as a command line takes it.
  public let name: String
  /// What the preset is for, as text, or `nil` if the preset does not say.
  public var description: String? {
    guard case .string(let text)? = (try? PresetChain(of: self))?.merged[["description"]] else {
      return nil
    }
    return text
  }
  /// The JSON, as in `Presets/`.
  package let text: String
  /// The path of the preset's file, or `nil` if the preset is shipped.
  package let path: String?

  init(name: String, text: String, path: String? = nil) {
    (self.name, self.text, self.path) = (name, text, path)
  }

  /// The presets that come with Candela, sorted by name.
  public static let shipped: [Preset] = [
    ("av1-hlg", PackageResources.av1_hlg_json),
    ("av1-match-source", PackageResources.av1_match_source_json),
    ("av1-sdr", PackageResources.av1_sdr_json),
    ("h264-1080p", PackageResources.h264_1080p_json),
    ("h264-sdr", PackageResources.h264_sdr_json),
    ("hevc-hlg", PackageResources.hevc_hlg_json),
    ("hevc-match-source", PackageResources.hevc_match_source_json),
    ("hevc-p3", PackageResources.hevc_p3_json),
    ("hevc-pq", PackageResources.hevc_pq_json),
    ("hevc-sdr", PackageResources.hevc_sdr_json),
  ].map { Preset(name: $0, text: String(decoding: $1, as: UTF8.self)) }

  /// Returns the JSON of a shipped preset or of one of the user's own.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if there is none with this name.
  static func text(named name: String) throws(TranscodingError) -> String {
    if let preset = (shipped + own).first(where: { $0.name == name }) { return preset.text }
    // Without a slash, `mine.preset` is a name. If a file has this name, say how to use it.
    let isFile = PosixPath.kind(of: name) == .file
    throw TranscodingError(
      .invalidSettings,
      "there is no preset '\(name)': "
        + (isFile ? "to use the file, write ./\(name)" : hint(for: name)),
      code: isFile ? nil : .unknownPreset, arguments: isFile ? [:] : ["preset": name])
  }

  /// Suggests a preset for an unknown name, or lists all presets.
  private static func hint(for name: String) -> String {
    let names = Set((shipped + own).map(\.name)).sorted()
    guard names.nearest(to: name) == nil,
      let other = kinds.first(where: { name.lowercased().contains($0.word) })
    else { return names.hint(for: name) }
    return "did you mean '\(other.preset)'?"
  }

  // People type the names that they know from HandBrake, such as "Fast 1080p30". The first word of
  // this list that occurs in a name decides, so sizes come before all codecs but AV1.
  private static let kinds: [(word: String, preset: String)] = [
    ("av1", "av1-match-source"), ("2160p", "hevc-match-source"), ("1080p", "h264-1080p"),
    ("720p", "h264-1080p"),
    ("hdr10", "hevc-pq"), ("pq", "hevc-pq"), ("hlg", "hevc-hlg"), ("p3", "hevc-p3"),
    ("hevc", "hevc-match-source"), ("265", "hevc-match-source"), ("264", "h264-sdr"),
    ("mp4", "h264-sdr"), ("web", "h264-sdr"), ("fast ", "h264-sdr"), ("hq ", "h264-sdr"),
    ("sdr", "h264-sdr"),
  ]

  /// Returns the settings of a preset with changes on top.
  ///
  /// - Parameters:
  ///   - nameOrPath: the name of a shipped preset or of one of the user's own, or the path of a
  ///     JSON file.
  ///   - changes: each is `a.b.c=value`. A value that is not JSON is taken as a string, and `null`
  ///     removes a key.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`. If a file is to blame, the message
  ///   names the file, the line and the column.
  public static func settings(
    _ nameOrPath: String, changes: [String]
  ) throws -> TranscodeSettings {
    try TranscodeSettings(json(nameOrPath, changes: changes))
  }

  /// Returns the JSON of a preset with changes on top, as ``settings(_:changes:)`` reads it.
  package static func json(_ nameOrPath: String, changes: [String]) throws -> JSONValue {
    let chain = try PresetChain(of: Preset(nameOrPath))
    var json = chain.merged
    // If the document is not an object, let the settings' own check report it. A change would turn
    // it into an object.
    if case .object = json {
      // If one change sets limits and another contradicts them, that is a mistake. Keep the limits,
      // so that the contradiction is reported.
      let keepsLimits = changes.contains {
        $0.prefix { $0 != "=" }.lowercased().hasSuffix("dataratelimits")
      }
      for change in changes { try json.apply(change, keepsLimits: keepsLimits) }
    }
    try chain.check(json)
    return json
  }

  /// The path of the file that a preset is read from, or `nil` if the preset is shipped or unknown.
  package static func file(_ nameOrPath: String) -> String? {
    if isPath(nameOrPath) { return nameOrPath }
    // A shipped name means the same on every machine. If the user has a file with that name, only
    // its path selects it.
    guard !shipped.contains(where: { $0.name == nameOrPath }) else { return nil }
    return own.first { $0.name == nameOrPath }?.path
  }

  /// Whether a text is the path of a file, not a preset's name.
  static func isPath(_ text: String) -> Bool { text.contains("/") || text.hasSuffix(".json") }
}

extension ColorDescription {
  /// Returns what to use in place of a text that names no color.
  package static func hint(for text: String) -> String {
    if let nearest = names.nearest(to: text) { return "did you mean '\(nearest)'?" }
    if text.lowercased().contains("log") { return "cameras' log curves are not supported yet" }
    return "use primaries/transfer/matrix such as 9/18/9, or one of "
      + shortNames.map(\.name).joined(separator: ", ")
  }
}

extension JSONValue {
  // Setting a value recurses once for each part of its path. The deepest known key has four parts.
  private static let deepest = 16

  /// Applies a change of the form `a.b.c=value`.
  ///
  /// - Parameter keepsLimits: whether limits of the data rate stay, whatever contradicts them.
  fileprivate mutating func apply(_ change: String, keepsLimits: Bool) throws {
    let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let keys = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, keys.allSatisfy({ !$0.isEmpty }) else {
      throw TranscodingError(
        .invalidSettings,
        "a setting is key=value, such as video.width=1280, not '\(change.shortened)'",
        code: .malformedChange, arguments: ["change": change.shortened])
    }
    guard !parts[0].contains(where: \.isWhitespace) else {
      let plain = "\(parts[0].filter { !$0.isWhitespace })=\(parts[1].drop(while: \.isWhitespace))"
      throw TranscodingError(
        .invalidSettings,
        "the key of '\(change.shortened)' has a space: write '\(plain.shortened)'")
    }
    guard keys.count <= Self.deepest else {
      throw SettingsReader.error(
        String(parts[0]), "is not a known key: it has \(keys.count) parts")
    }
    let place = try PresetKey.place(of: keys)
    guard place != [PresetChain.key] else {
      throw SettingsReader.error(
        PresetChain.key, "cannot be changed here: only a preset's file can set it")
    }
    var value: JSONValue
    do {
      value = try JSONValue(argument: String(parts[1]))
    } catch {
      throw error.refusal(of: "the value of \(String(parts[0]).shortened)")
    }
    // Short names of colors work only in a change, because a preset file should spell out what it
    // means.
    if place.last == "colorProperties", let name = value.name(orWritten: parts[1]) {
      guard let color = ColorDescription(spelling: name) else {
        throw SettingsReader.error(
          String(parts[0]), "cannot be '\(name.shortened)': \(ColorDescription.hint(for: name))")
      }
      value = JSONValue(color)
    }
    if value != .null {
      makeRoom(for: value, at: place, unless: { _ in false })
      var change: JSONValue = [:]
      change[place[...]] = value
      if !keepsLimits { dropLimits(contradictedBy: change) }
    }
    self[place[...]] = value == .null ? nil : value
  }

  /// Removes the limits of the data rate if new settings contradict them: lossless coding has no
  /// limits, an average rate may exceed them, encoder options may describe a buffer of their own,
  /// and not every encoder knows limits.
  mutating func dropLimits(contradictedBy change: JSONValue) {
    let properties = ["video", "compressionProperties"]
    let limits = properties + ["dataRateLimits"]
    func stated(_ key: String) -> JSONValue? { change[(properties + [key])[...]] }
    guard change[limits[...]] == nil, case .array(let numbers)? = self[limits[...]] else { return }
    var contradicts = stated("lossless") == .bool(true)
    if case .object(let options)? = stated("encoderOptions") {
      let names = options.filter { $0.value != .null }.map(\.key)
      contradicts = contradicts || CodedPictureBuffer.isDescribed(by: names)
    }
    if case .number(let average)? = stated("averageBitRate") {
      contradicts = contradicts || VideoSettings.exceeds(average, limits: numbers)
    }
    if case .string(let codec)? = change[["video", "codec"]] {
      let encoder = VideoCodec(rawValue: codec)?.encoder
      contradicts = contradicts || encoder?.keepsDataRateLimits == false
    }
    if contradicts { self[limits[...]] = nil }
  }

  /// Removes the keys that a new value contradicts.
  ///
  /// - Parameter isStated: whether the new settings state another key of the same object.
  mutating func makeRoom(
    for value: JSONValue, at place: [String], unless isStated: (String) -> Bool
  ) {
    // A new bit rate replaces the preset's rate factor, because a preset with two keys of one group
    // is refused. But `lossless: false` sets nothing, so it replaces nothing.
    if value != .bool(false) { removeOthers(of: place, unless: isStated) }
    // `420v` and `420f` imply a range, which the preset's own `range` may contradict.
    if case .string(let name) = value, place == ["video", "pixelFormat"], !isStated("range"),
      PresetKey.statesRange(pixelFormat: name)
    {
      self[["video", "range"]] = nil
    }
  }

  /// Creates the JSON of color properties, as in a preset.
  private init(_ color: ColorDescription) {
    self = [
      "colorPrimaries": .number(Double(color.colorPrimaries.rawValue)),
      // Some curves, such as gamma 1.8, have no number in H.273, only a name.
      "transferFunction": color.transferCharacteristics.unnumberedName == nil
        ? .number(Double(color.transferCharacteristics.rawValue))
        : .string(color.transferCharacteristics.spelling),
      "yCbCrMatrix": .number(Double(color.matrixCoefficients.rawValue)),
    ]
  }

  /// Removes the other keys of a group in which only one may be set.
  private mutating func removeOthers(of path: [String], unless isStated: (String) -> Bool) {
    let siblings = PresetKey.keys(of: path.dropLast().joined(separator: "."))
    guard let group = siblings.first(where: { $0.name == path.last })?.group else { return }
    for other in siblings where other.group == group && !isStated(other.name) {
      let place = path.dropLast() + [other.name]
      if self[place[...]] != nil { self[place[...]] = nil }
    }
  }
}
