// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host
internal import MediaCore

/// A folder or a link that cannot be read, so nobody knows which files a run leaves out.
struct UnreadablePath: Sendable {
  let path: String
  let error: TranscodingError
  /// What prevents reading until somebody changes it: the path in a broken link, or missing
  /// permission. `nil` if the next run may succeed without that.
  let cause: String?
  /// Whether an earlier run has failed for the same cause.
  var hasFailedBefore = false

  /// Describes a link that leads nowhere.
  init(brokenLink path: String) {
    self.path = path
    error = TranscodingError(.noInput, "\(path) is a broken symbolic link")
    // If a folder that the user named is a link, its disk may be missing. That is an error each
    // time.
    cause = BatchNames.isVideo(path) ? PosixPath.target(of: path) : nil
  }

  /// Describes a folder whose names could not be read, for the reason in `errno`.
  ///
  /// - Parameter isNamed: whether the user named it.
  init(folder path: String, isNamed: Bool) {
    let (number, reason) = (errno, SystemCall.text())
    self.path = path
    error = TranscodingError(.noInput, "\(path) cannot be read: \(reason)")
    cause = number == EACCES && !isNamed ? reason : nil
  }

  /// What became of it, for the summary.
  var summary: BatchSummary.File {
    BatchSummary.File(input: path, status: ExitStatus(error.kind).rawValue)
  }
}

/// A line of the records about a path that could not be read, or that can be read again.
struct UnreadableRecord: Codable {
  let unreadable: Entry

  struct Entry: Codable {
    /// The absolute path, in the form that sources have.
    let path: String
    /// See ``UnreadablePath/cause``; `nil` if it can be read again.
    let cause: String?
  }

  init(_ path: String, cause: String?) { unreadable = Entry(path: path, cause: cause) }

  /// What all these lines begin with, and no others.
  static let start = Array(#"{"unreadable":"#.utf8)
}
