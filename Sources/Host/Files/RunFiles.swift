// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore
internal import Synchronization

/// All files that a run reads and writes.
///
/// Everything that a run writes is reserved here first, so that no output, report or plot replaces
/// another one or a file that the run needs.
package final class RunFiles: Sendable {
  private struct State {
    var read: [String]
    var written: [String] = []
    var folders: [String] = []

    func check(_ path: String, _ identity: FileIdentity?) throws {
      try RunFiles.check(path, identity, among: read + written)
      try RunFiles.check(path, in: folders)
    }
  }

  private let state: Mutex<State>

  private init(_ read: [String]) { state = Mutex(State(read: read)) }

  /// Creates the list for a run that reads at least one file.
  package convenience init(reading input: String, _ others: [String] = []) {
    self.init([input] + others)
  }

  /// Creates the list for a run whose output may replace its input.
  package static func changing(_ input: String, reading others: [String] = []) -> RunFiles {
    RunFiles(others)
  }

  /// Creates the list for a run that has no input, or does not know it yet.
  package static func withoutInput() -> RunFiles { RunFiles([]) }

  /// Adds files that the run reads.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the run writes one of them.
  package func read(_ paths: [String]) throws {
    try state.withLock { state in
      for path in state.written { try Self.check(path, FileIdentity(path), among: paths) }
      state.read += paths
    }
  }

  /// Adds a folder that the run needs for its own files, such as a job's folder.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if a file that was added before is in
  ///   that folder.
  package func keep(folder: String) throws {
    try state.withLock { state in
      for path in state.read + state.written { try Self.check(path, in: [folder]) }
      state.folders.append(folder)
    }
  }

  /// Checks that the run may write a file.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the run needs the file that is
  ///   there.
  package func check(_ path: String) throws {
    try state.withLock { try $0.check(path, FileIdentity(path)) }
  }

  /// Checks that a reserved output may still take its name.
  func check(reserved path: String, _ identity: FileIdentity?) throws {
    // `A.mov` and `a.mov` have different identities until one of them exists. On a file system that
    // ignores case, the output that is published first takes both names.
    try state.withLock { state in
      var others = state
      if let place = others.written.firstIndex(of: path) { others.written.remove(at: place) }
      try others.check(path, identity)
    }
  }

  /// Adds a file that the run writes.
  ///
  /// - Throws: the same as ``check(_:)``.
  func reserve(_ path: String) throws {
    try state.withLock { state in
      try state.check(path, FileIdentity(path))
      state.written.append(path)
    }
  }

  /// Removes a file that will not be written after all.
  func release(_ path: String) {
    state.withLock { state in
      if let place = state.written.firstIndex(of: path) { state.written.remove(at: place) }
    }
  }

  private static func check(
    _ path: String, _ identity: FileIdentity?, among others: [String]
  ) throws {
    guard let identity, let other = others.first(where: { FileIdentity($0) == identity }) else {
      return
    }
    throw TranscodingError(
      .invalidSettings,
      other == path
        ? "\(path) cannot be replaced, because this run reads or writes it; choose another file"
        : "\(path) is the same file as \(other), which this run needs; choose another file")
  }

  private static func check(_ path: String, in folders: [String]) throws {
    let place = whole(path)
    guard let folder = folders.first(where: { PosixPath.contains(whole($0), place) }) else {
      return
    }
    throw TranscodingError(
      .invalidSettings,
      "\(path) is in \(folder), which this run needs for its own files; choose another folder")
  }

  /// Returns the resolved path, with the components that do not exist yet appended.
  private static func whole(_ path: String) -> String {
    if let resolved = PosixPath.resolved(path) { return resolved }
    let path = path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let folder = PosixPath.directory(of: path)
    guard folder != path else { return path }
    return PosixPath.joined(whole(folder), PosixPath.name(of: path))
  }
}
