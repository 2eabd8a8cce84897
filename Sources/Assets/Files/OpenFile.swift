// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// An open file of the system, which is closed with the last reference to it.
package final class OpenFile: Sendable {
  /// The system's number for it.
  package let descriptor: Int32

  /// Takes over an open file.
  package init(closing descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

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
