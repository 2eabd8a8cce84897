internal import Foundation
internal import MediaCore

/// Says what is wrong with an input before any library looks at it.
package enum InputFile {
  /// - Throws: ``TranscodingError`` where the path is no file that can be read and has content.
  package static func check(_ path: String) throws {
    switch PosixPath.kind(of: path) {
    case .file: break
    case .nothing: throw TranscodingError(.noInput, "\(path): there is no such file")
    case .brokenLink: throw TranscodingError(.noInput, "\(path) is a link to nothing")
    case .directory:
      throw TranscodingError(.unusableInput, "\(path) is a directory; name a file")
    case .other:
      throw TranscodingError(
        .unusableInput, "\(path) is a device or a pipe, which cannot be read twice; name a file")
    }
    guard unsafe access(SystemPath.bytes(path), R_OK) == 0 else {
      throw TranscodingError(.noInput, "\(path) may not be read; check its permissions")
    }
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) != 0 || status.st_size > 0 else {
      throw TranscodingError(.unusableInput, "\(path) is empty")
    }
  }
}
