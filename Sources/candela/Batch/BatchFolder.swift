// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import Synchronization

/// The folder for the outputs of a batch.
final class BatchFolder: Sendable {
  /// The path as the user named it.
  let path: String
  private let held = Mutex<OpenFolder?>(nil)

  init(_ path: String) { self.path = path }

  /// Returns the open folder, and creates it if necessary.
  ///
  /// - Throws: ``TranscodingError``: `cannotCreateOutput` if it cannot be created, `inputOutput` if
  ///   the path now leads somewhere else.
  func opened() throws -> OpenFolder {
    try held.withLock { held in
      // From its first use on, the folder stays open, so that outputs and records stay together
      // whatever happens to the path.
      if let folder = held {
        guard folder.isInPlace else {
          throw TranscodingError(
            .inputOutput,
            "the folder \(path) was moved or replaced during the run: the outputs made until then "
              + "are in "
              + folder.place(of: "."))
        }
        return folder
      }
      guard PosixPath.createDirectories(path), let folder = OpenFolder(path) else {
        throw Self.refusal(of: path, SystemCall.text())
      }
      held = folder
      return folder
    }
  }

  private static func refusal(of folder: String, _ reason: String) -> TranscodingError {
    TranscodingError(.cannotCreateOutput, "cannot create \(folder): \(reason)")
  }

  private static func refuseLink(_ pair: BatchFiles.Pair) throws(TranscodingError) {
    // Publishing an output renames the finished file. If the output is a symbolic link, that would
    // replace the link instead of the file that it leads to.
    guard !PosixPath.isLink(pair.output) else {
      throw TranscodingError(
        .cannotCreateOutput, "cannot create \(pair.output): it is a symbolic link; remove it first")
    }
  }

  /// Refuses an output whose name is longer than names can be. For example, the source has the
  /// longest possible name, and the output's extension is longer than the source's.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  static func refuseLongName(_ pair: BatchFiles.Pair) throws(TranscodingError) {
    let count = PosixPath.nameLength(of: pair.output)
    guard count > PosixPath.longestName else { return }
    throw TranscodingError(
      .cannotCreateOutput,
      "cannot create \(pair.output): its name would have \(count) bytes, but names have at most "
        + "\(PosixPath.longestName); rename the source, or choose shorter names with --name")
  }

  /// Refuses an output for which ``prepare(_:)`` would fail, without creating anything.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  func check(_ pair: BatchFiles.Pair) throws(TranscodingError) {
    try Self.refuseLink(pair)
    try Self.refuseLongName(pair)
    for place in [path, PosixPath.directory(of: pair.output)] {
      let error = PosixPath.obstacle(toCreating: place)
      if error != 0 { throw Self.refusal(of: place, SystemCall.text(error)) }
    }
  }

  /// Creates the folders of an output.
  ///
  /// - Returns: the folder that the output goes into. While it is open, no other run removes it.
  func prepare(_ pair: BatchFiles.Pair) throws -> OpenFile {
    try Self.refuseLink(pair)
    try Self.refuseLongName(pair)
    // The folder must still be the one that the first output went into.
    _ = try opened()
    let place = PosixPath.directory(of: pair.output)
    guard let folder = OpenFile.keptFolder(place) else {
      throw Self.refusal(of: place, SystemCall.text())
    }
    return folder
  }
}
