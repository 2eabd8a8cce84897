// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// A file as it was when reading began, so that a change can be found.
package struct SourceVersion: Sendable {
  private let path: String
  private let version: [Int]

  /// The file as it is now.
  package init(path: String) {
    self.path = path
    version = PosixPath.version(of: path)
  }

  /// True if the file is no longer what it was. One that was removed can be read to its end.
  package var hasChanged: Bool {
    let now = PosixPath.version(of: path)
    return !now.isEmpty && now != version
  }

  /// Error for a file that was changed while it was read.
  ///
  /// - Parameter loss: the part that was not read, or the end of the part that was: a few words;
  ///   nil where that is unknown.
  package func changeError(_ loss: String? = nil) -> TranscodingError {
    TranscodingError(
      .inputOutput,
      "\(path) was changed while it was read\(loss.map { ": \($0)" } ?? ""); "
        + "try again when nobody writes to it")
  }

  /// Does work on the file. If it fails and the file was changed, the change is the error.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` where the file was changed, during the
  ///   work or before it failed; otherwise what the work throws.
  package func unchanged<Result>(during work: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try work()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw hasChanged ? changeError() : error
    }
    guard !hasChanged else { throw changeError() }
    return result
  }
}

/// Says what is wrong with an input before any library looks at it.
package enum InputFile {
  /// - Throws: ``TranscodingError`` where the path is no file that can be read and has content.
  package static func check(_ path: String) throws {
    switch PosixPath.kind(of: path) {
    case .file: break
    case .nothing: throw TranscodingError(noFileAt: path)
    case .brokenLink: throw TranscodingError(.noInput, "\(path) is a link to nothing")
    case .directory:
      throw TranscodingError(.unusableInput, "\(path) is a folder; name a file")
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
