// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Paths as the system reads them.
///
/// The system looks for `link/../name` next to the target of the link. Foundation's URLs resolve
/// `..` only in the text and would name another file.
package enum PosixPath {
  /// What a path leads to.
  package enum Kind {
    case nothing
    case file
    case directory
    /// A device, a pipe or a socket.
    case other
    /// A symbolic link that leads nowhere, or to itself.
    case brokenLink
  }

  /// Opens a file. Child processes do not inherit it.
  ///
  /// - Parameter folder: an open folder that the path is relative to.
  /// - Returns: its descriptor, or less than 0 with `errno` set.
  package static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o666, in folder: OpenFile? = nil
  ) -> Int32 {
    unsafe openat(folder?.descriptor ?? AT_FDCWD, path.systemBytes, flags | O_CLOEXEC, mode)
  }

  /// Opens a file without waiting for the other end if it is a pipe.
  ///
  /// - Returns: the same as ``open(_:_:mode:in:)``.
  static func openAtOnce(_ path: String, _ flags: Int32, in folder: OpenFile? = nil) -> Int32 {
    let descriptor = open(path, flags | O_NONBLOCK | O_NOCTTY, in: folder)
    // `EAGAIN` for a file means that a file server has leased the file to a client. An `open` that
    // may wait returns once the server has ended the lease (fcntl(2)).
    guard descriptor < 0, errno == EAGAIN, folder == nil, kind(of: path) == .file else {
      return descriptor
    }
    return open(path, flags | O_NOCTTY)
  }

  /// Returns what a path leads to. Follows links.
  package static func kind(of path: String) -> Kind {
    var status = stat()
    if unsafe stat(path.systemBytes, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: return .file
      case S_IFDIR: return .directory
      default: return .other
      }
    }
    return unsafe lstat(path.systemBytes, &status) == 0 ? .brokenLink : .nothing
  }

  /// Returns the path without links, `.` and `..`, or `nil` if nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let pointer = unsafe realpath(path.systemBytes, nil) else { return nil }
    defer { unsafe free(pointer) }
    let count = unsafe strlen(pointer)
    return unsafe String(
      systemBytes: UnsafeBufferPointer(start: pointer, count: count).map { UInt8(bitPattern: $0) })
  }

  /// Returns the directory that contains the last component of a path.
  package static func directory(of path: String) -> String {
    guard let slash = lastSlash(in: path) else { return "." }
    let parent = path[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    lastSlash(in: path).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Returns the position of a path's last slash.
  package static func lastSlash(in path: String) -> String.Index? {
    // Search bytes, not characters, because the name may begin with a combining mark. Swift would
    // join the slash and the mark into one character, which is not equal to a slash.
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }

  /// Whether a path is the same as another one, or contains it. Both must be resolved. They are
  /// compared byte by byte.
  package static func contains(_ path: String, _ other: String) -> Bool {
    let rest = other.utf8.dropFirst(path.utf8.count)
    guard other.utf8.starts(with: path.utf8) else { return false }
    return rest.isEmpty || path == "/" || rest.first == UInt8(ascii: "/")
  }

  /// How many bytes a name can have.
  package static let longestName = Int(NAME_MAX)

  /// Returns how many bytes the last component of a path has.
  package static func nameLength(of path: String) -> Int {
    name(of: path).systemBytes.count - 1
  }

  /// Appends a suffix to a path's last component, and shortens the component if it gets too long.
  package static func name(_ path: String, with suffix: String) -> String {
    let room = longestName - suffix.systemBytes.count + 1
    var (path, length) = (path, nameLength(of: path))
    while length > room, let last = path.popLast() {
      length -= String(last).systemBytes.count - 1
    }
    return path + suffix
  }

  /// Returns the names in a directory. Empty if it cannot be read.
  package static func names(in directory: String) -> [String] { readableNames(in: directory) ?? [] }

  /// Returns the names in a directory, or `nil` with `errno` set if the directory does not allow
  /// listing it or opening its files.
  package static func readableNames(in directory: String) -> [String]? {
    // A directory without `x` can be listed, but no file in it can be opened. Without this check,
    // each of its files would fail with its own error.
    guard unsafe access(directory.systemBytes, R_OK | X_OK) == 0,
      let stream = unsafe opendir(directory.systemBytes)
    else { return nil }
    return unsafe names(closing: stream)
  }

  /// Returns the names in an open directory, and closes it.
  static func names(closing stream: OpaquePointer) -> [String] {
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0) }
      names.append(String(systemBytes: Array(bytes.prefix { $0 != 0 })))
    }
    return names
  }

  /// Returns the path in a symbolic link, or `nil` if the file is not a link.
  package static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path.systemBytes, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(systemBytes: bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// Returns the paths in a symbolic link, in the link that it leads to, and so on.
  package static func targets(of path: String) -> [String] {
    var (targets, place) = ([String](), path)
    // A link may lead to itself. The system gives up after 40 links.
    while targets.count < 40, let target = target(of: place) {
      targets.append(target)
      place = target.hasPrefix("/") ? target : joined(directory(of: place), target)
    }
    return targets
  }

  /// Returns whether this process has the permission to read what is at a path.
  package static func mayRead(_ path: String) -> Bool {
    unsafe access(path.systemBytes, R_OK) == 0
  }

  /// Joins a directory and a name.
  package static func joined(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }

  /// Whether a name or a relative path fits a shell's pattern, such as `*.tmp.mov`. `*` does not
  /// stand for a slash.
  package static func fits(_ name: String, _ pattern: String) -> Bool {
    unsafe fnmatch(pattern.systemBytes, name.systemBytes, FNM_PATHNAME) == 0
  }

  /// Whether the path itself is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path.systemBytes, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Creates a directory and its missing parents.
  ///
  /// - Returns: `false`, with `errno` set, if that fails.
  package static func createDirectories(_ path: String) -> Bool {
    if kind(of: path) == .directory { return true }
    let parent = directory(of: path)
    guard parent == path || createDirectories(parent) else { return false }
    // Another run may have created it after the check, which is fine, too.
    return unsafe mkdir(path.systemBytes, 0o777) == 0 || errno == EEXIST
  }

  /// Returns why ``createDirectories(_:)`` cannot make a path lead to a directory, without creating
  /// anything.
  ///
  /// - Returns: the system's error number; 0 if nothing seems to be in the way.
  package static func obstacle(toCreating path: String) -> Int32 {
    switch kind(of: path) {
    case .directory: return 0
    case .file, .other: return ENOTDIR
    case .brokenLink: return ENOENT
    case .nothing: break
    }
    // If the entry is merely missing, its parent decides. Any other error stays in the way.
    let error = unsafe access(path.systemBytes, F_OK) == 0 ? 0 : errno
    let parent = directory(of: path)
    guard error == ENOENT, parent != path else { return error }
    guard kind(of: parent) == .directory else { return obstacle(toCreating: parent) }
    guard unsafe access(parent.systemBytes, W_OK | X_OK) == 0 else { return errno }
    // Nothing can be created in `/proc`, not even by those to whom its permissions would allow it.
    return contains("/proc", resolved(parent) ?? parent) ? ENOENT : 0
  }

  /// Returns a directory, or the existing directory that will contain it if it is missing.
  static func existing(_ directory: String) -> String {
    var place = directory
    while kind(of: place) == .nothing, ![".", "/"].contains(place) {
      place = self.directory(of: place)
    }
    return place
  }

  /// Whether there is certainly nothing at a path. `false` if a disk or a network fails, because
  /// nothing is certain then.
  package static func isGone(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path.systemBytes, &status) != 0 else { return false }
    return errno == ENOENT || errno == ENOTDIR
  }

  /// Removes a directory that has no entries, unless a run keeps it open to write into it.
  ///
  /// - Returns: whether it was removed.
  package static func removeEmptyDirectory(_ path: String) -> Bool {
    // An output has no name until it is complete, so the directory that it goes into looks empty.
    // Only the lock of ``OpenFile/keptFolder(_:)`` shows that a run needs the directory.
    let folder = OpenFile(closing: open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    guard flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      return false
    }
    return unsafe rmdir(path.systemBytes) == 0
  }

  /// Copies the modification time from one file to another.
  ///
  /// - Returns: `false`, with `errno` set, if that fails.
  package static func copyTime(from source: String, to path: String) -> Bool {
    var status = stat()
    guard unsafe stat(source.systemBytes, &status) == 0 else { return false }
    let times = [status.st_mtim, status.st_mtim]
    return unsafe utimensat(AT_FDCWD, path.systemBytes, times, 0) == 0
  }

  /// Whether two files have the same modification time.
  package static func haveSameTime(_ path: String, _ other: String) -> Bool {
    version(of: path).suffix(2) == version(of: other).suffix(2)
  }

  /// Whether a directory ignores the case of names. For a missing directory, looks at the existing
  /// directory that will contain it.
  package static func foldsCase(in directory: String) -> Bool {
    let place = existing(directory)
    // No system call answers this for every file system, so create a file and look for it under
    // another case.
    var template = "\(place)/.candela-case-XXXXXX".systemBytes
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    defer { _ = unsafe unlink(template) }
    let letters = template.dropLast().suffix(6).map { UInt8(bitPattern: $0) }
    return kind(of: "\(place)/.CANDELA-case-\(String(decoding: letters, as: UTF8.self))") == .file
  }

  /// The size of a file in bytes, 0 if it does not exist.
  package static func size(of path: String) -> UInt64 {
    var status = stat()
    return unsafe stat(path.systemBytes, &status) == 0 ? UInt64(max(status.st_size, 0)) : 0
  }

  /// Numbers that differ between two versions of a file: its identity, size and modification time.
  /// Empty if the file does not exist.
  package static func version(of path: String) -> [Int] {
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) == 0 else { return [] }
    return [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }

  /// Numbers that change whenever a file is changed or replaced. Empty if it does not exist.
  package static func changes(of path: String) -> [Int] {
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) == 0 else { return [] }
    // The modification time can be set back, but `ctime` cannot.
    return [
      Int(truncatingIfNeeded: status.st_ino), status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
