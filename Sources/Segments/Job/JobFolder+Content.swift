// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
package import Host
internal import MediaCore

/// Finds out what is at the path of a job's folder.
extension JobFolder {
  /// What is at the path.
  enum Content: Equatable {
    /// The path is free.
    case nothing
    /// A folder that contains nothing, or only files of a run that ended before it had a plan.
    case room
    /// A job, of any version.
    case job
    /// Something else. The text says why it is not a job, and is printed after the path.
    case other(String)
  }

  /// What is at the path now.
  var content: Content {
    guard !path.isEmpty else { return .other("has no name") }
    // Treat whatever is there as somebody's own until it proves to be a job. A link may lead to
    // anybody's folder.
    guard !PosixPath.isLink(path) else {
      return .other("is a symbolic link")
    }
    switch PosixPath.kind(of: path) {
    case .nothing, .brokenLink: return .nothing
    case .file, .other: return .other("is not a folder")
    case .directory: break
    }
    guard let entries = PosixPath.readableNames(in: path) else {
      return .other("cannot be read: \(SystemCall.text())")
    }
    if statesJob { return .job }
    return entries.filter { !isForWork($0) && !Self.isDirectory($0) }.min()
      .map { Content.other("contains '\($0)' but no job") } ?? .room
  }

  /// Returns whether a file can exist before its job exists.
  private func isForWork(_ name: String) -> Bool {
    guard name == Self.lockName else { return Self.isForWork(name) }
    // Our lock file is empty. A file of that name that is not empty belongs to somebody else.
    var status = stat()
    return unsafe lstat(SystemPath.bytes(PosixPath.joined(path, name)), &status) == 0
      && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// Returns whether a name is `.` or `..`, which every folder contains.
  static func isDirectory(_ name: String) -> Bool { [".", ".."].contains(name) }

  /// Whether `job.json` is the plan of a job: it has a version and an identifier.
  private var statesJob: Bool {
    let bytes = try? OpenFile.ownBytes(of: jobPath, upTo: SegmentJob.longest, of: .anybody)
    return bytes.map { SegmentJob.isJob($0, path: jobPath) } ?? false
  }

  /// Creates the folder if nothing is there.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if something is there that a job
  ///   may not be put into.
  func create() throws {
    func refusal(_ reason: String) -> TranscodingError {
      TranscodingError(.cannotCreateOutput, "cannot create the job's folder: \(path) \(reason)")
    }
    switch content {
    case .nothing:
      guard unsafe mkdir(SystemPath.bytes(path), 0o777) != 0 else { return }
      throw refusal("cannot be created: \(SystemCall.text())")
    case .room, .job:
      guard !belongsToAnotherUser else {
        throw refusal("belongs to another user; choose another place")
      }
    case .other(let reason):
      throw refusal("\(reason); move it away, or choose another place")
    }
  }

  /// Creates the folder if necessary, and locks it to work on the job as a whole. To encode single
  /// segments, no lock is needed.
  ///
  /// - Returns: the file that is locked. The lock lasts until it is closed.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if another process has the lock.
  package func locked() throws -> OpenFile {
    try create()
    do {
      let file = try OpenFile.own("\(path)/\(Self.lockName)", O_RDWR | O_CREAT, of: .anybody)
      // Some file systems have no locks. On those, work without a lock rather than refuse to work.
      guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 || errno == ENOTSUP else {
        throw TranscodingError(
          .cannotCreateOutput, "\(path): another run is working on this job",
          code: .writtenByAnother)
      }
      return file
    } catch let refusal as FileRefusal {
      throw TranscodingError(
        .cannotCreateOutput, "\(path)/\(Self.lockName) \(refusal.text)")
    }
  }

  /// Whether another user made the folder in a place where everybody may make folders, such as
  /// `/tmp`.
  private var belongsToAnotherUser: Bool {
    var (own, parent) = (stat(), stat())
    guard unsafe lstat(SystemPath.bytes(path), &own) == 0,
      unsafe stat(SystemPath.bytes(PosixPath.directory(of: path)), &parent) == 0
    else { return false }
    // That user may have put the folder there in order to read or to replace the files of a job.
    return parent.st_mode & S_ISVTX != 0 && ![geteuid(), 0].contains(own.st_uid)
  }

  /// Whether there is something that may be a plan.
  var isPlanThere: Bool {
    !path.isEmpty && !PosixPath.isLink(path)
      && (PosixPath.isLink(jobPath) || PosixPath.kind(of: jobPath) != .nothing)
  }

  /// The error to throw if there is no job.
  var noJob: TranscodingError {
    let reason =
      switch content {
      case .nothing: "does not exist"
      case .room, .job: "has no \(Self.planName)"
      case .other(let reason): reason
      }
    let name = path.isEmpty ? "''" : path
    return TranscodingError(.noInput, "there is no segment job: \(name) \(reason)")
  }
}
