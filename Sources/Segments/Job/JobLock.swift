// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host

/// The right to work off a job alone, until the process ends. Those who encode single segments do
/// not need it.
package final class JobLock: Sendable {
  private let file: OpenFile

  fileprivate init(_ file: OpenFile) { self.file = file }
}

extension JobFolder {
  /// Creates the folder where it is not there, and takes the right to it.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where another process has it.
  package func locked() throws -> JobLock {
    try create()
    do {
      let file = try OpenFile.own("\(path)/\(JobNames.lock)", O_RDWR | O_CREAT, of: .anybody)
      guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 || errno == ENOTSUP else {
        throw TranscodingError(
          .cannotCreateOutput, "\(path): another run is working on this job",
          code: .writtenByAnother)
      }
      return JobLock(file)
    } catch let refusal as FileRefusal {
      throw TranscodingError(
        .cannotCreateOutput, "\(path)/\(JobNames.lock) \(refusal.text)")
    }
  }
}
