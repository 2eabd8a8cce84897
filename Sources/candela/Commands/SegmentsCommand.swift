// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Planning
internal import Segments
internal import Transcoding

struct SegmentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segments",
    abstract: "Encodes a file in segments, on any number of machines.",
    discussion: """
      EXAMPLE:
        candela segments plan clip.mov out.mp4 --job /shared/job --preset hevc-hlg
        candela segments script --job /shared/job --engine slurm > job.sh
      """,
    subcommands: [
      PlanSegmentsCommand.self, EncodeSegmentCommand.self, JoinSegmentsCommand.self,
      SegmentsStatusCommand.self, SegmentsScriptCommand.self, RemoveSegmentsCommand.self,
      SegmentsSchemaCommand.self,
    ])
}

/// The argument for the folder of a job.
struct JobArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The folder of the job.", valueName: "folder"), completion: .directory)
  var job: String

  var folder: JobFolder { JobFolder(path: job) }
}

struct PlanSegmentsCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Divides a file into segments and writes the job.")

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file that will be written: .mov, .mp4 or .mkv.", completion: .file())
  var output: String

  @OptionGroup var arguments: PresetArguments
  @OptionGroup var range: RangeArguments
  @OptionGroup var place: JobArguments

  func execute() async throws -> ExitStatus {
    try TranscodePlan.refuseNameWithoutContainer(output)
    var options = try arguments.options(reading: input)
    options.range = try range.range()
    // A file of the run inside of the job's folder could be taken for the job's, and be removed.
    try options.files?.keep(folder: place.job)
    try options.files?.check(output)
    let request = JobRequest(
      input: input, output: output, settings: try arguments.json(), options: options)
    let job = try await request.makeJob()
    try place.folder.create(job)
    try Console.printLine(job.summary)
    return .done
  }
}

struct EncodeSegmentCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode", abstract: "Encodes one segment, unless it is finished already.")

  @OptionGroup var place: JobArguments

  @Argument(help: "The number of the segment, from 0.")
  var number: Int

  @Option(help: ArgumentHelp("How many threads decode, and encode.", visibility: .hidden))
  var decoderThreads = 0

  @Flag(help: ArgumentHelp("Ends when standard input does.", visibility: .hidden))
  var attached = false

  func execute() async throws -> ExitStatus {
    guard (0...1024).contains(decoderThreads) else {
      throw TranscodingError(
        .invalidSettings, "--decoder-threads must be 0 to 1024, not \(decoderThreads)")
    }
    if attached { Console.endWithInput() }
    _ = try await place.folder.encode(number, threads: decoderThreads)
    return .done
  }
}

struct JoinSegmentsCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Joins all segments into the output.")

  @OptionGroup var place: JobArguments

  @OptionGroup var outputArguments: OutputArguments

  @Flag(help: "Removes the job once the output is complete.")
  var remove = false

  func execute() async throws -> ExitStatus {
    let job = try place.folder.job()
    let files = RunFiles(reading: job.input.path, job.files.map(\.path))
    try files.keep(folder: place.job)
    let report = try outputArguments.reservedReport(in: files)
    // What decides the samples is in the job. The options of this command only say how the output
    // is verified and published.
    let session = try await place.folder.joiningSession { options in
      outputArguments.apply(to: &options)
      options.files = files
    }
    try await outputArguments.printPlan(session)
    let result = try await outputArguments.run(session)
    try report?.store(Console.json(SessionReport(session, result)) + "\n")
    outputArguments.giveTime(of: job.input.path, to: job.output)
    outputArguments.finish(session, result, from: job.input.path, to: job.output)
    if remove, let words = try place.folder.remove() { outputArguments.messages.warn(words) }
    return outputArguments.status(of: result)
  }
}

struct RemoveSegmentsCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a job and its segments.")

  @OptionGroup var place: JobArguments

  func execute() async throws -> ExitStatus {
    if let words = try place.folder.removeUnused() { RunMessages(isQuiet: false).warn(words) }
    return .done
  }
}
