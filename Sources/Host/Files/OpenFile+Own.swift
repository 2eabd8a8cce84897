// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Why a file cannot be opened or read.
package enum FileRefusal: Error, Hashable, Sendable {
  /// The system refuses, with this error number.
  case system(Int32)
  /// The path is a symbolic link.
  case link
  /// The path leads to a folder, a pipe, a device or a socket.
  case notFile
  /// The file has other names (hard links), which somebody else may have made.
  case otherNames
  /// The file belongs to another user.
  case otherOwner
  /// The file is larger than a file of its kind can be.
  case tooLong(limit: Int)
  /// The path leads to a pipe without a writer.
  case noWriter

  /// Whether the file does not exist.
  package var isMissing: Bool { self == .system(ENOENT) }

  /// The reason as text, to follow the file's name.
  package var text: String {
    switch self {
    case .system(let number): "cannot be opened: \(SystemCall.text(number))"
    case .link: "is a symbolic link"
    case .notFile: "is not a file"
    case .otherNames: "has other names (hard links)"
    case .otherOwner: "belongs to another user"
    case .tooLong(let limit): "is longer than \(UInt64(limit).byteCountText)"
    case .noWriter: "is a pipe that nobody writes to"
    }
  }
}

/// Files that this program keeps in folders where other users may replace them: records of batches,
/// jobs, leases.
extension OpenFile {
  /// Opens a plain file and nothing else, not even a link. Does not wait if the path leads to a
  /// pipe.
  ///
  /// - Parameters:
  ///   - path: the file's path, relative to `folder` if there is one.
  ///   - flags: flags of open(2).
  ///   - isShared: whether anybody who may write to the folder may have made the file, because work
  ///     is shared there. Otherwise, it must belong to this user or root, and have no hard links.
  ///   - folder: an open folder.
  package static func own(
    _ path: String, _ flags: Int32 = O_RDONLY, isShared: Bool = false, in folder: OpenFile? = nil
  ) throws(FileRefusal) -> OpenFile {
    let descriptor = PosixPath.openAtOnce(path, flags | O_NOFOLLOW, in: folder)
    guard descriptor >= 0 else {
      // Sockets, and pipes without a reader, fail to open with `ENXIO`.
      throw errno == ELOOP ? .link : [ENXIO, EISDIR].contains(errno) ? .notFile : .system(errno)
    }
    let file = OpenFile(closing: descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notFile }
    if !isShared {
      // In a shared folder such as `/tmp`, anybody can plant a file, or a hard link to one of this
      // user's files, under a name that this program is about to use.
      guard [geteuid(), 0].contains(status.st_uid) else { throw .otherOwner }
      guard status.st_nlink <= 1 else { throw .otherNames }
    }
    return file
  }

  /// Returns the content of a file, but not of a link or anything else.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - isShared: whether anybody who may write to the folder may have made the file.
  ///   - folder: an open folder that `path` is relative to.
  package static func ownBytes(
    of path: String, upTo limit: Int, isShared: Bool = false, in folder: OpenFile? = nil
  ) throws(FileRefusal) -> [UInt8] {
    try own(path, isShared: isShared, in: folder).bytes(upTo: limit)
  }

  /// Returns all bytes from the current position to the end.
  ///
  /// - Parameter limit: the maximum number of bytes.
  package func bytes(upTo limit: Int) throws(FileRefusal) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let step = 1 << 16
      guard let part = read(upTo: step) else { throw .system(errno) }
      bytes += part
      guard bytes.count <= limit else { throw .tooLong(limit: limit) }
      if part.count < step { return bytes }
    }
  }
}
