// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import CodePoints
internal import Comparison
internal import Segments
internal import Settings
internal import Transcoding
internal import VideoEncoders

/// `candela transcode`
struct TranscodeCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Makes a new file from a file, by a preset.")

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file to write: .mov, .mp4 or .mkv.", completion: .file())
  var output: String

  @OptionGroup var arguments: PresetArguments
  @OptionGroup var workers: WorkerArguments

  @OptionGroup var range: RangeArguments

  @OptionGroup var outputArguments: OutputArguments

  @Flag(
    help: "Compares the output with the source; what is lost and not named before is a failure.")
  var compare = false

  func execute() async throws -> ExitStatus {
    let part = try range.range()
    if compare, part != nil {
      throw TranscodingError(
        .invalidSettings, "--compare is for whole files: leave it out, or --from and --to")
    }
    // Once: a preset may come out of a pipe.
    let json = try arguments.json()
    let settings = try TranscodeSettings(json)
    let report = try outputArguments.reservedReport(
      protecting: [input, output] + settings.files
        + [Preset.file(arguments.preset)].compactMap { $0 })
    var options = try arguments.options()
    options.range = part
    outputArguments.apply(to: &options)
    let segmented = try workers.options()
    let request = JobRequest(input: input, output: output, settings: json, options: options)
    let start = ContinuousClock.now
    let (session, result, segments) = try await run(
      try await TranscodeSession(
        input: input, output: output, settings: settings, options: options), request, segmented)
    let seconds = segments.map { _ in start.duration(to: .now) / .seconds(1) }
    let comparison = try await comparison(session, result)
    try report?.store(
      Console.json(
        ReportedSession(
          session: SessionReport(session, result, seconds: seconds), segments: segments,
          comparison: comparison))
        + "\n")
    let status = outputArguments.finish(session, result, from: input, to: output, seconds: seconds)
    return comparison?.isComplete ?? true ? status : .failuresFound
  }

  /// A session that was run, its result, and how it was divided; nil for one process.
  private typealias Outcome = (TranscodeSession, TranscodeResult, SegmentedSession.Report?)

  /// Runs the session that was planned, or others in its place, in segments.
  private func run(
    _ planned: consuming TranscodeSession, _ request: JobRequest,
    _ options: SegmentedSession.Options
  ) async throws -> Outcome {
    outputArguments.printPlan(planned)
    guard options.workers.wantsSegments(planned.plan) else { return try await run(planned) }
    planned.abandon()
    // Its encoder takes memory.
    var session: TranscodeSession? = consume planned
    let seconds = session?.plan.secondsOfSource
    session = nil
    let segmented = try await SegmentedSession(request, options: options, seconds: seconds)
    if !segmented.differences.isEmpty {
      Console.printError(
        "candela: an interrupted run's job does not fit, the work starts anew: "
          + segmented.differences.joined(separator: "; "))
    }
    guard options.workers != .auto || segmented.report.count > 1 else {
      try segmented.folder.remove()
      return try await runWhole(request)
    }
    if options.keepsJob { Interruptible.keep(job: segmented.folder.path) }
    if outputArguments.verbose { Console.printError("candela: \(segmented.report.text)") }
    do {
      let (joined, result) = try await outputArguments.showing({ segmented.progress }) {
        try await segmented.run {
          outputArguments.apply(to: &$0)
          $0.protectedFiles = request.options.protectedFiles
        }
      }
      if outputArguments.verbose { VerboseReport.printResult(result) }
      return (joined, result, segmented.report)
    } catch let error as TranscodingError where error.code == .unfitSegment {
      Console.printError("candela: \(error.message): one process encodes the whole")
      return try await runWhole(request)
    }
  }

  private func runWhole(_ request: JobRequest) async throws -> Outcome {
    try await run(
      try await TranscodeSession(
        input: input, output: output, settings: TranscodeSettings(request.settings),
        options: request.options))
  }

  private func run(_ session: TranscodeSession) async throws -> Outcome {
    (session, try await outputArguments.run(session), nil)
  }

  /// Comparison of the output with its source; nil where none was asked for.
  private func comparison(
    _ session: TranscodeSession, _ result: TranscodeResult
  ) async throws -> ComparisonReport? {
    guard compare else { return nil }
    let report = try await ComparisonReport.make(
      source: input, output: output,
      named: NamedLosses(session.plan.notices + result.notices))
    if outputArguments.verbose { Console.printError(report.text) }
    for loss in report.unnamedLosses { Console.printError("candela: lost: \(loss)") }
    return report
  }
}

/// The report of a session, with how it was divided and what became of the source beside its other
/// keys.
private struct ReportedSession: Encodable {
  let session: SessionReport
  let segments: SegmentedSession.Report?
  let comparison: ComparisonReport?

  private enum CodingKeys: String, CodingKey { case comparison, segments }

  func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(comparison, forKey: .comparison)
    try container.encodeIfPresent(segments, forKey: .segments)
  }
}

/// Report that `--verbose` prints on standard error.
enum VerboseReport {
  /// Prints the plan, the parameters that the encoder was asked for, and those that it uses.
  static func printPlan(_ session: TranscodeSession) {
    Console.printError(session.report.text(of: Advice.text))
    guard let report = session.encoderReport else { return }
    Console.printError("candela: \(report.encoder) was asked for: \(join(report.requested))")
    if !report.effective.isEmpty {
      Console.printError("candela: \(report.encoder) was given: \(join(report.effective))")
    }
  }

  /// Prints the result.
  static func printResult(_ result: TranscodeResult) {
    Console.printError("candela: \(result.summary)")
    if let level = result.measuredContentLightLevel {
      Console.printError(
        "candela: measured: MaxCLL \(level.maxContentLightLevel), MaxFALL "
          + "\(level.maxPicAverageLightLevel) cd/m²")
    }
  }

  private static func join(_ options: [(name: String, value: String)]) -> String {
    options.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
