// SPDX-License-Identifier: GPL-2.0-or-later
internal import VideoEncoders
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore
internal import Settings

/// The folder of a job: what was planned, what of it is done, and who is working.
///
/// A file that has its name is complete: it is written under another one and renamed.
package struct JobFolder: Hashable, Sendable {
  /// The path.
  package let path: String

  /// A folder by its path.
  package init(path: String) { self.path = Self.plain(path) }

  /// The hidden folder that `transcode` uses for an output, beside it.
  package init(besideOutput output: String) {
    let place = PosixPath.resolved(output) ?? output
    let name = Self.hiddenName(of: PosixPath.name(of: place))
    path = "\(PosixPath.directory(of: place))/\(name)"
  }

  /// The name of the hidden folder of an output. Where it would be too long, a digest stands in
  /// place of the rest, so that names with one beginning have folders of their own.
  private static func hiddenName(of output: String) -> String {
    let end = ".candela-job"
    func length(_ name: String) -> Int { SystemPath.bytes(name).count - 1 }
    let name = ".\(output)"
    guard length(name + end) > Int(NAME_MAX) else { return name + end }
    let bytes = SystemPath.bytes(output).dropLast().map { UInt8(bitPattern: $0) }
    return PosixPath.name(name, with: "-\(SHA256.text(of: bytes).prefix(16))\(end)")
  }

  /// A path without slashes behind its last name, through which links would be followed.
  private static func plain(_ path: String) -> String {
    var rest = path[...]
    while rest.utf8.count > 1, rest.utf8.last == UInt8(ascii: "/") || rest.hasSuffix("/.") {
      rest.removeLast()
    }
    return String(rest)
  }

  /// The plan.
  var jobPath: String { "\(path)/\(Self.planName)" }
  /// Path of a segment's file.
  private func file(of number: Int, _ kind: SegmentFileKind) -> String {
    "\(path)/\(Self.name(of: number, kind))"
  }
  /// The file of a segment that is done.
  package func segmentPath(_ number: Int) -> String { file(of: number, .segment) }
  /// Path of the statement of who is working on a segment.
  func leasePath(_ number: Int) -> String { file(of: number, .lease) }
  /// Path of a worker's output.
  func logPath(_ number: Int) -> String { file(of: number, .log) }
  /// Path of the statement that a segment cannot be encoded alone.
  private func unfitPath(_ number: Int) -> String { file(of: number, .unfit) }

  /// Reason that a worker could not encode a segment alone; nil where none said so.
  func unfitReason(_ number: Int) -> String? {
    (try? OpenFile.ownBytes(of: unfitPath(number), upTo: 1 << 16, of: .anybody)).map {
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
    guard content != .job else {
      throw TranscodingError(
        .cannotCreateOutput,
        "cannot create \(jobPath): there is a job already; remove it first")
    }
    try create()
    try store(job)
  }

  /// Stores a job in the folder, which is there.
  func store(_ job: SegmentJob) throws { try replace(jobPath, with: job.json) }

  /// The job.
  ///
  /// - Throws: ``TranscodingError``: `noInput` where there is none, `unusableInput` where it cannot
  ///   be used.
  package func job() throws -> SegmentJob {
    guard isPlanThere else { throw noJob }
    do {
      let bytes = try OpenFile.ownBytes(of: jobPath, upTo: SegmentJob.longest, of: .anybody)
      return try SegmentJob(json: bytes, path: jobPath)
    } catch let refusal as FileRefusal {
      throw TranscodingError(.unusableInput, "\(jobPath) \(refusal.text)")
    }
  }

  /// The job, where this host encodes as the host that made it.
  ///
  /// - Throws: ``TranscodingError`` as ``job()``, and of kind `unavailable` where the software is
  ///   other software.
  func jobForThisHost() throws -> SegmentJob {
    let job = try job()
    let codec = try TranscodeSettings(job.settings).video.codec ?? .usual
    try SoftwareFacts(codec: codec).check(against: job.software)
    return job
  }

  /// Stores a file whole.
  func replace(_ path: String, with bytes: [UInt8]) throws {
    let file = try UnfinishedName(path)
    try file.write(bytes)
    try file.publish()
  }
}
