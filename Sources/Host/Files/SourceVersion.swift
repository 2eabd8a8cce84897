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
