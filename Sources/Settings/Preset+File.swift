// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host

extension Preset {
  /// Finds a shipped preset, one of the user's own, or a preset file.
  ///
  /// - Parameter streams: whether a pipe or a device is accepted.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if there is no such preset, or if its
  ///   file cannot be read, is larger than 1 MB, or is not UTF-8 text.
  init(_ nameOrPath: String, streams: Bool = true) throws(TranscodingError) {
    let path = Preset.file(nameOrPath)
    let text =
      if let path { try Self.read(path, streams: streams) } else {
        try Self.text(named: nameOrPath)
      }
    self.init(name: nameOrPath, text: text, path: path)
  }

  /// The preset's JSON, as a tree.
  func value() throws(TranscodingError) -> JSONValue {
    do {
      return try JSONScanner.value(of: text.utf8)
    } catch {
      throw error.refusal(of: path ?? "the preset \(name)", isFile: path != nil)
    }
  }

  // Shipped presets have about a thousand bytes. The limit keeps a video, or a device that never
  // ends, from being read into memory.
  private static let largest = 1_000_000

  /// - Parameter streams: whether a pipe or a device is accepted.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the file cannot be read, is larger
  ///   than 1 MB, or is not UTF-8 text.
  private static func read(_ path: String, streams: Bool = true) throws(TranscodingError) -> String
  {
    let data: [UInt8]
    do {
      data = try OpenFile.namedBytes(of: path, upTo: largest, streams: streams)
    } catch {
      throw TranscodingError(.invalidSettings, "the preset \(path) \(reason(error))")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw TranscodingError(
        .invalidSettings, "the preset \(path) is not UTF-8 text: is it a preset?")
    }
    return text
  }
}

extension Preset {
  private static func reason(_ refusal: FileRefusal) -> String {
    switch refusal {
    case .system(ENOENT): "cannot be read: there is no such file"
    case .system(let number): "cannot be read: \(SystemCall.text(number))"
    case .tooLong: "is larger than 1 MB: is it a preset?"
    case .noWriter: refusal.text
    default: "cannot be read: is it a file?"
    }
  }
}

extension Preset {
  /// The folder for the user's own presets: `candela/presets` in `XDG_CONFIG_HOME`, or else in
  /// `~/.config`.
  package static var folder: String? {
    let configuration =
      variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }
    return configuration.map { "\($0)/candela/presets" }
  }

  /// The user's own presets that can be read, sorted by name.
  package static var own: [Preset] {
    guard let folder else { return [] }
    // An unreadable file is skipped, so that it does not keep the others from being listed.
    return PosixPath.names(in: folder).sorted().compactMap { file in
      guard file.hasSuffix(".json"), !file.hasPrefix(".") else { return nil }
      let path = "\(folder)/\(file)"
      // Listing presets must not wait until somebody writes to a pipe.
      return (try? read(path, streams: false)).map {
        Preset(name: String(file.dropLast(5)), text: $0, path: path)
      }
    }
  }

  /// Returns an environment variable if its value is an absolute path.
  private static func variable(_ name: String) -> String? {
    guard let pointer = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: pointer)
    // The XDG specification says that relative paths are invalid and must be ignored.
    return text.hasPrefix("/") ? text : nil
  }
}

extension JSONScanner.Fault {
  /// - Parameters:
  ///   - name: the name of the document.
  ///   - isFile: whether the document is a file. If so, the message has line and column.
  func refusal(of name: String, isFile: Bool = false) -> TranscodingError {
    func subject(at place: String) -> String { isFile ? "\(name):\(place): it" : name }
    switch self {
    case .syntax(let problem, let place):
      return TranscodingError(.invalidSettings, "\(subject(at: place)) is not JSON: \(problem)")
    case .repeatedKey(let path, let place):
      guard isFile else { return SettingsReader.error(path, "appears twice; remove one") }
      return TranscodingError(
        .invalidSettings, "\(name):\(place): \(path.shortened) appears twice; remove one")
    case .tooDeep(let place):
      return TranscodingError(
        .invalidSettings, "\(subject(at: place)) nests arrays or objects too deeply")
    }
  }
}
