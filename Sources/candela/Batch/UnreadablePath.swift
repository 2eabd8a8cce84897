// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
internal import Host
internal import MediaCore

/// A folder or link that cannot be read. A run may miss files because of it.
struct UnreadablePath: Sendable {
  let path: String
  let error: TranscodingError
  /// What prevents reading until somebody changes it: the paths in a broken link, or missing
  /// permission. With `--existing skip`, later runs that meet the same cause only mention it. `nil`
  /// if each run should fail anew, or if the next run may succeed anyway.
  let cause: String?
  /// Whether the records say that an earlier run met the same cause.
  var isRecorded = false
  /// Whether this run only mentions it, because an earlier run has failed on it.
  var hasFailedBefore = false

  /// Describes a link that leads nowhere.
  init(brokenLink path: String) {
    self.path = path
    error = TranscodingError(.noInput, "\(path) is a broken symbolic link")
    // A link without the name of a video is probably a folder that the user named. Its disk may be
    // missing, and that should fail each time.
    cause =
      BatchNames.isVideo(path) ? PosixPath.targets(of: path).joined(separator: " → ") : nil
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

  /// Describes a folder that does not exist.
  init(missingFolder path: String) {
    self.path = path
    error = TranscodingError(.noInput, "\(path): there is no such folder")
    cause = nil
  }

  /// What became of it, for the summary.
  var summary: BatchSummary.File {
    BatchSummary.File(input: path, status: ExitStatus(error.kind).rawValue)
  }

  /// Returns whether the cause is gone: the path can be read now, or was removed.
  static func isSettled(_ path: String) -> Bool {
    switch PosixPath.kind(of: path) {
    case .file: return true
    case .directory: return PosixPath.readableNames(in: path) != nil
    case .nothing:
      // If the folder is empty, its disk may just not be mounted.
      let names = Set(PosixPath.names(in: PosixPath.directory(of: path)))
      return PosixPath.isGone(path) && !names.isSubset(of: [".", ".."])
    case .brokenLink, .other: return false
    }
  }
}

/// What the records say about a path that could not be read, or that can be read again. Its line
/// is an object with a single member, whose value is this record.
struct UnreadableRecord: Codable {
  /// The absolute path, in the form that sources have.
  let path: String
  /// See ``UnreadablePath/cause``; `nil` if it can be read again.
  let cause: String?

  /// The key of the only member. All these lines, and no others, begin with it.
  static let key = "unreadable"

  /// How these lines begin.
  static let start = Array("{\"\(key)\":".utf8)
}
