// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Glibc
package import Host
internal import MediaCore
internal import Settings
internal import VideoEncoders

/// The folder of a job: the plan, how much of it is done, and who is working on it.
package struct JobFolder: Hashable, Sendable {
  /// The folder's path, without slashes at its end.
  package let path: String

  package init(path: String) { self.path = Self.plain(path) }

  /// Finds the path of the hidden folder that `transcode` uses beside an output.
  package init(besideOutput output: String) {
    let place = PosixPath.resolved(output) ?? output
    let name = Self.hiddenName(of: PosixPath.name(of: place))
    path = "\(PosixPath.directory(of: place))/\(name)"
  }

  /// Returns the name of the hidden folder of an output.
  private static func hiddenName(of output: String) -> String {
    let end = ".candela-job"
    func length(_ name: String) -> Int { name.systemBytes.count - 1 }
    let name = ".\(output)"
    // File systems limit names to `NAME_MAX` bytes. A digest replaces what is cut off, so that
    // names with the same beginning have different folders.
    guard length(name + end) > Int(NAME_MAX) else { return name + end }
    let bytes = output.systemBytes.dropLast().map { UInt8(bitPattern: $0) }
    return PosixPath.name(name, with: "-\(SHA256.text(of: bytes).prefix(16))\(end)")
  }

  /// Returns a path without the slashes after its last name.
  private static func plain(_ path: String) -> String {
    // If the path ended in a slash, `lstat` would follow a link to a folder.
    var rest = path[...]
    while rest.utf8.count > 1, rest.utf8.last == UInt8(ascii: "/") || rest.hasSuffix("/.") {
      rest.removeLast()
    }
    return String(rest)
  }

  var jobPath: String { "\(path)/\(Self.planName)" }
  private func file(of number: Int, _ kind: SegmentFileKind) -> String {
    "\(path)/\(Self.name(of: number, kind))"
  }
  /// Returns the path that a segment's file gets once the segment is done.
  package func segmentPath(_ number: Int) -> String { file(of: number, .segment) }
  func leasePath(_ number: Int) -> String { file(of: number, .lease) }
  func logPath(_ number: Int) -> String { file(of: number, .log) }
  private func unfitPath(_ number: Int) -> String { file(of: number, .unfit) }

  /// Returns why a segment could not be encoded apart from the others; `nil` if no worker has noted
  /// a reason.
  func unfitReason(_ number: Int) -> String? {
    (try? OpenFile.ownBytes(of: unfitPath(number), upTo: 1 << 16, isShared: true)).map {
      String(decoding: $0.split(separator: 0x0A).first ?? [], as: UTF8.self)
    }
  }
  /// Notes why a segment cannot be encoded apart from the others.
  func markUnfit(_ number: Int, because reason: String) throws {
    try replace(unfitPath(number), with: Array((reason + "\n").utf8))
  }

  /// Creates the folder if necessary, and stores a job in it.
  ///
  /// - Throws: ``TranscodingError``: `cannotCreateOutput` if a job is there already; `inputOutput`
  ///   if the job cannot be written; otherwise what ``create()`` throws.
  package func create(_ job: SegmentJob) throws {
    guard content != .job else {
      throw TranscodingError(
        .cannotCreateOutput,
        "cannot create \(jobPath): there is a job already; remove it first")
    }
    try create()
    try store(job)
  }

  /// Stores a job in the existing folder.
  func store(_ job: SegmentJob) throws { try replace(jobPath, with: job.json) }

  /// Reads the job.
  ///
  /// - Throws: ``TranscodingError``: `noInput` if there is none, `unusableInput` if it cannot be
  ///   used.
  package func job() throws -> SegmentJob {
    guard isPlanThere else { throw noJob }
    do {
      let bytes = try OpenFile.ownBytes(of: jobPath, upTo: SegmentJob.longest, isShared: true)
      return try SegmentJob(json: bytes, path: jobPath)
    } catch let refusal as FileRefusal {
      throw TranscodingError(.unusableInput, "\(jobPath) \(refusal.text)")
    }
  }

  /// Reads the job, if this host encodes in the same way as the host that made the job.
  ///
  /// - Throws: The errors of ``job()``; ``TranscodingError`` of kind `unavailable` if this host has
  ///   different software.
  func jobForThisHost() throws -> SegmentJob {
    let job = try job()
    let codec = try TranscodeSettings(job.settings).video.codec ?? .usual
    try SoftwareFacts(codec: codec).check(against: job.software)
    return job
  }

  /// Writes a file so that nobody sees it incomplete.
  func replace(_ path: String, with bytes: [UInt8]) throws {
    // Others read the folder at any time, so no file may have its name before it is complete.
    let file = try UnfinishedName(path)
    try file.write(bytes)
    try file.publish()
  }
}

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
    // Treat whatever is there as somebody else's until it proves to be a job. A link may lead to
    // anybody's folder.
    guard !PosixPath.isLink(path) else {
      return .other("is a symbolic link")
    }
    switch PosixPath.kind(of: path) {
    case .nothing, .brokenLink: return .nothing
    case .file, .other: return .other("is not a folder")
    case .directory: break
    }
    if let otherOwner { return .other("belongs to another user (\(otherOwner))") }
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
    return unsafe lstat(PosixPath.joined(path, name).systemBytes, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// Returns whether a name is `.` or `..`, which every folder contains.
  static func isDirectory(_ name: String) -> Bool { [".", ".."].contains(name) }

  /// Whether `job.json` is the plan of a job: it has a version and an identifier.
  private var statesJob: Bool {
    let bytes = try? OpenFile.ownBytes(of: jobPath, upTo: SegmentJob.longest, isShared: true)
    return bytes.map { SegmentJob.isJob($0, path: jobPath) } ?? false
  }

  /// Creates the folder if nothing is there.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if the folder cannot be created,
  ///   or if something is there that a job may not be put into.
  func create() throws {
    guard !path.isEmpty else {
      throw TranscodingError(.cannotCreateOutput, "a job needs a folder; give its path")
    }
    switch content {
    case .nothing:
      guard unsafe mkdir(path.systemBytes, 0o777) != 0 else { return }
      throw TranscodingError(
        .cannotCreateOutput, "cannot create the job's folder \(path): \(SystemCall.text())")
    case .room, .job: return
    case .other(let reason):
      // In a shared place, nobody can move another user's folder.
      let advice = otherOwner == nil ? "move it away, or " : ""
      throw TranscodingError(
        .cannotCreateOutput,
        "cannot create the job's folder: \(path) \(reason); \(advice)choose another place")
    }
  }

  /// Creates the folder if necessary, and locks it to work on the job as a whole. Encoding single
  /// segments needs no lock.
  ///
  /// - Returns: the locked file. The lock lasts until the file is closed.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if another process has the lock,
  ///   or if the folder or the lock's file cannot be used.
  package func locked() throws -> OpenFile {
    try create()
    do {
      let file = try OpenFile.own("\(path)/\(Self.lockName)", O_RDWR | O_CREAT, isShared: true)
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

  /// The owner of the folder, if that is neither this process's user nor root, and if everybody may
  /// make folders beside it, as in `/tmp`; otherwise `nil`.
  private var otherOwner: UInt32? {
    // The text of a path such as `.` does not say which folder contains the job's folder.
    let place = PosixPath.isLink(path) ? path : PosixPath.resolved(path) ?? path
    var (own, parent) = (stat(), stat())
    guard unsafe lstat(path.systemBytes, &own) == 0,
      unsafe stat(PosixPath.directory(of: place).systemBytes, &parent) == 0
    else { return nil }
    // In a place such as `/tmp`, another user may have put the folder there in order to read or
    // replace the files of a job, or to plant a job that writes to a path of that user's choice.
    guard parent.st_mode & S_ISVTX != 0, ![geteuid(), 0].contains(own.st_uid) else { return nil }
    return own.st_uid
  }

  /// Whether there is something that might be a plan, in a folder that may be a job's.
  private var isPlanThere: Bool {
    !path.isEmpty && !PosixPath.isLink(path) && otherOwner == nil
      && (PosixPath.isLink(jobPath) || PosixPath.kind(of: jobPath) != .nothing)
  }

  /// The error to throw if there is no job that may be used.
  var noJob: TranscodingError {
    if let otherOwner, statesJob {
      return TranscodingError(
        .noInput,
        "the segment job in \(path) belongs to another user (\(otherOwner)), who could make it "
          + "write over your files: have that user run it, or plan a job of your own elsewhere")
    }
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
