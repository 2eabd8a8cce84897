/// A file as it was when reading began, for the question whether it still is.
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

  /// What became of the file while it was read.
  ///
  /// - Parameter loss: what of it was not read, or how far it was read: a few words; nil where that
  ///   is unknown.
  package func changeError(_ loss: String? = nil) -> TranscodingError {
    TranscodingError(
      .inputOutput,
      "\(path) was changed while it was read\(loss.map { ": \($0)" } ?? ""); "
        + "try again when nobody writes to it")
  }

  /// What somebody's change made go wrong is an error of its own.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` where the file was changed, during the work
  ///   or before it failed; otherwise what the work throws.
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
