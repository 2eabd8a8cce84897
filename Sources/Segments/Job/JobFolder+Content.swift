// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
package import Host
internal import MediaCore

/// The place of a job's folder: what lies there is somebody's until it proves to be a job's.
extension JobFolder {
  /// Content of the place.
  enum Content: Equatable {
    /// Nothing.
    case nothing
    /// An empty folder, but for what a run leaves that ended before it had a plan.
    case room
    /// A job.
    case job
    /// Something else: why it is none, behind its name.
    case other(String)
  }

  /// Content of the place now.
  var content: Content {
    guard !path.isEmpty else { return .other("has no name") }
    guard !PosixPath.isLink(path) else {
      return .other("is a link to another place")
    }
    switch PosixPath.kind(of: path) {
    case .nothing, .brokenLink: return .nothing
    case .file, .other: return .other("is no folder")
    case .directory: break
    }
    guard let entries = PosixPath.readableNames(in: path) else {
      return .other("cannot be read: \(SystemCall.text())")
    }
    if statesJob { return .job }
    return entries.filter { !isForWork($0) && !Self.isDirectory($0) }.min()
      .map { Content.other("holds '\($0)', and no job") } ?? .room
  }

  /// True for a file that is there before a job is. The lock has no bytes: another file of its name
  /// is somebody's.
  private func isForWork(_ name: String) -> Bool {
    guard name == Self.lockName else { return Self.isForWork(name) }
    var status = stat()
    return unsafe lstat(SystemPath.bytes(PosixPath.joined(path, name)), &status) == 0
      && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// True for the names that a folder and the one around it have in it.
  static func isDirectory(_ name: String) -> Bool { [".", ".."].contains(name) }

  /// True if `job.json` says that it is one: it has a version and an identifier.
  private var statesJob: Bool {
    let bytes = try? OpenFile.ownBytes(of: jobPath, upTo: SegmentJob.longest, of: .anybody)
    return bytes.map { SegmentJob.isJob($0, path: jobPath) } ?? false
  }

  /// Creates the folder where there is nothing.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where there is something that a
  ///   job may not be put into.
  func create() throws {
    func refusal(_ reason: String) -> TranscodingError {
      TranscodingError(.cannotCreateOutput, "cannot create the job's folder: \(path) \(reason)")
    }
    switch content {
    case .nothing:
      guard unsafe mkdir(SystemPath.bytes(path), 0o777) != 0 else { return }
      throw refusal("cannot be created: \(SystemCall.text())")
    case .room, .job:
      guard !isOfStranger else { throw refusal("belongs to another user; name another place") }
    case .other(let reason):
      throw refusal("\(reason); it stays as it is: move it away, or name another place")
    }
  }

  /// Creates the folder where it is not there, and takes the right to work off the job alone. Those
  /// who encode single segments do not need it.
  ///
  /// - Returns: the lock, which holds as long as it is open.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where another process has it.
  package func locked() throws -> OpenFile {
    try create()
    do {
      let file = try OpenFile.own("\(path)/\(Self.lockName)", O_RDWR | O_CREAT, of: .anybody)
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

  /// True if another user made the folder where everybody may make one, as in `/tmp`: it may have
  /// been put into the way.
  private var isOfStranger: Bool {
    var (own, parent) = (stat(), stat())
    guard unsafe lstat(SystemPath.bytes(path), &own) == 0,
      unsafe stat(SystemPath.bytes(PosixPath.directory(of: path)), &parent) == 0
    else { return false }
    return parent.st_mode & S_ISVTX != 0 && ![geteuid(), 0].contains(own.st_uid)
  }

  /// True if there is something that may be a plan.
  var isPlanThere: Bool {
    !path.isEmpty && !PosixPath.isLink(path)
      && (PosixPath.isLink(jobPath) || PosixPath.kind(of: jobPath) != .nothing)
  }

  /// The error where there is no job.
  var noJob: TranscodingError {
    let reason =
      switch content {
      case .nothing: "does not exist"
      case .room, .job: "holds none (\(Self.planName))"
      case .other(let reason): reason
      }
    let name = path.isEmpty ? "''" : path
    return TranscodingError(.noInput, "there is no job of segments: \(name) \(reason)")
  }
}
