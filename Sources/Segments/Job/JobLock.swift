// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc
internal import MediaCore

/// The right to work off a job alone, until the process ends. Those who encode single segments do
/// not need it.
package final class JobLock: Sendable {
  private let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}

extension JobFolder {
  /// Creates the folder where it is not there, and takes the right to it.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where another process has it.
  package func locked() throws -> JobLock {
    try create()
    let descriptor = PosixPath.open("\(path)/lock", O_RDWR | O_CREAT)
    guard descriptor >= 0 else {
      throw TranscodingError(
        .cannotCreateOutput, "\(path)/lock cannot be created: \(SystemCall.text())")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno == ENOTSUP else {
      close(descriptor)
      throw TranscodingError(
        .cannotCreateOutput, "\(path): another run is working on this job",
        code: .writtenByAnother)
    }
    return JobLock(descriptor)
  }
}
