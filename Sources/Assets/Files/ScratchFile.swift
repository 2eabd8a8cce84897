// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore
internal import Synchronization

/// A file that is being written and is not published yet. It has no name, so that nothing is left
/// of it however the program ends; where the file system or the system does not know such files, it
/// has a hidden name and a lock, by which a later run knows if it is still being written.
final class ScratchFile: Sendable {
  /// Path at which the file can be opened while this object lives.
  let path: String

  private struct State {
    var descriptor: Int32
    /// The hidden name; nil for a file without any.
    var name: String?
  }

  private let state: Mutex<State>
  private let directory: String

  /// The hidden names of all files of the process that have one.
  private static let names = Mutex<Set<String>>([])

  /// Creates a file.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  init(in directory: String) throws {
    self.directory = directory
    // Not imported: `__O_TMPFILE`, the same number on all processors that Swift runs on.
    let withoutName = 0o20000000 | O_DIRECTORY
    let descriptor = PosixPath.open(directory, withoutName | O_RDWR)
    if descriptor >= 0 {
      let path = "/proc/self/fd/\(descriptor)"
      if FileIdentity(path) == FileIdentity(descriptor: descriptor) {
        self.path = path
        state = Mutex(State(descriptor: descriptor))
        return
      }
      close(descriptor)
    }
    let (named, name) = try Self.createNamed(in: directory)
    path = name
    state = Mutex(State(descriptor: named, name: name))
  }

  deinit { discard() }

  /// A name that no other file has. Short, and not made of the output's: names have a limit of 255
  /// bytes.
  private static func freshName(in directory: String) -> String {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(directory)/\(prefix)\(mark)\(suffix)"
  }

  private static let prefix = ".candela-"
  private static let suffix = ".unfinished"

  private static func createNamed(in directory: String) throws -> (Int32, String) {
    for _ in 0..<16 {
      let name = freshName(in: directory)
      let descriptor = PosixPath.open(name, O_RDWR | O_CREAT | O_EXCL)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw TranscodingError(
          .cannotCreateOutput, "no file can be created in \(directory): \(SystemCall.text())")
      }
      _ = names.withLock { $0.insert(name) }
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      // Another run may have taken it for a leftover before it was locked.
      var status = stat()
      if unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, name) }
      _ = names.withLock { $0.remove(name) }
      close(descriptor)
    }
    throw TranscodingError(.cannotCreateOutput, "no file can be created in \(directory)")
  }

  /// Gives the file a name that no other file has.
  ///
  /// - Returns: 0, or the system's error number: `EEXIST` where somebody has the name.
  func link(as name: String) -> Int32 {
    let isNamed = state.withLock { $0.name != nil }
    let flags = isNamed ? 0 : AT_SYMLINK_FOLLOW
    return unsafe linkat(
      AT_FDCWD, SystemPath.bytes(path), AT_FDCWD, SystemPath.bytes(name), flags) == 0 ? 0 : errno
  }

  /// Gives the file a name, in the place of the file that has it.
  ///
  /// - Returns: 0, or the system's error number.
  func rename(to destination: String) -> Int32 {
    guard let name = hiddenName() else { return errno }
    guard unsafe Glibc.rename(SystemPath.bytes(name), SystemPath.bytes(destination)) == 0
    else { return errno }
    state.withLock { Self.forget(&$0.name) }
    return 0
  }

  /// The hidden name of the file, which it is given where it has none: only a name can take the
  /// place of another. Nil, with `errno`, where that fails.
  func hiddenName() -> String? {
    state.withLock { state in
      if let name = state.name { return name }
      _ = flock(state.descriptor, LOCK_EX | LOCK_NB)
      let name = Self.freshName(in: directory)
      guard
        unsafe linkat(
          AT_FDCWD, path, AT_FDCWD, SystemPath.bytes(name), AT_SYMLINK_FOLLOW) == 0
      else { return nil }
      state.name = name
      _ = Self.names.withLock { $0.insert(name) }
      return name
    }
  }

  /// Closes the file. A file that has got no other name is gone.
  func discard() {
    state.withLock { state in
      if let name = state.name { _ = unsafe unlink(SystemPath.bytes(name)) }
      Self.forget(&state.name)
      if state.descriptor >= 0 { close(state.descriptor) }
      state.descriptor = -1
    }
  }

  private static func forget(_ name: inout String?) {
    if let name { _ = names.withLock { $0.remove(name) } }
    name = nil
  }

  /// Removes the hidden names of all files, for a process that ends without its objects.
  static func removeAll() {
    for name in names.withLock({ $0 }) { _ = unsafe unlink(SystemPath.bytes(name)) }
  }

  /// Removes files of killed runs from a directory: those with a scratch file's name that no
  /// process has locked.
  static func removeLeftovers(in directory: String) {
    for name in PosixPath.names(in: directory) where name.hasPrefix(prefix) {
      guard name.hasSuffix(suffix) || name.hasSuffix(suffix + ".samples") else { continue }
      let path = "\(directory)/\(name)"
      let descriptor = PosixPath.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard FileIdentity(path) == FileIdentity(descriptor: descriptor),
        PosixPath.kind(of: path) == .file, flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      _ = unsafe unlink(SystemPath.bytes(path))
    }
  }
}

/// The end of a process in the middle of its work.
package enum Interruption {
  /// Removes what a process has not finished, where it ends without waiting for its work: a library
  /// or the system may keep a thread for long.
  package static func removeUnfinished() { ScratchFile.removeAll() }
}
