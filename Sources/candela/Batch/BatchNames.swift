// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore
internal import Planning

/// Names of the outputs of a batch.
struct BatchNames {
  /// The folder of the outputs.
  let folder: String
  private let pattern: String
  /// The container that the settings state; nil where names say which it is.
  private let container: FileType?

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for no folder, and for a pattern that
  ///   makes no names.
  init(into folder: String, pattern: String?, container: FileType?) throws {
    guard !folder.isEmpty else {
      throw TranscodingError(
        .invalidSettings, "--into has no value '': the folder for the outputs, . for this one")
    }
    (self.folder, self.pattern) = (folder, pattern ?? "{name}.{ext}")
    self.container = container
    guard !self.pattern.utf8.contains(UInt8(ascii: "/")), self.pattern.contains("{name}") else {
      throw TranscodingError(
        .invalidSettings,
        "--name has no value '\(self.pattern)': a name with {name}, such as {name}.sdr.{ext}")
    }
    try TranscodePlan.refuseNameWithoutContainer(
      self.pattern.replacing("{ext}", with: FileType.mov.rawValue))
  }

  /// The path of the output of a file.
  ///
  /// - Parameter place: the folders between the one that was named and the file, each with a slash.
  func output(of path: String, below place: String) -> String {
    let (name, ending) = Self.split(PosixPath.name(of: path))
    let suffix = container ?? FileType(rawValue: ending) ?? .mp4
    // The source's name comes last: what is in it stands for nothing.
    let output = pattern.replacing("{ext}", with: suffix.rawValue)
      .replacing("{name}", with: name)
    return "\(folder)/\(place)\(output)"
  }

  /// A name without its ending, and the ending in lower case.
  static func split(_ name: String) -> (name: String, ending: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), name[name.utf8.index(after: dot)...].lowercased())
  }
}
