// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Host

/// Presets: JSON documents that hold the settings of a transcode.
public struct Preset: Sendable {
  /// The name that a command line takes.
  public let name: String
  /// The preset's purpose, for people; nil if it does not say.
  public var description: String? {
    guard case .object(let members) = try? JSONScanner.value(of: text.utf8),
      case .string(let description) = members["description"]
    else { return nil }
    return description
  }
  /// The JSON, as it lies in `Presets/`.
  package let text: String
  /// The path of its file; nil for one that comes along.
  package let path: String?

  init(name: String, text: String, path: String? = nil) {
    (self.name, self.text, self.path) = (name, text, path)
  }

  /// The presets that come along, in the order of their names.
  public static let shipped: [Preset] = [
    ("h264-1080p", PackageResources.h264_1080p_json),
    ("h264-sdr", PackageResources.h264_sdr_json),
    ("hevc-hlg", PackageResources.hevc_hlg_json),
    ("hevc-match-source", PackageResources.hevc_match_source_json),
    ("hevc-p3", PackageResources.hevc_p3_json),
    ("hevc-sdr", PackageResources.hevc_sdr_json),
  ].map { Preset(name: $0, text: String(decoding: $1, as: UTF8.self)) }

  /// The JSON of a preset that comes along, or of the user's own.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for an unknown name.
  package static func text(named name: String) throws -> String {
    if let preset = (shipped + own).first(where: { $0.name == name }) { return preset.text }
    let isFile = PosixPath.kind(of: name) == .file
    throw TranscodingError(
      .invalidSettings,
      "there is no preset '\(name)': "
        + (isFile ? "for the file, write ./\(name)" : hint(for: name)),
      code: isFile ? nil : .unknownPreset, arguments: isFile ? [:] : ["preset": name])
  }

  /// A preset that comes along in place of one that there is not, or all of them.
  private static func hint(for name: String) -> String {
    let names = Set((shipped + own).map(\.name)).sorted()
    guard names.nearest(to: name) == nil,
      let other = kinds.first(where: { name.lowercased().contains($0.word) })
    else { return names.hint(for: name) }
    return "did you mean '\(other.preset)'?"
  }

  /// Words of other programs' presets, and what comes near to these; the first that fits counts.
  private static let kinds: [(word: String, preset: String)] = [
    ("2160p", "hevc-match-source"), ("1080p", "h264-1080p"), ("720p", "h264-1080p"),
    ("hlg", "hevc-hlg"), ("p3", "hevc-p3"), ("hevc", "hevc-match-source"),
    ("265", "hevc-match-source"), ("264", "h264-sdr"), ("mp4", "h264-sdr"), ("web", "h264-sdr"),
    ("fast ", "h264-sdr"), ("hq ", "h264-sdr"), ("sdr", "h264-sdr"),
  ]

  /// The settings of a preset with changes on top.
  ///
  /// - Parameters:
  ///   - nameOrPath: the name of a preset that comes along or of the user's own, or the path of a
  ///     JSON file.
  ///   - changes: `a.b.c=value` each; the value is JSON or else a string, and `null` removes a key.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`; of what a file states, its message
  ///   has the file, the line and the column.
  public static func settings(
    _ nameOrPath: String, changes: [String]
  ) throws -> TranscodeSettings {
    try TranscodeSettings(json(nameOrPath, changes: changes))
  }

  /// The JSON of a preset with changes on top, as ``settings(_:changes:)`` has them.
  package static func json(_ nameOrPath: String, changes: [String]) throws -> JSONValue {
    let preset = try Preset(nameOrPath)
    var json = try preset.value()
    if case .object = json { for change in changes { try json.apply(change) } }
    do {
      _ = try TranscodeSettings(json)
    } catch {
      throw preset.placed(error, in: json)
    }
    return json
  }

  /// The path of the file that a preset is read from; nil for one that comes along.
  package static func file(_ nameOrPath: String) -> String? {
    if nameOrPath.contains("/") || nameOrPath.hasSuffix(".json") { return nameOrPath }
    guard !shipped.contains(where: { $0.name == nameOrPath }) else { return nil }
    return own.first { $0.name == nameOrPath }?.path
  }
}

extension JSONValue {
  /// The most parts of a key path; the deepest known key has four.
  private static let deepest = 16

  /// Applies `a.b.c=value`.
  fileprivate mutating func apply(_ change: String) throws {
    let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let keys = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, keys.allSatisfy({ !$0.isEmpty }) else {
      throw TranscodingError(
        .invalidSettings,
        "a change of settings is key=value, such as video.width=1280, not '\(change.shortened)'",
        code: .malformedChange, arguments: ["change": change.shortened])
    }
    guard keys.count <= Self.deepest else {
      throw SettingsReader.error(
        String(parts[0]), "is not a known key: it has \(keys.count) parts")
    }
    let place = try PresetKey.place(of: keys)
    var value: JSONValue
    do {
      value = try JSONValue(argument: String(parts[1]))
    } catch {
      throw error.refusal(of: "the value of \(String(parts[0]).shortened)")
    }
    if case .string(let name) = value, place == ["video", "colorProperties"],
      let color = ColorDescription(spelling: name)
    {
      value = JSONValue(color)
    }
    if value != .null, value != .bool(false) { removeOthers(of: place) }
    if case .string(let name) = value, place == ["video", "pixelFormat"],
      PresetKey.statesRange(pixelFormat: name)
    {
      self[["video", "range"]] = nil
    }
    self[place[...]] = value == .null ? nil : value
  }

  /// The color properties of a preset.
  private init(_ color: ColorDescription) {
    self = [
      "colorPrimaries": .number(Double(color.colorPrimaries.rawValue)),
      "transferFunction": color.transferCharacteristics.unnumberedName == nil
        ? .number(Double(color.transferCharacteristics.rawValue))
        : .string(color.transferCharacteristics.spelling),
      "yCbCrMatrix": .number(Double(color.matrixCoefficients.rawValue)),
    ]
  }

  /// Removes the other keys of a key's group, of which a preset has one.
  private mutating func removeOthers(of path: [String]) {
    let siblings = PresetKey.keys(of: path.dropLast().joined(separator: "."))
    guard let group = siblings.first(where: { $0.name == path.last })?.group else { return }
    for other in siblings where other.group == group {
      let place = path.dropLast() + [other.name]
      if self[place[...]] != nil { self[place[...]] = nil }
    }
  }
}
