// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host
internal import MediaCore
internal import Planning
internal import Segments
internal import Transcoding

struct SegmentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segments",
    abstract: "Encodes a file in segments, on any number of machines.",
    discussion: """
      EXAMPLES:
        candela segments plan clip.mov out.mp4 --job /shared/job --preset hevc-hlg
        candela segments script --job /shared/job --engine slurm > job.sh
      """,
    subcommands: [
      PlanSegmentsCommand.self, EncodeSegmentCommand.self, JoinSegmentsCommand.self,
      SegmentsStatusCommand.self, SegmentsScriptCommand.self, RemoveSegmentsCommand.self,
    ])
}

/// The argument for the folder of a job.
struct JobArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The folder of the job.", valueName: "folder"), completion: .directory)
  var job: String

  var folder: JobFolder { JobFolder(path: job) }
}

struct PlanSegmentsCommand: ReportingCommand {
  /// The job that was written.
  struct Report: JSONObject {
    let folder: String
    let job: SegmentJob

    static let meaning = "A job that was written."
    static let fields: [JSONField<Report>] = [
      .init("job", "The path of the job's folder.") { $0.folder },
      .init("input", "The absolute path of the file to read.") { $0.job.input.path },
      .init("output", "The absolute path of the file to write.") { $0.job.output },
      .init("count", "The number of segments.", .count) { $0.job.segments.count },
      .init("frameCount", "The number of frames; absent if only decoding can tell.", .count) {
        $0.job.frameCount
      },
      .init("obstacle", "Why there is a single segment; absent if there may be several.") {
        $0.job.obstacle
      },
    ]
  }

  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Divides a file into segments and writes the job.",
    discussion: """
      EXAMPLE:
        candela segments plan clip.mov out.mp4 --job /shared/job --preset hevc-hlg
      """)

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file that will be written: \(FileType.names()).", completion: .file())
  var output: String

  @OptionGroup(title: "PRESET AND SOURCE") var arguments: PresetArguments
  @OptionGroup var range: RangeArguments
  @OptionGroup var place: JobArguments
  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    try TranscodePlan.refuseNameWithoutContainer(output)
    var options = try arguments.options(reading: input)
    options.range = try range.range()
    // A file inside the job's folder could be mistaken for one of the job's own and be removed.
    try options.files?.keep(folder: place.job)
    try options.files?.check(output)
    let request = JobRequest(
      input: input, output: output, settings: try arguments.json(), options: options)
    let job = try await request.makeJob()
    try place.folder.create(job)
    try show(Report(folder: place.job, job: job)) { try Console.printLine(job.summary) }
    return .done
  }
}

struct EncodeSegmentCommand: ReportingCommand {
  /// A segment that is complete.
  struct Report: JSONObject {
    let path: String
    let number: Int
    let wasMissing: Bool

    static let meaning = "A segment that is complete."
    static let fields: [JSONField<Report>] = [
      .init("number", "The number of the segment, from 0.", .count) { $0.number },
      .init("output", "The path of its file.") { $0.path },
      .init("size", "The size of its file, in bytes.") { PosixPath.size(of: $0.path) },
      .init("wasMissing", "Whether this command encoded it; false if it existed before.") {
        $0.wasMissing
      },
    ]
  }

  static let configuration = CommandConfiguration(
    commandName: "encode", abstract: "Encodes one segment, unless it is finished already.",
    discussion: """
      EXAMPLE:
        candela segments encode 3 --job /shared/job
      """)

  @OptionGroup var place: JobArguments

  @Argument(help: "The number of the segment, from 0.")
  var number: Int

  @OptionGroup var reporting: ReportArguments

  @Option(
    help: ArgumentHelp(
      "The number of threads for decoding, and for encoding with x265 or SVT-AV1; 0 is automatic.",
      visibility: .hidden))
  var decoderThreads = 0

  @Flag(help: ArgumentHelp("Ends when standard input ends.", visibility: .hidden))
  var attached = false

  func execute() async throws -> ExitStatus {
    guard (0...1024).contains(decoderThreads) else {
      throw TranscodingError(
        .invalidSettings, "--decoder-threads must be 0 to 1024, not \(decoderThreads)")
    }
    if attached { Console.endWithInput() }
    let wasMissing = try await place.folder.encode(number, threads: decoderThreads)
    try show(
      Report(path: place.folder.segmentPath(number), number: number, wasMissing: wasMissing))
    return .done
  }
}

struct JoinSegmentsCommand: ReportingCommand {
  typealias Report = SessionDocument

  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Joins all segments into the output.",
    discussion: """
      EXAMPLE:
        candela segments join --job /shared/job
      """)

  @OptionGroup var place: JobArguments

  @OptionGroup var outputArguments: OutputArguments

  @Flag(help: "Removes the job once the output is complete.")
  var remove = false

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let job = try place.folder.job()
    let files = RunFiles(reading: job.input.path, job.files.map(\.path))
    try files.keep(folder: place.job)
    let report = try outputArguments.reservedReport(in: files)
    // Everything that determines the samples is in the job. The options of this command only say
    // how the output is verified and published.
    let session = try await place.folder.joiningSession { options in
      outputArguments.apply(to: &options)
      options.files = files
    }
    try await outputArguments.printPlan(session)
    let result = try await outputArguments.run(session)
    let document = SessionDocument(session: SessionReport(session, result))
    try report?.store(Console.json(document) + "\n")
    outputArguments.giveTime(of: job.input.path, to: job.output)
    outputArguments.finish(session, result, from: job.input.path, to: job.output)
    if remove, let words = try place.folder.remove() { outputArguments.messages.warn(words) }
    try show(document)
    return outputArguments.status(of: result)
  }
}

struct RemoveSegmentsCommand: ReportingCommand {
  /// A job that was removed.
  struct Report: JSONObject {
    let job: String
    let remains: String?

    static let meaning = "A job that was removed."
    static let fields: [JSONField<Report>] = [
      .init("job", "The path of the job's folder.") { $0.job },
      .init("remains", "Why the folder stays, in words; absent if it is gone.") { $0.remains },
    ]
  }

  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a job and its segments.",
    discussion: """
      EXAMPLE:
        candela segments remove --job /shared/job
      """)

  @OptionGroup var place: JobArguments
  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let words = try place.folder.removeUnused()
    if let words { RunMessages(isQuiet: false).warn(words) }
    try show(Report(job: place.job, remains: words))
    return .done
  }
}
