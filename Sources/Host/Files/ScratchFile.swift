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
  private let folder: HeldFolder

  /// The hidden names of all files of the process that have one, with the folders that they are in.
  private static let names = Mutex<[String: HeldFolder]>([:])

  /// Creates a file.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  init(in folder: HeldFolder) throws {
    self.folder = folder
    // Not imported: `__O_TMPFILE`, the same number on all processors that Swift runs on.
    let withoutName = 0o20000000 | O_DIRECTORY
    let descriptor = folder.open(".", withoutName | O_RDWR)
    if descriptor >= 0 {
      if let path = Self.path(of: descriptor) {
        self.path = path
        state = Mutex(State(descriptor: descriptor))
        return
      }
      close(descriptor)
    }
    let (named, name) = try Self.createNamed(in: folder)
    path = Self.path(of: named) ?? PosixPath.joined(folder.path, name)
    state = Mutex(State(descriptor: named, name: name))
  }

  /// A path that leads to an open file whatever its name is; nil where the system has none.
  private static func path(of descriptor: Int32) -> String? {
    let path = "/proc/self/fd/\(descriptor)"
    return FileIdentity(path) == FileIdentity(descriptor: descriptor) ? path : nil
  }

  deinit { discard() }

  /// A name that no other file has. Short, and not made of the output's: names have a limit of 255
  /// bytes.
  static var freshName: String {
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    return "\(prefix)\(mark)\(suffix)"
  }

  private static let prefix = ".candela-"
  private static let suffix = ".unfinished"

  private static func createNamed(in folder: HeldFolder) throws -> (Int32, String) {
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
      // Another run may have taken it for a leftover before it was locked.
      var status = stat()
      if unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, name) }
      names.withLock { $0[name] = nil }
      close(descriptor)
    }
    throw TranscodingError(
      .cannotCreateOutput, "no file can be created in \(folder.path)")
  }

  /// Gives the file a name in its folder that no other file has.
  ///
  /// - Returns: 0, or the system's error number: `EEXIST` where somebody has the name.
  func link(as name: String) -> Int32 {
    guard let hidden = state.withLock({ $0.name }) else {
      return folder.link(path, as: name, AT_SYMLINK_FOLLOW)
    }
    return folder.link(hidden, as: name, 0, from: folder.file)
  }

  /// Gives the file a name in its folder, in the place of the file that has it.
  ///
  /// - Returns: 0, or the system's error number.
  func rename(to other: String) -> Int32 {
    // Only a name can take the place of another.
    guard let name = hiddenName() else { return errno }
    let error = folder.rename(name, to: other)
    if error == 0 { state.withLock { Self.forget(&$0.name) } }
    return error
  }

  /// The hidden name of the file, which gets one where it has none; nil, with `errno`, where that
  /// fails.
  private func hiddenName() -> String? {
    state.withLock { state in
      if let name = state.name { return name }
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

  /// Closes the file. A file that has got no other name is gone.
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

  /// Removes the hidden names of all files, for a process that ends without its objects.
  static func removeAll() {
    for (name, folder) in names.withLock({ $0 }) { folder.remove(name) }
  }

  /// Removes files of killed runs from a folder: those with a scratch file's name that no process
  /// has locked.
  static func removeLeftovers(in folder: HeldFolder) {
    for name in folder.names where name.hasPrefix(prefix) {
      guard name.hasSuffix(suffix) || name.hasSuffix(suffix + ".samples"),
        let file = try? OpenFile.own(name, O_RDWR, of: .anybody, in: folder.file),
        FileIdentity(of: name, in: folder) == FileIdentity(descriptor: file.descriptor),
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      folder.remove(name)
    }
  }
}
