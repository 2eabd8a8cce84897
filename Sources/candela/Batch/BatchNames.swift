// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore
internal import Planning

/// Names the outputs of a batch.
struct BatchNames {
  let folder: String
  private let pattern: String
  /// The container that the settings name; `nil` if the source's extension decides.
  private let container: FileType?

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for an empty folder, and for a
  ///   pattern that cannot name outputs.
  init(into folder: String, pattern: String?, container: FileType?) throws {
    guard !folder.isEmpty else {
      throw TranscodingError(
        .invalidSettings,
        "--into cannot be '': give the folder for the outputs, or . for the current folder")
    }
    (self.folder, self.pattern) = (folder, pattern ?? "{name}.{ext}")
    self.container = container
    guard !self.pattern.utf8.contains(UInt8(ascii: "/")), self.pattern.contains("{name}") else {
      throw TranscodingError(
        .invalidSettings,
        "--name cannot be '\(self.pattern)': use a name with {name}, such as {name}.sdr.{ext}")
    }
    let words = self.pattern.matches(of: /\{([^{}]*)\}/)
    if let word = words.first(where: { !["name", "ext", "folder"].contains($0.1) }) {
      throw TranscodingError(
        .invalidSettings,
        "--name cannot have \(word.output): use {name}, {ext} and {folder}, the source's folder")
    }
    try TranscodePlan.refuseNameWithoutContainer(
      self.pattern.replacing("{ext}", with: FileType.mov.rawValue))
  }

  /// Returns the path of the output of a file.
  ///
  /// - Parameter place: the folders between the one that the user named and the file, each with a
  ///   slash after it.
  func output(of path: String, below place: String) -> String {
    let (name, ending) = Self.split(PosixPath.name(of: path))
    let suffix = container ?? FileType(rawValue: ending) ?? .mp4
    // Names may contain such words as well, so replace them in one pass.
    let output = pattern.replacing(/\{(name|ext|folder)\}/) { word in
      switch word.1 {
      case "name": name
      case "ext": suffix.rawValue
      default: Self.folderName(of: path)
      }
    }
    return "\(folder)/\(place)\(output)"
  }

  /// Returns the name of the folder that a file is in.
  private static func folderName(of path: String) -> String {
    let folder = PosixPath.directory(of: path)
    return PosixPath.name(of: PosixPath.resolved(folder) ?? folder)
  }

  /// Splits a name into what comes before its extension, and the extension in lower case.
  static func split(_ name: String) -> (name: String, ending: String) {
    // A dot at the beginning marks a hidden file, not an extension.
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), name[name.utf8.index(after: dot)...].lowercased())
  }
}
