// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
package import Host

/// A preset, the preset that it extends, and so on, up to a preset that extends nothing.
struct PresetChain {
  /// The key that names the preset to extend.
  static let key = "extends"

  /// A preset and its own JSON.
  private typealias Link = (preset: Preset, json: JSONValue)

  private var links: [Link]
  /// The JSON of all presets together, without `extends`.
  let merged: JSONValue

  /// Follows `extends` from a preset until a preset extends nothing.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`, with file, line and column, if a
  ///   preset cannot be found or extends itself.
  init(of preset: Preset) throws(TranscodingError) {
    try self.init(from: (preset, preset.value()))
  }

  /// Follows `extends` from settings that have no file. Paths are relative to the working
  /// directory.
  init(of json: JSONValue) throws(TranscodingError) {
    try self.init(from: (Preset(name: "", text: ""), json))
  }

  private init(from first: Link) throws(TranscodingError) {
    var links = [first]
    while let next = try Self.extended(by: links) { links.append(next) }
    self.links = links
    merged = links.dropLast().reversed().reduce(into: links[links.count - 1].json) { merged, link in
      if case .object(let members) = link.json {
        merged.dropLimits(contradictedBy: link.json)
        merged.override(by: members, at: [])
      }
    }
  }

  /// How many presets there are.
  var count: Int { links.count }

  /// The files of the presets.
  var files: [String] { links.compactMap(\.preset.path) }

  /// Returns the preset that the last one extends, if any.
  private static func extended(by links: [Link]) throws(TranscodingError) -> Link? {
    let last = links[links.count - 1]
    let name: String
    switch last.json[[key]] {
    case nil, .null: return nil
    case .string(let text): name = text
    case .some(let other):
      throw last.preset.refusal(of: key, "must be a string, not \(other.kind)")
    }
    let next: Preset
    do {
      // Listing presets follows `extends`, too, and must not wait until somebody writes to a pipe.
      next = try Preset(last.preset.place(of: name), streams: false)
    } catch {
      throw last.preset.refusal(of: key, error)
    }
    if let file = next.path.map(identity),
      links.contains(where: { $0.preset.path.map(identity) == file })
    {
      throw last.preset.refusal(of: key, "is '\(name)', which extends this preset in turn")
    }
    let json = try next.value()
    guard json.kind == "an object" else {
      throw last.preset.refusal(of: key, "is '\(name)', which is \(json.kind), not an object")
    }
    return (next, json)
  }

  /// Returns the same text for every spelling of a path.
  private static func identity(_ path: String) -> String { PosixPath.resolved(path) ?? path }

  /// Refuses settings that no transcode can have.
  ///
  /// - Parameter json: the merged settings, perhaps with changes on top.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`. If a file is to blame, the message
  ///   names the file, the line and the column.
  func check(_ json: JSONValue) throws(TranscodingError) {
    do {
      _ = try TranscodeSettings(json)
    } catch {
      throw placed(error, in: json)
    }
  }

  /// Adds file, line and column to an error about something in one of the files.
  ///
  /// - Parameter json: the settings that were refused: the merged ones, with changes on top.
  private func placed(_ error: TranscodingError, in json: JSONValue) -> TranscodingError {
    guard let key = error.settingsKey else { return error }
    let keys = key.prefix { $0 != "[" }.split(separator: ".").map(String.init)[...]
    // If the refused value comes from a change, no line of a file is to blame.
    guard merged[keys] == json[keys] else { return error }
    let link =
      links.first { $0.json[keys] == merged[keys] }
      ?? links.first { $0.json[keys] != nil } ?? links[0]
    if link.preset.path != nil { return link.preset.refusal(of: key, error) }
    // A shipped preset is valid, so a file that extends it is to blame.
    let file = links.last { $0.preset.path != nil }
    return file?.preset.refusal(of: Self.key, error) ?? error
  }
}

extension Preset {
  /// Returns the name or the path of the preset that this one extends. A relative path starts at
  /// the folder of this preset's file.
  fileprivate func place(of name: String) -> String {
    guard Self.isPath(name), !name.hasPrefix("/"), let path else { return name }
    return "\(PosixPath.directory(of: path))/\(name)"
  }

  /// Returns an error about a key, with its place if the preset has a file.
  fileprivate func refusal(of key: String, _ problem: String) -> TranscodingError {
    refusal(of: key, SettingsReader.error(key, problem))
  }

  /// Returns an error with the place of a key, if the preset has a file.
  fileprivate func refusal(of key: String, _ error: TranscodingError) -> TranscodingError {
    guard let path else { return error }
    let place = JSONScanner.place(of: key, in: text.utf8)
    return TranscodingError(
      error.kind, "\(path):\(place): \(error.message.trimmingPrefix(SettingsReader.messagePrefix))",
      code: error.code, arguments: error.arguments)
  }

  /// Why the preset cannot be used, or `nil` if it is valid.
  package var fault: TranscodingError? {
    do {
      let chain = try PresetChain(of: self)
      try chain.check(chain.merged)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the text of a preset merged with the presets that it extends, or the file's own text
  /// if it extends nothing.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if there is no such preset, or if it
  ///   is not valid.
  package static func mergedText(_ nameOrPath: String) throws -> String {
    let preset = try Preset(nameOrPath)
    let chain = try PresetChain(of: preset)
    try chain.check(chain.merged)
    guard chain.count > 1 else { return preset.text }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(chain.merged), as: UTF8.self)
  }

  /// Returns the files that a preset is read from: its own file, and the files of the presets that
  /// it extends.
  package static func files(_ nameOrPath: String) -> [String] {
    guard let file = file(nameOrPath) else { return [] }
    // A pipe can be read only once, so leave it unread here.
    guard PosixPath.kind(of: file) == .file, let preset = try? Preset(nameOrPath),
      let chain = try? PresetChain(of: preset)
    else { return [file] }
    return chain.files
  }
}

extension JSONValue {
  /// Replaces the values of a preset with the values of a preset that extends it. `null` removes a
  /// key.
  fileprivate mutating func override(by members: [String: JSONValue], at path: [String]) {
    for (key, value) in members where path + [key] != [PresetChain.key] {
      let place = path + [key]
      switch (value, self[place[...]]) {
      case (.null, nil): break
      case (.null, _): self[place[...]] = nil
      case (.object(let inner), .object?): override(by: inner, at: place)
      default:
        makeRoom(for: value, at: place, unless: { members[$0] != nil })
        self[place[...]] = value
      }
    }
  }
}
