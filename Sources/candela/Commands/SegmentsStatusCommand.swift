// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore
internal import Segments

struct SegmentsStatusCommand: ReportingCommand {
  typealias Report = JobStatus

  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Shows which segments are finished and who is working.",
    discussion: """
      EXAMPLES:
        candela segments status --job /shared/job
        candela segments status --job /shared/job --follow
      """)

  @OptionGroup var place: JobArguments

  @Flag(help: "Prints a line whenever something has changed, until all segments are done.")
  var follow = false

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let status = try await JobStatus.status(of: place.folder)
    guard follow else {
      try show(status) { try Console.printLine(status.text) }
      return .done
    }
    guard !reporting.json else {
      throw TranscodingError(.invalidSettings, "--follow and --json cannot be combined: use one")
    }
    try await follow(from: status)
    return .done
  }

  /// How often the job is looked at.
  private static let interval = Duration.seconds(1)

  private func follow(from first: JobStatus) async throws {
    var (status, printed) = (first, "")
    while true {
      let text = status.summary
      if text != printed { try Console.printLine(text) }
      printed = text
      guard status.done < status.count else { return }
      try await Task.sleep(for: Self.interval)
      do {
        status = try await JobStatus.status(of: place.folder, after: status)
      } catch {
        // Somebody may have joined the segments and removed the job.
        guard PosixPath.kind(of: place.job) == .nothing,
          PosixPath.kind(of: first.output) == .file
        else { throw error }
        return RunMessages(isQuiet: false).warn("\(first.output) exists, and its job was removed")
      }
    }
  }
}

extension EngineScript: ExpressibleByArgument {}
extension EngineScript: JSONDescribed {}

struct SegmentsScriptCommand: ReportingCommand {
  /// A script for an engine.
  struct Report: JSONObject {
    let engine: EngineScript
    let script: String

    static let meaning = "A script that runs a job."
    static let fields: [JSONField<Report>] = [
      .init("engine", "The engine that runs it.") { $0.engine },
      .init("script", "The script.") { $0.script },
    ]
  }

  static let configuration = CommandConfiguration(
    commandName: "script",
    abstract: "Prints a script that runs the job with make, GNU parallel or Slurm.",
    discussion: """
      EXAMPLE:
        candela segments script --job /shared/job --engine slurm > job.sh
      """)

  @OptionGroup var place: JobArguments

  @Option(help: "The engine that the script is for.")
  var engine: EngineScript

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let job = try place.folder.job()
    // The script names the program by its path, so that all hosts run the same program.
    guard let program = ChildProcess.programPath else {
      throw TranscodingError(
        .unavailable,
        "the file of the running program was replaced or removed; run the command again")
    }
    let script = try engine.text(
      program: program, folder: PosixPath.resolved(place.job) ?? place.job,
      count: job.segments.count)
    try show(Report(engine: engine, script: script)) {
      // Write bytes, not lines: `printLine` would escape the tabs of a Makefile, and names need not
      // be UTF-8.
      let bytes = (script + "\n").systemBytes.dropLast().map { UInt8(bitPattern: $0) }
      try SystemCall.write(bytes, to: STDOUT_FILENO, called: "standard output")
    }
    return .done
  }
}
