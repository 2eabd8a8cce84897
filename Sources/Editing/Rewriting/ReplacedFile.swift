// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore

/// A file that a new one replaces. The new file gets the old file's owner, permissions and
/// extended attributes.
struct ReplacedFile {
  private let path: String
  private let version: [Int]

  /// Returns `nil` if the output is not the input.
  init?(_ input: String, by output: String) {
    // Resolve the paths first, because different paths may lead to the same file, for example
    // through links.
    guard let path = PosixPath.resolved(input), PosixPath.resolved(output) == path else {
      return nil
    }
    self.path = path
    version = PosixPath.version(of: path)
  }

  /// Throws if somebody else changed the file in the meantime.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  func checkUnchanged() throws {
    // The new file was made from the old content, so it lacks whatever another program has changed
    // since then.
    guard PosixPath.version(of: path) == version else {
      throw TranscodingError(
        .cannotCreateOutput,
        "another program has changed \(path), so it was not replaced; try again")
    }
  }

  /// Throws if the file may not be changed, or if replacing it would do more than change its
  /// content.
  func check() throws {
    func refuse(_ reason: String) -> TranscodingError {
      TranscodingError(.cannotCreateOutput, "\(path) \(reason)")
    }
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) == 0 else {
      throw refuse("no longer exists")
    }
    // The new file is another inode, so the file's other names would keep the old content.
    guard status.st_nlink <= 1 else {
      throw refuse(
        "has \(status.st_nlink) names (hard links), which would no longer lead to the same file; "
          + "write to a new file")
    }
    // `access` allows the superuser everything, so the mode is checked too.
    guard unsafe access(path.systemBytes, W_OK) == 0, status.st_mode & 0o222 != 0 else {
      throw refuse("is write-protected; change its permissions or write to a new file")
    }
    guard geteuid() == 0 || status.st_uid == geteuid() else {
      throw refuse(
        "belongs to another user, and its replacement would be yours; write to a new file")
    }
  }

  /// Gives the new file the attributes of the old one.
  ///
  /// - Returns: notices about attributes that could not be kept.
  func giveAttributes(to newPath: String) throws -> [Notice] {
    var lost: [String] = []
    var status = stat()
    let isFound = unsafe stat(path.systemBytes, &status) == 0
    let hasOwner =
      unsafe isFound && chown(newPath.systemBytes, status.st_uid, status.st_gid) == 0
    if !hasOwner { lost.append("owner") }
    if !PosixPath.copyExtendedAttributes(from: path, to: newPath) {
      lost.append("extended attributes")
    }
    // Changing the owner clears set-user-ID and set-group-ID, so the mode comes last.
    let hasMode = unsafe isFound && chmod(newPath.systemBytes, status.st_mode & 0o7777) == 0
    if !hasMode { lost.append("permissions") }
    return lost.map { .attributeNotKept($0, of: path) }
  }
}
