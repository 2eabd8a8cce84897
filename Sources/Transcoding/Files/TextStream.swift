internal import Foundation

/// Text for an open file of the process: standard output, a pipe, a device.
public enum TextStream {
  /// Writes text to where the file is.
  ///
  /// A pipe that its reader has closed is nobody's error: the reader has seen enough.
  ///
  /// - Parameters:
  ///   - descriptor: the number of the open file.
  ///   - name: what it is called in messages.
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  public static func write(_ text: String, to descriptor: Int32, called name: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Foundation.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EPIPE { return }
      guard count >= 0 else {
        let reason = unsafe String(cString: strerror(errno))
        throw TranscodingError(.inputOutput, "\(name) cannot be written: \(reason)")
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
