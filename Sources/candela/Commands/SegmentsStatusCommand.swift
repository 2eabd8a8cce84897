// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Glibc
internal import Host
internal import MediaCore
internal import Segments

struct SegmentsStatusCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Shows which segments are finished and who is working.")

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

struct SegmentsScriptCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "script", abstract: "Prints a script that runs the job on your own engine.")

  @OptionGroup var place: JobArguments

  @Option(help: "The engine: slurm, parallel or make.")
  var engine: EngineScript

  func execute() async throws -> ExitStatus {
    let job = try place.folder.job()
    // The script names the program by its path, so that all hosts run the same one.
    guard let program = ChildProcess.programPath else {
      throw TranscodingError(
        .unavailable,
        "the file of the running program was replaced or removed; run the command again")
    }
    let script = try engine.text(
      program: program, folder: PosixPath.resolved(place.job) ?? place.job,
      count: job.segments.count)
    // Write bytes, not lines: `printLine` would escape the tabs of a Makefile, and names may be no
    // UTF-8.
    let bytes = SystemPath.bytes(script + "\n").dropLast().map { UInt8(bitPattern: $0) }
    try SystemCall.write(bytes, to: STDOUT_FILENO, called: "standard output")
    return .done
  }
}
