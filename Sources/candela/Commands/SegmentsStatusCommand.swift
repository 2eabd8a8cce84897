// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import Glibc
internal import Segments

/// `candela segments status`
struct SegmentsStatusCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tells which segments are done, and who is working.")

  @OptionGroup var place: JobArguments

  @Flag(help: "Prints JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let status = try JobStatus(place.folder)
    try Console.printLine(json ? try Console.json(status) : status.text)
    return .done
  }
}

extension EngineScript: ExpressibleByArgument {}

/// `candela segments script`
struct SegmentsScriptCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "script", abstract: "Prints a script for an engine of your own.")

  @OptionGroup var place: JobArguments

  @Option(help: "The engine: slurm, parallel or make.")
  var engine: EngineScript

  func execute() async throws -> ExitStatus {
    let job = try place.folder.job()
    let script = engine.text(
      program: WorkerProcess.program, folder: PosixPath.resolved(place.job) ?? place.job,
      count: job.segments.count)
    // As it is: shells read tabs.
    try TextStream.write(script + "\n", to: STDOUT_FILENO, called: "standard output")
    return .done
  }
}
