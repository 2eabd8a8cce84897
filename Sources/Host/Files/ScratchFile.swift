// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore
internal import Synchronization

/// A file that is still being written. It has no name yet, or only a hidden name.
final class ScratchFile: Sendable {
  /// A path that opens the file as long as this object lives.
  let path: String

  /// The open file, and its hidden name; `nil` as long as it has none.
  private let state: Mutex<(descriptor: Int32, name: String?)>
  private let folder: OpenFolder

  // The files with hidden names in this process, and their folders. A process that is interrupted
  // ends without running `deinit`, so it removes the files through this list.
  private static let names = Mutex<[String: OpenFolder]>([:])

  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  init(in folder: OpenFolder) throws {
    self.folder = folder
    // A file without a name vanishes no matter how the program ends. If the system cannot make
    // one, the file gets a hidden name and a lock, which tells a later run whether the file is
    // still in use. Swift does not import `O_TMPFILE`. The octal number is that flag without the
    // bit of `O_DIRECTORY`, and is the same on all processors that Swift supports.
    let withoutName = 0o20000000 | O_DIRECTORY
    let descriptor = folder.open(".", withoutName | O_RDWR)
    if descriptor >= 0 {
      if let path = Self.path(of: descriptor) {
        self.path = path
        state = Mutex((descriptor, nil))
        return
      }
      close(descriptor)
    }
    let (named, name) = try Self.createNamed(in: folder)
    path = Self.path(of: named) ?? PosixPath.joined(folder.path, name)
    state = Mutex((named, name))
  }

  /// Returns a path that leads to an open file even if the file has no name, or `nil` if there is
  /// no `/proc`.
  private static func path(of descriptor: Int32) -> String? {
    let path = "/proc/self/fd/\(descriptor)"
    return FileIdentity(path) == FileIdentity(descriptor: descriptor) ? path : nil
  }

  deinit { discard() }

  /// A name that no other file has.
  static var freshName: String {
    // The output's name may already have the 255 bytes that file systems allow, so the hidden name
    // is not made from it.
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(prefix)\(mark)\(suffix)"
  }

  private static let prefix = ".candela-"
  private static let suffix = ".unfinished"

  private static func createNamed(in folder: OpenFolder) throws -> (Int32, String) {
    for _ in 0..<16 {
      let name = freshName
      let descriptor = folder.open(name, O_RDWR | O_CREAT | O_EXCL)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw TranscodingError(
          .cannotCreateOutput, "no file can be created in \(folder.path): \(SystemCall.text())")
      }
      names.withLock { $0[name] = folder }
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      // Before the lock, another run may have taken the new file for a leftover and removed it.
      var status = stat()
      if unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, name) }
      names.withLock { $0[name] = nil }
      close(descriptor)
    }
    throw TranscodingError(
      .cannotCreateOutput, "no file can be created in \(folder.path)")
  }

  /// Gives the file a name in its folder. An existing file with that name is not replaced.
  ///
  /// - Returns: 0, or the system's error number: `EEXIST` if the name is taken.
  func link(as name: String) -> Int32 {
    guard let hidden = state.withLock({ $0.name }) else {
      return folder.link(path, as: name, AT_SYMLINK_FOLLOW)
    }
    return folder.link(hidden, as: name, 0, from: folder.file)
  }

  /// Gives the file a name in its folder, replacing any file that already has the name.
  ///
  /// - Returns: 0, or the system's error number.
  func rename(to other: String) -> Int32 {
    // Linux has no call that links a file over an existing one. Only `rename` can replace a file,
    // and it needs a new file that has a name.
    guard let name = hiddenName() else { return errno }
    let error = folder.rename(name, to: other)
    if error == 0 { state.withLock { Self.forget(&$0.name) } }
    return error
  }

  /// Returns the file's hidden name, giving it one first if needed. Returns `nil` with `errno` set
  /// if that fails.
  private func hiddenName() -> String? {
    state.withLock { state in
      if let name = state.name { return name }
      // Lock the file before it has a name, or another run could take it for a leftover.
      _ = flock(state.descriptor, LOCK_EX | LOCK_NB)
      let name = Self.freshName
      let error = folder.link(path, as: name, AT_SYMLINK_FOLLOW)
      guard error == 0 else {
        errno = error
        return nil
      }
      state.name = name
      Self.names.withLock { $0[name] = folder }
      return name
    }
  }

  /// Closes the file. It vanishes, unless it was given another name.
  func discard() {
    state.withLock { state in
      if let name = state.name { folder.remove(name) }
      Self.forget(&state.name)
      if state.descriptor >= 0 { close(state.descriptor) }
      state.descriptor = -1
    }
  }

  private static func forget(_ name: inout String?) {
    if let name { names.withLock { $0[name] = nil } }
    name = nil
  }

  /// Removes the hidden names of all files, for a process that ends without releasing its objects.
  static func removeAll() {
    for (name, folder) in names.withLock({ $0 }) { folder.remove(name) }
  }

  /// Removes files of killed runs from a folder: scratch files that no process has locked.
  static func removeLeftovers(in folder: OpenFolder) {
    for name in folder.names where name.hasPrefix(prefix) {
      guard name.hasSuffix(suffix) || name.hasSuffix(suffix + ".samples"),
        let file = try? OpenFile.own(name, O_RDWR, isShared: true, in: folder.file),
        // Somebody may have put another file under this name after `file` was opened.
        FileIdentity(of: name, in: folder) == FileIdentity(descriptor: file.descriptor),
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      folder.remove(name)
    }
  }
}
