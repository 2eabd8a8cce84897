// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Calls of the system, with the work that they leave to the caller: interruptions, parts, waits.
package enum SystemCall {
  /// Meaning of an error number, in the system's words; the last error of this thread, unless
  /// another is given.
  package static func text(_ number: Int32 = errno) -> String {
    unsafe String(cString: strerror(number))
  }

  /// Writes all bytes to where an open file is.
  ///
  /// - Returns: 0, or the system's error number.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Whoever opened it, as some shells and programs do, wants no waits; this one has time.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes text to where an open file of the process is: standard output, a pipe, a device.
  ///
  /// A pipe that its reader has closed is no error: the reader has seen enough.
  ///
  /// - Parameters:
  ///   - descriptor: the number of the open file.
  ///   - name: its name in messages.
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  package static func write(_ text: String, to descriptor: Int32, called name: String) throws {
    try write(Array(text.utf8), to: descriptor, called: name)
  }

  /// Writes bytes, as text that holds paths has to be where they are no UTF-8.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, called name: String) throws {
    switch write(bytes, to: descriptor) {
    case 0, EPIPE: return
    case let error:
      throw TranscodingError(.inputOutput, "\(name) cannot be written: \(text(error))")
    }
  }

  /// Waits until an open file is on its disk.
  ///
  /// - Returns: 0, or the system's error number.
  package static func synchronize(_ descriptor: Int32) -> Int32 {
    while fsync(descriptor) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }
}
