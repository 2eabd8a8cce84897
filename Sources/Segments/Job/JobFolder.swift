// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Glibc
internal import MediaCore
internal import Settings

/// The folder of a job: what was planned, what of it is done, and who is working.
///
/// A file that has its name is complete: it is written under another one and renamed.
package struct JobFolder: Hashable, Sendable {
  /// The path.
  package let path: String

  /// A folder by its path.
  package init(path: String) { self.path = path }

  /// The hidden folder that `transcode` uses for an output, beside it.
  package init(besideOutput output: String) {
    let place = PosixPath.resolved(output) ?? output
    let hidden = "\(PosixPath.directory(of: place))/.\(PosixPath.name(of: place))"
    path = PosixPath.name(hidden, with: ".candela-job")
  }

  /// The plan.
  var jobPath: String { "\(path)/job.json" }
  /// The file of a segment that is done.
  package func segmentPath(_ number: Int) -> String { "\(path)/\(Self.name(number)).segment" }
  /// Path of the statement of who is working on a segment.
  func leasePath(_ number: Int) -> String { "\(path)/\(Self.name(number)).lease" }
  /// Path of a worker's output.
  func logPath(_ number: Int) -> String { "\(path)/\(Self.name(number)).log" }

  private static func name(_ number: Int) -> String { "segment-" + number.text(digits: 5) }

  /// Path of the statement that a segment cannot be encoded alone.
  private func unfitPath(_ number: Int) -> String { "\(path)/\(Self.name(number)).unfit" }
  /// Reason that a worker could not encode a segment alone; nil where none said so.
  func unfitReason(_ number: Int) -> String? {
    OpenFile.bytes(of: unfitPath(number)).map {
      String(decoding: $0.split(separator: 0x0A).first ?? [], as: UTF8.self)
    }
  }
  /// Says that a segment cannot be encoded alone.
  func markUnfit(_ number: Int, because reason: String) throws {
    try replace(unfitPath(number), with: Array((reason + "\n").utf8))
  }

  /// Creates the folder where it is not there, and stores a job in it.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` where there is a job already, or
  ///   something else.
  package func create(_ job: SegmentJob) throws {
    try create()
    guard PosixPath.kind(of: jobPath) == .nothing else {
      throw TranscodingError(
        .cannotCreateOutput,
        "cannot create \(jobPath): there is a job already; remove it first")
    }
    try replace(jobPath, with: job.json)
  }

  /// Creates the folder where it is not there.
  func create() throws {
    guard unsafe mkdir(SystemPath.bytes(path), 0o777) != 0, errno != EEXIST else { return }
    throw TranscodingError(
      .cannotCreateOutput, "cannot create \(path): \(SystemCall.text())")
  }

  /// The job.
  ///
  /// - Throws: ``TranscodingError``: `noInput` where there is none, `unusableInput` where it cannot
  ///   be used.
  package func job() throws -> SegmentJob {
    guard PosixPath.kind(of: jobPath) == .file else {
      throw TranscodingError(.noInput, "\(path): there is no job of segments (job.json)")
    }
    return try SegmentJob(json: try bytes(of: jobPath), path: jobPath)
  }

  /// The job, where this host encodes as the host that made it.
  ///
  /// - Throws: ``TranscodingError`` as ``job()``, and of kind `unavailable` where the software is
  ///   other software.
  func jobForThisHost() throws -> SegmentJob {
    let job = try job()
    let codec = try TranscodeSettings(job.settings).video.codec ?? .hevc
    try SoftwareFacts(codec: codec).check(against: job.software)
    return job
  }

  /// The content of a file.
  func bytes(of path: String) throws -> [UInt8] {
    if let bytes = OpenFile.bytes(of: path) { return bytes }
    throw TranscodingError(.inputOutput, "\(path) cannot be read: \(SystemCall.text())")
  }

  /// Stores a file whole.
  func replace(_ path: String, with bytes: [UInt8]) throws {
    let file = try UnfinishedName(path)
    try file.write(bytes)
    try file.publish()
  }

  /// Removes a job that nobody is working off.
  ///
  /// - Throws: ``TranscodingError``: `noInput` where there is none; as ``locked()`` and
  ///   ``remove()``.
  package func removeUnused() throws {
    guard PosixPath.kind(of: path) == .directory else {
      throw TranscodingError(.noInput, "\(path): there is no job of segments")
    }
    // Before anything is written into it.
    try refuseOthers()
    let lock = try locked()
    try remove()
    withExtendedLifetime(lock) {}
  }

  /// Removes what is in the folder and the folder.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where it is no job's.
  package func remove() throws {
    try empty()
    _ = unsafe unlink(SystemPath.bytes("\(path)/lock"))
    guard unsafe rmdir(SystemPath.bytes(path)) != 0, errno != ENOENT else { return }
    throw TranscodingError(.inputOutput, "\(path) cannot be removed: \(SystemCall.text())")
  }

  /// Removes what is in the folder, but for its lock.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where it is no job's.
  func empty() throws {
    try refuseOthers()
    // The plan goes first: without it the rest is of no use to anybody.
    for name in names.sorted(by: { $0 == "job.json" && $1 != "job.json" }) {
      _ = unsafe unlink(SystemPath.bytes("\(path)/\(name)"))
    }
  }

  /// The names in the folder but for its lock's.
  private var names: [String] {
    PosixPath.names(in: path).filter { ![".", "..", "lock"].contains($0) }
  }

  private func refuseOthers() throws {
    guard let other = names.first(where: { !Self.isOwn($0) }) else { return }
    throw TranscodingError(
      .unusableInput, "\(path) holds '\(other)', which is of no job: it is not removed")
  }

  private static func isOwn(_ name: String) -> Bool {
    name == "job.json" || name.hasPrefix("segment-")
      || name.hasPrefix(UnfinishedName.prefix)
  }
}
