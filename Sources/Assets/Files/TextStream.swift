internal import Foundation

/// Text for an open file of the process: standard output, a pipe, a device.
package enum TextStream {
  /// Writes text to where the file is.
  ///
  /// A pipe that its reader has closed is nobody's error: the reader has seen enough.
  ///
  /// - Parameters:
  ///   - descriptor: the number of the open file.
  ///   - name: what it is called in messages.
  /// - Throws: ``TranscodingError`` of kind `inputOutput`.
  package static func write(_ text: String, to descriptor: Int32, called name: String) throws {
    switch SystemCall.write(Array(text.utf8), to: descriptor) {
    case 0, EPIPE: return
    case let error:
      throw TranscodingError(
        .inputOutput, "\(name) cannot be written: \(SystemCall.text(error))")
    }
  }
}
