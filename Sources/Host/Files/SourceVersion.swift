// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import MediaCore

/// Remembers a file as it was when reading began, to find out later whether it was changed.
package struct SourceVersion: Sendable {
  private let path: String
  private let version: [Int]

  /// Remembers the file as it is now.
  package init(path: String) {
    self.path = path
    version = PosixPath.version(of: path)
  }

  /// Whether the file was changed or replaced.
  package var hasChanged: Bool {
    // Removing a file does not count as a change, because whoever has it open can read it to its
    // end.
    let now = PosixPath.version(of: path)
    return !now.isEmpty && now != version
  }

  /// Returns the error for a file that was changed while it was read.
  ///
  /// - Parameter loss: what was not read, in a few words, if that is known.
  package func changeError(_ loss: String? = nil) -> TranscodingError {
    TranscodingError(
      .inputOutput,
      "\(path) changed while it was being read\(loss.map { ": \($0)" } ?? ""); try again when "
        + "nothing is writing to it")
  }

  /// Does work on a file and throws if the file was changed meanwhile.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if the file was changed, otherwise what
  ///   the work throws.
  package func unchanged<Result>(during work: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try work()
    } catch let error as CancellationError {
      throw error
    } catch {
      // A file that is still being written looks damaged. "It was changed" tells the user what to
      // do, but "it is damaged" does not.
      throw hasChanged ? changeError() : error
    }
    guard !hasChanged else { throw changeError() }
    return result
  }
}
