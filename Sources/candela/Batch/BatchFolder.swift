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
  /// - Throws: ``TranscodingError``: `cannotCreateOutput` if that fails, `inputOutput` if the
  ///   path leads somewhere else by now.
  func opened() throws -> OpenFolder {
    try held.withLock { held in
      // Once the first output is in it, the folder is held open: outputs and records belong
      // together, whatever happens to the path.
      if let folder = held {
        guard folder.isInPlace else {
          throw TranscodingError(
            .inputOutput,
            "the folder \(path) was moved or replaced during the run: what was made until then is "
              + "in "
              + folder.place(of: "."))
        }
        return folder
      }
      guard PosixPath.createDirectories(path), let folder = OpenFolder(path) else {
        throw TranscodingError(
          .cannotCreateOutput, "cannot create \(path): \(SystemCall.text())")
      }
      held = folder
      return folder
    }
  }
}
