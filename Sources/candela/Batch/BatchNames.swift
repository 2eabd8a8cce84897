// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore
internal import Planning

/// Names the outputs of a batch.
struct BatchNames {
  let folder: String
  /// The parts of the pattern: texts, and words in braces.
  private let parts: [String]
  /// Returns the extension of an output for the extension of its source.
  private let ending: @Sendable (String) -> String
  /// If the path of an output has a placeholder for numbers, returns the path of the first file;
  /// `nil` if the output is a single file.
  private let first: @Sendable (String) -> String?
  /// The word in the pattern that is filled in only during the work on a file; `nil` if there is
  /// none.
  private let later: String?
  /// Returns a source's name without anything that would be a placeholder in an output's name.
  private let plain: @Sendable (String) -> String

  /// - Parameters:
  ///   - usual: the pattern if the user gives none.
  ///   - later: a word that the pattern may contain. It is filled in during the work on a file.
  ///   - check: refuses a name that no output can have.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the path of the folder is empty,
  ///   or if the pattern cannot name outputs.
  init(
    into folder: String, pattern: String?, usual: String = "{name}.{ext}", later: String? = nil,
    first: @escaping @Sendable (String) -> String? = { _ in nil },
    plain: @escaping @Sendable (String) -> String = { $0 },
    ending: @escaping @Sendable (String) -> String, check: (String) throws -> Void
  ) throws {
    guard !folder.isEmpty else {
      throw TranscodingError(
        .invalidSettings,
        "--into cannot be '': give the folder for the outputs, or . for the current folder")
    }
    let pattern = pattern ?? usual
    (self.folder, self.ending, self.first, self.plain) = (folder, ending, first, plain)
    guard !pattern.utf8.contains(UInt8(ascii: "/")), pattern.contains("{name}") else {
      let fault = pattern.contains("/") ? "it names files, not folders" : "it must contain {name}"
      throw TranscodingError(
        .invalidSettings,
        "--name cannot be '\(pattern)': \(fault); use, for example, {name}.sdr.{ext}")
    }
    let words = pattern.matches(of: /\{([^{}]*)\}/)
    let known = ["{name}", "{ext}", "{folder}", later]
    if let word = words.first(where: { !known.contains(String($0.output.0)) }) {
      let parent = "{folder} (the source's folder)"
      let others = later.map { ", \(parent) or \($0)" } ?? " or \(parent)"
      throw TranscodingError(
        .invalidSettings,
        "--name cannot contain \(word.output.0): use {name}, {ext}\(others)")
    }
    try check(pattern.replacing("{ext}", with: ending(FileType.mov.rawValue)))
    var (parts, end) = ([String](), pattern.startIndex)
    for word in words {
      parts += [String(pattern[end..<word.range.lowerBound]), String(word.output.0)]
      end = word.range.upperBound
    }
    self.parts = parts + [String(pattern[end...])]
    self.later = later.flatMap { pattern.contains($0) ? $0 : nil }
  }

  /// Names movies.
  ///
  /// - Parameter container: returns the container of an output for the extension of its source.
  init(
    into folder: String, pattern: String?,
    container: @escaping @Sendable (String) -> FileType = { FileType(rawValue: $0) ?? .mp4 }
  ) throws {
    try self.init(into: folder, pattern: pattern) {
      container($0).rawValue
    } check: {
      try TranscodePlan.refuseNameWithoutContainer($0)
    }
  }

  /// Returns a file with its output.
  func pair(of input: String, _ output: String) -> BatchFiles.Pair {
    guard later == nil else {
      return BatchFiles.Pair(input: input, output: output, isTemplate: true)
    }
    guard let first = first(output) else {
      return BatchFiles.Pair(input: input, output: output)
    }
    return BatchFiles.Pair(input: input, output: first, pattern: output)
  }

  /// Returns the path of a file's output.
  ///
  /// - Parameter place: the folders between the folder that the user named and the file, each with
  ///   a slash after it.
  func output(of path: String, below place: String) -> String {
    let (name, ending) = Self.split(PosixPath.name(of: path))
    let suffix = self.ending(ending)
    let output = parts.map { part in
      switch part {
      case "{name}": plain(name)
      case "{ext}": suffix
      case "{folder}": plain(Self.folderName(of: path))
      default: part
      }
    }.joined()
    return "\(folder)/\(place)\(output)"
  }

  /// Returns the name of the folder that a file is in.
  private static func folderName(of path: String) -> String {
    let folder = PosixPath.directory(of: path)
    return PosixPath.name(of: PosixPath.resolved(folder) ?? folder)
  }

  /// Whether a file's name is that of a video.
  static func isVideo(_ path: String) -> Bool {
    FileType.videoPathExtensions.contains(split(PosixPath.name(of: path)).ending)
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
