// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// The destination of a report: a file, which appears once it is complete, or a device or pipe.
package final class ReportFile: Sendable {
  private enum Target: Sendable {
    case file(UnfinishedFile)
    case stream(OpenFile)
  }

  private let path: String
  private let target: Target

  /// Reserves the destination. Call it before the work that the report describes.
  ///
  /// - Parameters:
  ///   - path: a file, or a character device or pipe such as `/dev/stdout`.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - files: all files that the run reads and writes. A report that is a file is added to them.
  /// - Throws: ``TranscodingError``: `invalidSettings` if the path is one of `files` already,
  ///   `cannotCreateOutput` if it cannot be written.
  package init(path: String, overwrite: Bool, in files: RunFiles) throws {
    self.path = path
    try files.check(path)
    if let descriptor = Self.descriptor(path) {
      target = .stream(try Self.stream(dup(descriptor), path))
    } else if PosixPath.kind(of: path) == .other {
      target = .stream(try Self.stream(Self.opened(path), path))
    } else {
      target = .file(
        try UnfinishedFile(destination: path, overwrite: overwrite, in: files))
    }
  }

  /// Returns the descriptor that a path such as `/dev/stdout` names; `nil` for other paths.
  private static func descriptor(_ path: String) -> Int32? {
    // Opening `/dev/stdout` again starts at offset 0. If output goes to a file, the report would
    // overwrite what was printed before, so use the descriptor itself.
    switch path {
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
      let prefix = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
      return prefix.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }

  private static func opened(_ path: String) -> Int32 {
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) == 0,
      [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT)
    else { return -1 }
    // A pipe without a reader is an error at once. A plain open would wait for a reader.
    let descriptor = PosixPath.open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_WRONLY) }
    return descriptor
  }

  private static func stream(_ descriptor: Int32, _ path: String) throws -> OpenFile {
    guard descriptor >= 0, fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY else {
      throw TranscodingError(
        .cannotCreateOutput,
        "the report cannot be written to \(path), which must be a file, or a device or pipe that "
          + "is open for writing")
    }
    return OpenFile(closing: descriptor)
  }

  /// Writes the report.
  ///
  /// - Throws: ``TranscodingError``: `inputOutput` if that fails, `cannotCreateOutput` if the name
  ///   was taken meanwhile.
  package func store(_ text: String) throws {
    switch target {
    case .file(let file):
      defer { file.discard() }
      try file.write(Array(text.utf8))
      try file.publish()
    case .stream(let file):
      try SystemCall.write(text, to: file.descriptor, called: "the report \(path)")
    }
  }
}
