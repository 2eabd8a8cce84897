// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore

/// Removes jobs, and nothing else.
extension JobFolder {
  /// Removes a job that nobody is working on.
  ///
  /// - Returns: a sentence about files that stay because they are not the job's; `nil` if no files
  ///   stay.
  /// - Throws: ``TranscodingError``: `noInput` if there is no job; otherwise what ``locked()`` and
  ///   ``remove()`` throw.
  @discardableResult
  package func removeUnused() throws -> String? {
    guard content == .job else { throw noJob }
    let lock = try locked()
    // The lock ends when its file is closed, so hold it until the job is gone.
    defer { withExtendedLifetime(lock) {} }
    return try remove()
  }

  /// Removes what an unfinished run left: its job, or the folder that was made for a job.
  package func removeLeftover() {
    guard [.job, .room].contains(content), let lock = try? locked() else { return }
    discard()
    withExtendedLifetime(lock) {}
  }

  /// Removes what can be removed of the job, and ignores errors, because there is something more
  /// important to report.
  func discard() { _ = try? remove() }

  /// Removes the files of the job, and the folder if nothing else is in it.
  ///
  /// - Returns: a sentence about files that stay because they are not the job's; `nil` if no files
  ///   stay.
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if a file of the job cannot be removed.
  @discardableResult
  package func remove() throws -> String? {
    try empty()
    try unlinkOwn(Self.lockName)
    if unsafe rmdir(path.systemBytes) == 0 || errno == ENOENT { return nil }
    let reason = SystemCall.text()
    let others = PosixPath.names(in: path).filter { !Self.isDirectory($0) }.sorted()
    guard let first = others.first else {
      throw TranscodingError(.inputOutput, "\(path) cannot be removed: \(reason)")
    }
    let more = others.count > 1 ? " and \((others.count - 1).counted("other"))" : ""
    return "\(path) was not removed: it contains '\(first)'\(more), which the job did not make"
  }

  /// Removes the files of the job except for the lock.
  func empty() throws {
    let names = PosixPath.names(in: path).filter {
      Self.isOwn($0) && ![Self.planName, Self.lockName].contains($0)
    }
    // The plan is removed last. Until then, the folder counts as a job, which the next run can
    // resume or remove.
    for name in names + [Self.planName] { try unlinkOwn(name) }
  }

  /// Removes a file or a link, but neither a link's target nor a folder.
  private func unlinkOwn(_ name: String) throws {
    guard unsafe unlink("\(path)/\(name)".systemBytes) != 0,
      // Another process may have removed it, and a folder of that name is not the job's.
      ![ENOENT, EISDIR].contains(errno)
    else { return }
    throw TranscodingError(
      .inputOutput, "\(path)/\(name) cannot be removed: \(SystemCall.text())")
  }
}
