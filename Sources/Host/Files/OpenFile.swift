// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Synchronization

/// An open file. It is closed when the last reference to it is released.
package final class OpenFile: Sendable {
  package let descriptor: Int32

  /// Locked while a process is being started. Until such a process runs its own program, it has
  /// copies of all open files.
  static let copies = Mutex(())

  /// Starts a process. No ``OutputClaim`` is released until the new process runs its program.
  package static func starting<Result: Sendable, Failure: Error>(
    _ start: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try copies.withLock { _ throws(Failure) in try start() }
  }

  /// Takes ownership of a descriptor.
  package init(closing descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Returns the content of a file, or `nil` with `errno` set if it cannot be read.
  package static func bytes(of path: String) -> [UInt8]? {
    let descriptor = PosixPath.open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(closing: descriptor)
    var bytes: [UInt8] = []
    while let part = file.read(upTo: 1 << 16) {
      bytes += part
      if part.count < 1 << 16 { return bytes }
    }
    return nil
  }

  /// Reads `count` bytes from the current position, or fewer at the end of the file.
  ///
  /// - Returns: `nil` with `errno` set if reading fails.
  package func read(upTo count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let step = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      if step < 0 && errno == EINTR { continue }
      guard step >= 0 else { return nil }
      guard step > 0 else { break }
      done += step
    }
    return Array(bytes.prefix(done))
  }
}
