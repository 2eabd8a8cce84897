// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Reason that a file is not opened or read.
package enum FileRefusal: Error, Hashable, Sendable {
  /// The system refuses, with its error number.
  case system(Int32)
  /// The path is a symbolic link.
  case link
  /// It is a folder, a pipe or a device.
  case notFile
  /// The file has other names, which may be somebody's.
  case otherNames
  /// The file belongs to another user.
  case otherOwner
  /// The file has more bytes than such a file can have.
  case tooLong(limit: Int)
  /// It is a pipe that nobody writes to.
  case noWriter

  /// True if nothing is there.
  package var isMissing: Bool { self == .system(ENOENT) }

  /// The reason for people, behind the file's name.
  package var text: String {
    switch self {
    case .system(let number): "cannot be opened: \(SystemCall.text(number))"
    case .link: "is a link to another place"
    case .notFile: "is no file"
    case .otherNames: "has other names, too (hard links)"
    case .otherOwner: "belongs to another user"
    case .tooLong(let limit): "is longer than \(UInt64(limit).byteCountText)"
    case .noWriter: "is a pipe that nobody writes to"
    }
  }
}

/// Files that this program keeps in folders where others may put something else in their place:
/// records of batches, jobs, leases.
extension OpenFile {
  /// The users who may have made a file that this program reads as its own.
  package enum Maker: Sendable {
    /// This user or root, and the file has no other name.
    case thisUser
    /// Anybody who may write in the folder: work is shared there.
    case anybody
  }

  /// Opens a file that must be one, and no link. It waits for nobody, whatever lies at the path.
  ///
  /// - Parameters:
  ///   - path: the file's path; below `folder` where there is one.
  ///   - flags: flags of open(2).
  ///   - maker: the users who may have made the file.
  ///   - folder: an open folder.
  package static func own(
    _ path: String, _ flags: Int32 = O_RDONLY, of maker: Maker = .thisUser,
    in folder: OpenFile? = nil
  ) throws(FileRefusal) -> OpenFile {
    let descriptor = PosixPath.openAtOnce(path, flags | O_NOFOLLOW, in: folder)
    guard descriptor >= 0 else {
      // A pipe that nobody reads, and a socket, cannot be opened so.
      throw errno == ELOOP ? .link : [ENXIO, EISDIR].contains(errno) ? .notFile : .system(errno)
    }
    let file = OpenFile(closing: descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notFile }
    if maker == .thisUser {
      guard [geteuid(), 0].contains(status.st_uid) else { throw .otherOwner }
      guard status.st_nlink <= 1 else { throw .otherNames }
    }
    return file
  }

  /// The content of a file that must be one, and no link.
  ///
  /// - Parameters:
  ///   - limit: the bytes that it has at most.
  ///   - maker: the users who may have made the file.
  ///   - folder: an open folder that `path` is below; nil for a path as it is.
  package static func ownBytes(
    of path: String, upTo limit: Int, of maker: Maker = .thisUser, in folder: OpenFile? = nil
  ) throws(FileRefusal) -> [UInt8] {
    try own(path, of: maker, in: folder).bytes(upTo: limit)
  }

  /// All bytes from where the file is.
  ///
  /// - Parameter limit: the bytes that there are at most.
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
