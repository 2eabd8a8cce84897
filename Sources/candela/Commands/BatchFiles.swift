// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets

/// Files of a batch with their outputs.
struct BatchFiles {
  /// A file to read and the file to write.
  struct Pair: Hashable, Sendable {
    /// The path of the file to read.
    let input: String
    /// The path of the file to write.
    let output: String
  }

  /// The pairs, in the order of the arguments; those of a folder by their names.
  private(set) var pairs: [Pair] = []

  private let folder: String
  private let pattern: String
  private let isRecursive: Bool

  /// Endings of names of video files, in lower case.
  private static let endings: Set = [
    "3g2", "3gp", "avi", "dv", "flv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts",
    "mxf",
    "ogv", "ts", "vob", "webm", "wmv",
  ]
  /// Endings of names of outputs.
  private static let containers: Set = ["mkv", "mov", "mp4"]

  /// Finds the files.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a folder without `--recursive`, a
  ///   pattern that makes no name, and two files with one output.
  init(_ paths: [String], _ arguments: BatchArguments, into folder: String) throws {
    (self.folder, pattern, isRecursive) = (folder, arguments.name, arguments.recursive)
    guard !pattern.contains("/"), pattern.contains("{name}") else {
      throw TranscodingError(
        .invalidSettings,
        "--name has no value '\(pattern)': a name with {name}, such as {name}.sdr.{ext}")
    }
    for path in paths { try add(path) }
    guard !pairs.isEmpty else {
      throw TranscodingError(
        .noInput, "there is no video file in \(paths.joined(separator: ", "))")
    }
    try checkOutputs()
  }

  private mutating func add(_ path: String) throws {
    guard PosixPath.kind(of: path) == .directory else {
      pairs.append(pair(path, below: ""))
      return
    }
    guard isRecursive else {
      throw TranscodingError(
        .invalidSettings, "\(path) is a folder: --recursive takes the files in it")
    }
    var found: [Pair] = []
    try scan(path, below: "", &found)
    // Outputs of an earlier run are no sources.
    let outputs = Set(found.map(\.output).map(Self.identity))
    pairs += found.filter { !outputs.contains(Self.identity($0.input)) }
  }

  private func scan(
    _ directory: String, below place: String, _ found: inout [Pair]
  ) throws {
    guard PosixPath.isReadable(directory) else {
      throw TranscodingError(.noInput, "\(directory) cannot be read: \(SystemCall.text())")
    }
    for name in PosixPath.names(in: directory).sorted() where !name.hasPrefix(".") {
      let path = "\(directory)/\(name)"
      switch PosixPath.kind(of: path) {
      case .directory:
        if PosixPath.resolved(path) != PosixPath.resolved(folder), !PosixPath.isLink(path) {
          try scan(path, below: "\(place)\(name)/", &found)
        }
      case .file where Self.endings.contains(Self.split(name).ending):
        found.append(pair(path, below: place))
      default: break
      }
    }
  }

  private func pair(_ path: String, below place: String) -> Pair {
    let (name, ending) = Self.split(PosixPath.name(of: path))
    let output = pattern.replacing("{name}", with: name)
      .replacing("{ext}", with: Self.containers.contains(ending) ? ending : "mp4")
    return Pair(input: path, output: "\(folder)/\(place)\(output)")
  }

  /// A name without its ending, and the ending in lower case.
  private static func split(_ name: String) -> (name: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
  }

  /// The path from the root on, as far as it is there.
  private static func identity(_ path: String) -> String {
    if let resolved = PosixPath.resolved(path) { return resolved }
    let directory = PosixPath.directory(of: path)
    return "\(PosixPath.resolved(directory) ?? directory)/\(PosixPath.name(of: path))"
  }

  private func checkOutputs() throws {
    var sources: [String: String] = [:]
    for pair in pairs {
      if let other = sources.updateValue(pair.input, forKey: Self.identity(pair.output)) {
        throw TranscodingError(
          .invalidSettings,
          "\(other) and \(pair.input) would both become \(pair.output): give other names by --name")
      }
    }
    for pair in pairs {
      guard let other = sources[Self.identity(pair.input)] else { continue }
      throw TranscodingError(
        .invalidSettings,
        "\(pair.input) would be replaced by the output of \(other): give another folder by --into, "
          + "or other names by --name")
    }
  }
}
