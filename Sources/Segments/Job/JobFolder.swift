// SPDX-License-Identifier: GPL-2.0-or-later
internal import VideoEncoders
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore
internal import Settings

/// The folder of a job: the plan, how much of it is done, and who is working on it.
package struct JobFolder: Hashable, Sendable {
  /// The folder's path, without slashes at its end.
  package let path: String

  package init(path: String) { self.path = Self.plain(path) }

  /// Makes the hidden folder that `transcode` uses beside an output.
  package init(besideOutput output: String) {
    let place = PosixPath.resolved(output) ?? output
    let name = Self.hiddenName(of: PosixPath.name(of: place))
    path = "\(PosixPath.directory(of: place))/\(name)"
  }

  /// Returns the name of the hidden folder of an output.
  private static func hiddenName(of output: String) -> String {
    let end = ".candela-job"
    func length(_ name: String) -> Int { SystemPath.bytes(name).count - 1 }
    let name = ".\(output)"
    // File systems limit names to `NAME_MAX` bytes. A digest replaces what is cut off, so that
    // names with the same beginning have different folders.
    guard length(name + end) > Int(NAME_MAX) else { return name + end }
    let bytes = SystemPath.bytes(output).dropLast().map { UInt8(bitPattern: $0) }
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
  /// Returns the path of a segment that is done.
  package func segmentPath(_ number: Int) -> String { file(of: number, .segment) }
  func leasePath(_ number: Int) -> String { file(of: number, .lease) }
  func logPath(_ number: Int) -> String { file(of: number, .log) }
  private func unfitPath(_ number: Int) -> String { file(of: number, .unfit) }

  /// Returns why a worker could not encode a segment alone; `nil` if no worker has noted a reason.
  func unfitReason(_ number: Int) -> String? {
    (try? OpenFile.ownBytes(of: unfitPath(number), upTo: 1 << 16, of: .anybody)).map {
      String(decoding: $0.split(separator: 0x0A).first ?? [], as: UTF8.self)
    }
  }
  /// Notes that a segment cannot be encoded alone.
  func markUnfit(_ number: Int, because reason: String) throws {
    try replace(unfitPath(number), with: Array((reason + "\n").utf8))
  }

  /// Creates the folder if necessary, and stores a job in it.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if a job or something else is
  ///   there already.
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
      let bytes = try OpenFile.ownBytes(of: jobPath, upTo: SegmentJob.longest, of: .anybody)
      return try SegmentJob(json: bytes, path: jobPath)
    } catch let refusal as FileRefusal {
      throw TranscodingError(.unusableInput, "\(jobPath) \(refusal.text)")
    }
  }

  /// Reads the job, if this host encodes in the same way as the host that made the job.
  ///
  /// - Throws: The errors of ``job()``; ``TranscodingError`` of kind `unavailable` if this host has
  ///   other software.
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
