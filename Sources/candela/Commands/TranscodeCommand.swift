// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import MediaCore
internal import Segments
internal import Settings

struct TranscodeCommand: ReportingCommand {
  typealias Report = TranscodeDocument

  static let configuration = CommandConfiguration(
    commandName: "transcode",
    abstract: "Transcodes one file or many with a preset.",
    discussion: """
      EXAMPLES:
        candela transcode clip.mov out.mp4 --preset h264-sdr
        candela transcode clip.mov small.mp4 -p hevc-sdr --crf 22 --max-size 1920 -y
        candela transcode Photos --recursive --into sdr -p h264-sdr --existing skip
      """)

  @Argument(
    help: ArgumentHelp(
      "The file to read, then the file to write: \(FileType.names()). With --into, files to read.",
      valueName: "file"), completion: .file())
  var files: [String]

  // Help lists the groups in this order, the most used first.
  @OptionGroup(title: "PRESET AND SOURCE") var arguments: PresetArguments
  @OptionGroup(title: "PRESET AND SOURCE") var encoding: EncodingArguments
  @OptionGroup(title: "OUTPUT") var outputArguments: OutputArguments
  @OptionGroup(title: "PART OF THE SOURCE") var range: RangeArguments
  @OptionGroup(title: "MANY FILES") var batch: BatchArguments
  @OptionGroup(title: "MANY FILES") var trial: TrialArguments
  @OptionGroup(title: "PROCESSES") var workers: WorkerArguments

  @Flag(
    help: "Compares the output with the source and fails on any loss that the plan did not name.")
  var compare = false

  @OptionGroup var reporting: ReportArguments

  @Flag(
    help: ArgumentHelp(
      "Takes one file from the process that started this one.", visibility: .hidden))
  var attached = false

  func execute() async throws -> ExitStatus {
    if attached { return try await executeAttached() }
    // Read the preset only once, because it may come out of a pipe.
    let json = try arguments.json()
    if trial.dryRun { return try await plan(json) }
    if let folder = batch.into { return try await executeAll(into: folder, json) }
    try batch.checkUnused()
    try checkPair()
    let run = TranscodeRun(input: files[0], output: files[1], json: json, command: self)
    return try await outputArguments.naming(files[0]) { try await run.execute { _ in } }
  }

  /// Shows what would be done.
  ///
  /// - Returns: the status that the run would end with, as far as it is known before the work.
  private func plan(_ json: JSONValue) async throws -> ExitStatus {
    _ = try workers.options()
    let plan = FilePlanning(
      files: files, json: json, arguments: arguments, range: range,
      encode: encoding.encode, conditions: conditions)
    if let folder = batch.into {
      try refuseReport()
      return try await plan.many(into: folder, batch, outputArguments) { report in
        try show(.planned(.many(report))) { try Console.printReport(report.text) }
      }
    }
    try batch.checkUnused()
    try checkPair()
    let report = try await plan.one(workers.workers, outputArguments)
    try show(.planned(.one(report))) { try Console.printReport(report.text) }
    return report.status
  }

  /// Refuses arguments that are not one file to read and one to write.
  private func checkPair() throws {
    if outputArguments.quiet { try files.refuseQuality() }
    try files.refuseUnlessPair()
  }
}

/// The argument that keeps a run from writing anything.
struct TrialArguments: ParsableArguments, Sendable {
  @Flag(
    help: """
      Shows what would be done, as candela plan does, and writes nothing. The exit status is the \
      one that the run would have, as far as it is known before the work.
      """)
  var dryRun = false
}
