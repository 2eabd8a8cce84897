// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Files that a user names and that are read whole, such as presets and plans.
extension OpenFile {
  /// Returns the content of a file, or of a pipe or device.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes. It is needed because a device may never end.
  ///   - streams: whether a pipe or a device is accepted.
  package static func namedBytes(
    of path: String, upTo limit: Int, streams: Bool = true
  ) throws(FileRefusal) -> [UInt8] {
    // A plain open of a pipe would wait for a writer, perhaps forever.
    let descriptor = PosixPath.openAtOnce(path, O_RDONLY)
    guard descriptor >= 0 else { throw errno == ENXIO ? .notFile : .system(errno) }
    let file = OpenFile(closing: descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return try file.bytes(upTo: limit)
    case S_IFIFO where streams: return try file.streamed(upTo: limit, isPipe: true)
    case S_IFCHR where streams: return try file.streamed(upTo: limit, isPipe: false)
    default: throw .notFile
    }
  }

  // How many times to check whether a pipe has a writer. The checks are a tenth of a second apart.
  // In a shell's `<(…)`, the writer starts at the same time as this program, and may open the pipe
  // later than this program does.
  private static let patience = 20

  /// Returns all that comes out of a pipe or device. Once a writer has opened the pipe, there is no
  /// time limit.
  private func streamed(upTo limit: Int, isPipe: Bool) throws(FileRefusal) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var waits = 0
    while bytes.count <= limit {
      let count = unsafe Glibc.read(descriptor, &part, part.count)
      if count > 0 {
        bytes += part.prefix(count)
      } else if count == 0 {
        // Reading a pipe without a writer looks like reading past its end. But the writer may just
        // not have opened the pipe yet.
        guard isPipe, bytes.isEmpty else { return bytes }
        guard waits < Self.patience else { throw .noWriter }
        waits += 1
        usleep(100_000)
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      } else if errno != EINTR {
        throw .system(errno)
      }
    }
    throw .tooLong(limit: limit)
  }
}
