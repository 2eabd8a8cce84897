// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// System calls that also handle interruptions, partial writes and waits.
package enum SystemCall {
  /// Returns the system's description of an error number, by default this thread's last one.
  package static func text(_ number: Int32 = errno) -> String {
    unsafe String(cString: strerror(number))
  }

  /// Writes all bytes at the current position of an open file.
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
        // A shell or another program that shares the descriptor made it non-blocking. Waiting is
        // fine here.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes text to standard output, a pipe or a device.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of the open file.
  ///   - name: what messages call the file.
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  package static func write(_ text: String, to descriptor: Int32, called name: String) throws {
    try write(Array(text.utf8), to: descriptor, called: name)
  }

  /// Writes bytes. Text that contains paths needs this, because paths need not be UTF-8.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, called name: String) throws {
    switch write(bytes, to: descriptor) {
    // A reader that closes its pipe, as `head` does, has seen enough. That is not an error.
    case 0, EPIPE: return
    case let error:
      throw TranscodingError(.inputOutput, "\(name) cannot be written: \(text(error))")
    }
  }

  /// Waits until an open file has reached its disk.
  ///
  /// - Returns: 0, or the system's error number.
  package static func synchronize(_ descriptor: Int32) -> Int32 {
    while fsync(descriptor) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }
}
