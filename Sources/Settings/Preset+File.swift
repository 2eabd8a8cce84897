// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host

extension Preset {
  /// The preset that comes along, or of the user's own, or the one in a file.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where there is no such preset, or no
  ///   text.
  init(_ nameOrPath: String) throws {
    let path = Preset.file(nameOrPath)
    self.init(
      name: nameOrPath, text: try path.map { try Self.read($0) } ?? Self.text(named: nameOrPath),
      path: path)
  }

  /// The JSON.
  func value() throws -> JSONValue {
    do {
      return try JSONScanner.value(of: text.utf8)
    } catch {
      throw error.refusal(of: path ?? "the preset \(name)", isFile: path != nil)
    }
  }

  /// The error with file, line and column, where it is about what the file states.
  ///
  /// - Parameter json: the settings that were refused: those of the file, with changes on top.
  func placed(_ error: TranscodingError, in json: JSONValue) -> TranscodingError {
    guard let path, let key = error.settingsKey, let original = try? value() else { return error }
    let keys = key.prefix { $0 != "[" }.split(separator: ".").map(String.init)
    // What somebody set on top is not in the file.
    guard original[keys[...]] == json[keys[...]] else { return error }
    let place = JSONScanner.place(of: key, in: text.utf8)
    return TranscodingError(
      error.kind,
      "\(path):\(place): \(error.message.trimmingPrefix(SettingsReader.messagePrefix))")
  }

  /// The most bytes that a preset has; those that come along have about a thousand.
  private static let largest = 1_000_000

  /// - Parameter streams: true if it may come out of a pipe or a device.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for what is no text, or too long.
  private static func read(_ path: String, streams: Bool = true) throws -> String {
    let data: [UInt8]
    do {
      data = try OpenFile.namedBytes(of: path, upTo: largest, streams: streams)
    } catch {
      throw TranscodingError(.invalidSettings, "the preset \(path) \(reason(error))")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw TranscodingError(
        .invalidSettings, "the preset \(path) is not text in UTF-8: is it a preset?")
    }
    return text
  }
}

extension Preset {
  private static func reason(_ refusal: FileRefusal) -> String {
    switch refusal {
    case .system(let number): "cannot be read: \(SystemCall.text(number))"
    case .tooLong: "is larger than 1 MB: is it a preset?"
    case .noWriter: refusal.text
    default: "cannot be read: is it a file?"
    }
  }
}

// The user's own presets.
extension Preset {
  /// The folder of presets of the user's own: `candela/presets` in `XDG_CONFIG_HOME`, or in
  /// `~/.config`; nil where neither is known.
  package static var folder: String? {
    let configuration =
      variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }
    return configuration.map { "\($0)/candela/presets" }
  }

  /// The presets of the user's own that can be read, in the order of their names. One with the name
  /// of a preset that comes along is used by its path only, so that a name means the same
  /// everywhere.
  package static var own: [Preset] {
    guard let folder else { return [] }
    return PosixPath.names(in: folder).sorted().compactMap { file in
      guard file.hasSuffix(".json"), !file.hasPrefix(".") else { return nil }
      let path = "\(folder)/\(file)"
      return (try? read(path, streams: false)).map {
        Preset(name: String(file.dropLast(5)), text: $0, path: path)
      }
    }
  }

  /// A variable of the environment, which has to be a whole path; nil for others.
  private static func variable(_ name: String) -> String? {
    guard let pointer = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: pointer)
    return text.hasPrefix("/") ? text : nil
  }
}

extension JSONScanner.Fault {
  /// - Parameters:
  ///   - name: the name of the document that was read.
  ///   - isFile: true if it is a file, which people look into.
  func refusal(of name: String, isFile: Bool = false) -> TranscodingError {
    let start = isFile ? "\(name):\(place): it" : name
    switch kind {
    case .syntax(let problem):
      return TranscodingError(.invalidSettings, "\(start) is not JSON: \(problem)")
    case .repeatedKey(let path):
      guard isFile else { return SettingsReader.error(path, "is there twice; leave one out") }
      return TranscodingError(
        .invalidSettings, "\(name):\(place): \(path.shortened) is there twice; leave one out")
    case .tooDeep:
      return TranscodingError(
        .invalidSettings, "\(start) has arrays or objects too deep in each other")
    }
  }
}
