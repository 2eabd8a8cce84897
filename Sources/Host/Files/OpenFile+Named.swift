// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Files that a user names and that are read whole: presets, plans.
extension OpenFile {
  /// The content of a file, or of a pipe or device that gives one.
  ///
  /// - Parameters:
  ///   - limit: the bytes that there are at most: a device may have no end.
  ///   - streams: true if it may be a pipe or a device.
  package static func namedBytes(
    of path: String, upTo limit: Int, streams: Bool = true
  ) throws(FileRefusal) -> [UInt8] {
    // Without a wait for somebody who writes to a pipe.
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

  /// So often it is looked whether somebody writes to a pipe, a tenth of a second apart.
  private static let patience = 20

  /// All that comes out of a pipe or device, however long its writer takes.
  private func streamed(upTo limit: Int, isPipe: Bool) throws(FileRefusal) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var waits = 0
    while bytes.count <= limit {
      let count = unsafe Glibc.read(descriptor, &part, part.count)
      if count > 0 {
        bytes += part.prefix(count)
      } else if count == 0 {
        // A pipe without a writer reads as one that has ended.
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
