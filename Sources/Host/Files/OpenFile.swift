// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// An open file of the system, which is closed with the last reference to it.
package final class OpenFile: Sendable {
  /// The system's number for it.
  package let descriptor: Int32

  /// Takes over an open file.
  package init(closing descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// The content of a file; nil where it cannot be read, with `errno`.
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

  /// Reads from where the file is, until its end or so many bytes.
  ///
  /// - Returns: nil where it cannot be read, with `errno`.
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
