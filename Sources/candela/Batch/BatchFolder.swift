// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import Synchronization

/// The folder for the outputs of a batch: what it is when the first output is made, it stays.
final class BatchFolder: Sendable {
  /// The path that was named.
  let path: String
  private let held = Mutex<HeldFolder?>(nil)

  init(_ path: String) { self.path = path }

  /// The open folder, which is created where it is not there.
  ///
  /// - Throws: ``TranscodingError``: `cannotCreateOutput` where it cannot be, `inputOutput` where
  ///   its path leads elsewhere by now.
  func opened() throws -> HeldFolder {
    try held.withLock { held in
      if let folder = held {
        guard folder.isInPlace else {
          throw TranscodingError(
            .inputOutput,
            "the folder \(path) was moved or replaced during the run: what was made before is in "
              + folder.place(of: "."))
        }
        return folder
      }
      guard PosixPath.createDirectories(path), let folder = HeldFolder(path) else {
        throw TranscodingError(
          .cannotCreateOutput, "cannot create \(path): \(SystemCall.text())")
      }
      held = folder
      return folder
    }
  }
}
