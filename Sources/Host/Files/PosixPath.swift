// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Paths as the system reads them: `link/../name` is beside what the link points to, where
/// Foundation's URLs take `..` for a matter of text.
package enum PosixPath {
  /// Kind of what lies at a path.
  package enum Kind {
    case nothing
    case file
    case directory
    /// A device, a pipe, a socket.
    case other
    /// A symbolic link to nothing, or to itself.
    case brokenLink
  }

  /// Opens a file, for this process alone.
  ///
  /// - Parameter folder: an open folder that the path is below; nil for a path as it is.
  /// - Returns: its descriptor; less than 0, with `errno`, where it cannot be opened.
  package static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o666, in folder: OpenFile? = nil
  ) -> Int32 {
    unsafe openat(
      folder?.descriptor ?? AT_FDCWD, SystemPath.bytes(path), flags | O_CLOEXEC, mode)
  }

  /// Opens a file, and waits for nobody who reads or writes a pipe in its place.
  ///
  /// - Returns: as ``open(_:_:mode:in:)``.
  static func openAtOnce(_ path: String, _ flags: Int32, in folder: OpenFile? = nil) -> Int32 {
    let descriptor = open(path, flags | O_NONBLOCK | O_NOCTTY, in: folder)
    // A file that a server has lent to a client, which gives it back soon (fcntl(2), leases).
    guard descriptor < 0, errno == EAGAIN, folder == nil, kind(of: path) == .file else {
      return descriptor
    }
    return open(path, flags | O_NOCTTY)
  }

  /// Kind of what lies at a path, links followed.
  package static func kind(of path: String) -> Kind {
    var status = stat()
    if unsafe stat(SystemPath.bytes(path), &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: return .file
      case S_IFDIR: return .directory
      default: return .other
      }
    }
    return unsafe lstat(SystemPath.bytes(path), &status) == 0 ? .brokenLink : .nothing
  }

  /// The path without links, `.` and `..`; nil where nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let pointer = unsafe realpath(SystemPath.bytes(path), nil) else { return nil }
    defer { unsafe free(pointer) }
    let count = unsafe strlen(pointer)
    return unsafe SystemPath.text(
      UnsafeBufferPointer(start: pointer, count: count).map { UInt8(bitPattern: $0) })
  }

  /// The directory that the last name of a path is in.
  package static func directory(of path: String) -> String {
    guard let slash = lastSlash(in: path) else { return "." }
    let parent = path[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  /// The last name of a path.
  package static func name(of path: String) -> String {
    lastSlash(in: path).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The last slash of a path. It is a byte: as a character, it would be another with a combining
  /// mark that the name behind it begins with.
  package static func lastSlash(in path: String) -> String.Index? {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
  }

  /// True if something is a path, or lies below it: both without links, byte for byte.
  package static func contains(_ path: String, _ other: String) -> Bool {
    let rest = other.utf8.dropFirst(path.utf8.count)
    guard other.utf8.starts(with: path.utf8) else { return false }
    return rest.isEmpty || path == "/" || rest.first == UInt8(ascii: "/")
  }

  /// A path with something behind its last name, which becomes shorter where it would be too long.
  package static func name(_ path: String, with suffix: String) -> String {
    let room = Int(NAME_MAX) - SystemPath.bytes(suffix).count + 1
    var (path, length) = (path, SystemPath.bytes(name(of: path)).count - 1)
    while length > room, let last = path.popLast() {
      length -= SystemPath.bytes(String(last)).count - 1
    }
    return path + suffix
  }

  /// The names of what is in a directory; none where it cannot be read.
  package static func names(in directory: String) -> [String] { readableNames(in: directory) ?? [] }

  /// The names of what is in a directory; nil, with `errno`, where it cannot be read, or where
  /// nothing in it can be opened.
  package static func readableNames(in directory: String) -> [String]? {
    guard unsafe access(SystemPath.bytes(directory), R_OK | X_OK) == 0,
      let stream = unsafe opendir(SystemPath.bytes(directory))
    else { return nil }
    return unsafe names(closing: stream)
  }

  /// The names in an open directory, which is closed.
  static func names(closing stream: OpaquePointer) -> [String] {
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0) }
      names.append(SystemPath.text(Array(bytes.prefix { $0 != 0 })))
    }
    return names
  }

  /// The path that a symbolic link holds; nil for no link.
  package static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(SystemPath.bytes(path), &bytes, bytes.count)
    guard count > 0 else { return nil }
    return SystemPath.text(bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// The path of something in a directory.
  package static func joined(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }

  /// True if a path is a symbolic link itself.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(SystemPath.bytes(path), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Creates a directory and those that it is in, where they are not there.
  ///
  /// - Returns: false, with `errno`, where that cannot be.
  package static func createDirectories(_ path: String) -> Bool {
    if kind(of: path) == .directory { return true }
    let parent = directory(of: path)
    guard parent == path || createDirectories(parent) else { return false }
    return unsafe mkdir(SystemPath.bytes(path), 0o777) == 0 || errno == EEXIST
  }

  /// Gives a file the time of the last change of another.
  ///
  /// - Returns: false, with `errno`, where that cannot be.
  package static func copyTime(from source: String, to path: String) -> Bool {
    var status = stat()
    guard unsafe stat(SystemPath.bytes(source), &status) == 0 else { return false }
    let times = [status.st_mtim, status.st_mtim]
    return unsafe utimensat(AT_FDCWD, SystemPath.bytes(path), times, 0) == 0
  }

  /// True if two files were changed at one time.
  package static func haveOneTime(_ path: String, _ other: String) -> Bool {
    version(of: path).suffix(2) == version(of: other).suffix(2)
  }

  /// True if a directory takes names that differ by the case of their letters for one; of a
  /// directory that is not there, the one that it will be in.
  package static func foldsCase(in directory: String) -> Bool {
    var place = directory
    while kind(of: place) == .nothing, ![".", "/"].contains(place) {
      place = self.directory(of: place)
    }
    var template = SystemPath.bytes("\(place)/.candela-case-XXXXXX")
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    defer { _ = unsafe unlink(template) }
    let letters = template.dropLast().suffix(6).map { UInt8(bitPattern: $0) }
    return kind(of: "\(place)/.CANDELA-case-\(String(decoding: letters, as: UTF8.self))") == .file
  }

  /// The bytes of a file; 0 where there is none.
  package static func size(of path: String) -> UInt64 {
    var status = stat()
    return unsafe stat(SystemPath.bytes(path), &status) == 0 ? UInt64(max(status.st_size, 0)) : 0
  }

  /// Numbers that differ between two versions of a file: its identity, its size and its times.
  /// Empty where there is no file.
  package static func version(of path: String) -> [Int] {
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) == 0 else { return [] }
    return [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }

  /// Numbers that change wherever somebody changes a file, or puts another in its place: its inode
  /// and the time of the last change of anything about it. Empty where there is no file.
  package static func changes(of path: String) -> [Int] {
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) == 0 else { return [] }
    return [
      Int(truncatingIfNeeded: status.st_ino), status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
