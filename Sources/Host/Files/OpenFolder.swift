// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// An open folder. Files go into this very folder, even if somebody moves it meanwhile and puts
/// another folder or a link in its place.
package final class OpenFolder: Sendable {
  /// The path that was opened, which may lead elsewhere by now.
  package let path: String
  package let file: OpenFile

  /// Opens a folder. Returns `nil` and sets `errno` if that fails.
  package init?(_ path: String) {
    // `O_PATH` needs no permission to list the folder. Swift does not import it.
    let withoutContent: Int32 = 0o10000000
    let descriptor = PosixPath.open(path, withoutContent | O_DIRECTORY)
    guard descriptor >= 0 else { return nil }
    self.path = path
    file = OpenFile(closing: descriptor)
  }

  /// Whether the path still leads to this folder.
  package var isInPlace: Bool {
    FileIdentity(path) == FileIdentity(descriptor: file.descriptor)
  }

  /// Returns the path of a file in the folder, wherever the folder is by now.
  package func place(of name: String) -> String {
    guard !isInPlace else { return path == "." ? name : PosixPath.joined(path, name) }
    let now = PosixPath.target(of: "/proc/self/fd/\(file.descriptor)")
    return PosixPath.joined(now ?? path, name)
  }

  /// Opens a file in the folder.
  ///
  /// - Returns: its descriptor, or less than 0 with `errno` set.
  func open(_ name: String, _ flags: Int32) -> Int32 { PosixPath.open(name, flags, in: file) }

  /// Gives the file at a path another name, in this folder. An existing file with that name is not
  /// replaced.
  ///
  /// - Parameter flags: flags of linkat(2).
  /// - Returns: 0, or the system's error number: `EEXIST` if the name is taken.
  func link(_ path: String, as name: String, _ flags: Int32, from folder: OpenFile? = nil) -> Int32
  {
    let result = unsafe linkat(
      folder?.descriptor ?? AT_FDCWD, path.systemBytes, file.descriptor, name.systemBytes, flags)
    return result == 0 ? 0 : errno
  }

  /// Renames a file of the folder, replacing the file that has the new name.
  ///
  /// - Returns: 0, or the system's error number.
  func rename(_ name: String, to other: String) -> Int32 {
    let result = unsafe renameat(
      file.descriptor, name.systemBytes, file.descriptor, other.systemBytes)
    return result == 0 ? 0 : errno
  }

  /// Removes a file from the folder, if it exists.
  @discardableResult
  package func remove(_ name: String) -> Bool {
    unsafe unlinkat(file.descriptor, name.systemBytes, 0) == 0
  }

  /// Whether the folder has an entry with this name.
  func has(_ name: String) -> Bool {
    // A link that leads nowhere takes up the name as well, so do not follow it.
    var status = stat()
    return unsafe fstatat(file.descriptor, name.systemBytes, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// The names of the folder's entries. Empty if the folder cannot be read.
  var names: [String] {
    // The folder was opened with `O_PATH`, which does not allow listing it.
    let descriptor = open(".", O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return [] }
    guard let stream = unsafe fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    return unsafe PosixPath.names(closing: stream)
  }
}

extension OpenFile {
  // How often to try to create a folder that another run removes at the same time, and how many
  // microseconds to pause in between.
  private static let attempts = 20
  private static let pause: UInt32 = 10_000

  /// Creates a folder with its missing parents. No other run removes the folder as long as the
  /// returned file is open.
  ///
  /// - Returns: `nil`, with `errno` set, if the folder cannot be created.
  package static func keptFolder(_ path: String) -> OpenFile? {
    for _ in 0..<attempts {
      // Another run may remove a parent right after it was created.
      guard PosixPath.createDirectories(path) || errno == ENOENT else { return nil }
      let folder = OpenFile(closing: PosixPath.open(path, O_RDONLY | O_DIRECTORY))
      if flock(folder.descriptor, LOCK_SH | LOCK_NB) == 0 {
        if FileIdentity(path) == FileIdentity(descriptor: folder.descriptor) { return folder }
      } else if errno != EWOULDBLOCK, PosixPath.kind(of: path) != .nothing {
        // Some file systems have no locks, and some folders may be written but not opened. There,
        // do without the lock.
        return folder
      }
      usleep(pause)
    }
    errno = ENOENT
    return nil
  }
}
