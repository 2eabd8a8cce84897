// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// A folder that is held open. What is written into it goes there, even where somebody moves it
/// meanwhile and puts another folder, or a link, in its place.
package final class HeldFolder: Sendable {
  /// The path by which it was opened.
  package let path: String
  /// The open folder.
  package let file: OpenFile

  /// Opens a folder; nil, with `errno`, where that cannot be.
  package init?(_ path: String) {
    // Not imported: `O_PATH`, which asks for no right to list the folder.
    let withoutContent: Int32 = 0o10000000
    let descriptor = PosixPath.open(path, withoutContent | O_DIRECTORY)
    guard descriptor >= 0 else { return nil }
    self.path = path
    file = OpenFile(closing: descriptor)
  }

  /// True if the path still leads to this folder.
  package var isInPlace: Bool {
    FileIdentity(path) == FileIdentity(descriptor: file.descriptor)
  }

  /// The path of a file in the folder, wherever the folder is by now.
  package func place(of name: String) -> String {
    guard !isInPlace else { return path == "." ? name : PosixPath.joined(path, name) }
    let now = PosixPath.target(of: "/proc/self/fd/\(file.descriptor)")
    return PosixPath.joined(now ?? path, name)
  }

  /// Opens a file in the folder.
  ///
  /// - Returns: its descriptor; less than 0, with `errno`, where it cannot be opened.
  func open(_ name: String, _ flags: Int32) -> Int32 { PosixPath.open(name, flags, in: file) }

  /// Gives a file that lies at a path a name in the folder that no other file has.
  ///
  /// - Parameter flags: flags of linkat(2).
  /// - Returns: 0, or the system's error number: `EEXIST` where somebody has the name.
  func link(_ path: String, as name: String, _ flags: Int32, from folder: OpenFile? = nil) -> Int32
  {
    let result = unsafe linkat(
      folder?.descriptor ?? AT_FDCWD, SystemPath.bytes(path), file.descriptor,
      SystemPath.bytes(name), flags)
    return result == 0 ? 0 : errno
  }

  /// Renames a file of the folder, in the place of the one that has the name.
  ///
  /// - Returns: 0, or the system's error number.
  func rename(_ name: String, to other: String) -> Int32 {
    let result = unsafe renameat(
      file.descriptor, SystemPath.bytes(name), file.descriptor, SystemPath.bytes(other))
    return result == 0 ? 0 : errno
  }

  /// Removes a file of the folder, if it is there.
  func remove(_ name: String) { _ = unsafe unlinkat(file.descriptor, SystemPath.bytes(name), 0) }

  /// True if something has a name in the folder.
  func has(_ name: String) -> Bool {
    var status = stat()
    return unsafe fstatat(
      file.descriptor, SystemPath.bytes(name), &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// The names of what is in the folder; none where it cannot be read.
  var names: [String] {
    let descriptor = open(".", O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return [] }
    guard let stream = unsafe fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    return unsafe PosixPath.names(closing: stream)
  }
}
