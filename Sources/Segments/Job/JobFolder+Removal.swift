// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore

/// Removal of jobs: what is not a job's stays.
extension JobFolder {
  /// Removes a job that nobody is working off.
  ///
  /// - Returns: words about what stays, because it is not the job's; nil where nothing does.
  /// - Throws: ``TranscodingError``: `noInput` where there is none; as ``locked()`` and
  ///   ``remove()``.
  @discardableResult
  package func removeUnused() throws -> String? {
    guard content == .job else { throw noJob }
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    return try remove()
  }

  /// Removes what a run left that did not finish: its job, or the room for one.
  package func removeLeftover() {
    guard [.job, .room].contains(content), let lock = try? locked() else { return }
    discard()
    withExtendedLifetime(lock) {}
  }

  /// Removes the job as far as that can be, where something else has to be told than what stays.
  func discard() { _ = try? remove() }

  /// Removes the files of the job, and the folder where nothing else is in it.
  ///
  /// - Returns: words about what stays, because it is not the job's; nil where nothing does.
  /// - Throws: ``TranscodingError`` of kind `inputOutput` where a file of the job cannot be
  ///   removed.
  @discardableResult
  package func remove() throws -> String? {
    try empty()
    try unlinkOwn(Self.lockName)
    if unsafe rmdir(SystemPath.bytes(path)) == 0 || errno == ENOENT { return nil }
    let reason = SystemCall.text()
    let others = PosixPath.names(in: path).filter { !Self.isDirectory($0) }.sorted()
    guard let first = others.first else {
      throw TranscodingError(.inputOutput, "\(path) cannot be removed: \(reason)")
    }
    let more = others.count > 1 ? " and \((others.count - 1).counted("other"))" : ""
    return "\(path) stays: it holds '\(first)'\(more), not the job's"
  }

  /// Removes the files of the job but for the lock. The plan goes last: until then the folder is a
  /// job's, and the rest can be removed, or gone on with, by whoever comes next.
  func empty() throws {
    let names = PosixPath.names(in: path).filter {
      Self.isOwn($0) && ![Self.planName, Self.lockName].contains($0)
    }
    for name in names + [Self.planName] { try unlinkOwn(name) }
  }

  /// Removes a file, or a link, but nothing that a link points to, and no folder.
  private func unlinkOwn(_ name: String) throws {
    guard unsafe unlink(SystemPath.bytes("\(path)/\(name)")) != 0,
      ![ENOENT, EISDIR].contains(errno)
    else { return }
    throw TranscodingError(
      .inputOutput, "\(path)/\(name) cannot be removed: \(SystemCall.text())")
  }
}
