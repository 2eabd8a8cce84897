// SPDX-License-Identifier: GPL-2.0-or-later
internal import Comparison
internal import Host
internal import Planning
internal import Segments
internal import Settings
internal import Transcoding

/// The work of `candela transcode` on one file.
struct TranscodeRun: Sendable {
  /// The path of the file to read.
  let input: String
  /// The path of the file to write.
  let output: String
  /// The settings, in the form of a preset.
  var json: JSONValue
  /// The command with its options.
  var command: TranscodeCommand
  /// The kind of the source's video, such as `SDR H.264`, if the video is copied because it is of
  /// the wanted kind already.
  private var copiedKind: String?

  private var outputArguments: OutputArguments { command.outputArguments }

  init(input: String, output: String, json: JSONValue, command: TranscodeCommand) {
    (self.input, self.output, self.json, self.command) = (input, output, json, command)
  }

  /// Does the work, and prints what it made.
  ///
  /// - Parameter made: is called with the status when the output exists, before the result is
  ///   printed. If the output is compared, this is called twice: before the comparison, with
  ///   ``ExitStatus/interrupted``, and after it.
  func execute(made: @Sendable (ExitStatus) -> Void) async throws -> ExitStatus {
    try await execute(reportingTo: nil, made: made)
  }

  /// - Parameter reserved: where the report goes, if that was reserved already.
  private func execute(
    reportingTo reserved: ReportFile?, made: @Sendable (ExitStatus) -> Void
  ) async throws -> ExitStatus {
    let settings = try TranscodeSettings(json)
    let request = try request()
    let options = request.options
    // Planning an HDR file decodes it to find its shots, so look at its dynamic range before that.
    if let only = command.batch.only, copiedKind == nil,
      let range = try await DynamicRange(of: input, settings, options.sourceColor), range != only
    {
      FileEvent(leftOut: range).post()
      return .done
    }
    let files = options.files ?? RunFiles(reading: input)
    try files.read(settings.files)
    let report = try reserved ?? outputArguments.reservedReport(in: files)
    var segmented = try command.workers.options()
    segmented.tell = { [messages = outputArguments.messages] in messages.warn($0) }
    let start = ContinuousClock.now
    let planned = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    // If the source's video already is what the settings would make of it, it is copied instead.
    if command.encoding.encode == .needed, let kind = try await planned.alreadyMade() {
      // The copy claims the same output, so give up this claim.
      planned.abandon()
      return try await copying(kind).execute(reportingTo: report, made: made)
    }
    let (session, result, segments) = try await run(planned, request, segmented)
    let seconds = segments.map { _ in start.duration(to: .now) / .seconds(1) }
    // If one process made the whole file, the remains of an interrupted run are useless.
    if segments == nil { JobFolder(besideOutput: output).removeLeftover() }
    outputArguments.giveTime(of: input, to: output)
    if let encoding = session.report.video?.encoding {
      let pixels = Double(encoding.width) * Double(encoding.height)
      FileEvent(pixels: Double(result.frameCount) * pixels).post()
    }
    // If the comparison is interrupted, the record must not say that all is well.
    if command.compare { made(.interrupted) }
    let comparison = try await comparison(session, result, settings, options)
    let status: ExitStatus =
      comparison?.isComplete ?? true ? outputArguments.status(of: result) : .failuresFound
    made(status)
    let document = SessionDocument(
      session: SessionReport(session, result, seconds: seconds), segments: segments,
      comparison: comparison)
    try report?.store(Console.json(document) + "\n")
    outputArguments.finish(
      session, result, from: input, to: output, seconds: seconds, copying: copiedKind)
    // With `--attached`, standard output is for events.
    if !command.attached { try command.show(.one(document)) }
    return status
  }

  /// Estimates how much memory the work takes at most, in bytes; 0 if the options are wrong.
  ///
  /// - Parameter part: the memory, in bytes, that several workers may take together.
  func memory(within part: UInt64) async -> UInt64 {
    await (try? request())?.memory(of: command.workers.workers, within: part) ?? 0
  }

  /// Returns the same work with the source's video copied.
  private func copying(_ kind: String) -> TranscodeRun {
    var copy = self
    copy.copiedKind = kind
    copy.command.encoding.encode = .always
    copy.json = json.copyingVideo
    return copy
  }

  private func request() throws -> JobRequest {
    try TranscodePlan.refuseNameWithoutContainer(output)
    var options = try command.arguments.options(reading: input)
    options.range = try command.range.range(hasFolder: true)
    // An input or a report inside the job's folder could be removed with the job.
    try options.files?.keep(folder: JobFolder(besideOutput: output).path)
    outputArguments.apply(to: &options)
    return JobRequest(input: input, output: output, settings: json, options: options)
  }

  /// A session that was run, its result, and how the work was divided (`nil` if one process did
  /// it).
  private typealias Outcome = (TranscodeSession, TranscodeResult, SegmentedSession.Report?)

  /// Runs the planned session. If the work is divided, other sessions run in its place.
  private func run(
    _ planned: consuming TranscodeSession, _ request: JobRequest,
    _ options: SegmentedSession.Options
  ) async throws -> Outcome {
    try await outputArguments.printPlan(planned)
    guard options.workers.wantsSegments(planned.plan) else { return try await run(planned) }
    let request = request.knowing(planned.plan.shots)
    let segmented = try await SegmentedSession.dividing(
      consume planned, request, options: options)
    guard let segmented else { return try await runWhole(request) }
    if options.keepsJob { Interruptible.keep(job: segmented.folder.path) }
    if outputArguments.verbose { RunMessages.detail(segmented.report.text) }
    do {
      let (joined, result) = try await outputArguments.showing({ segmented.progress }) {
        try await segmented.run {
          outputArguments.apply(to: &$0)
          $0.files = request.options.files
        }
      }
      if outputArguments.verbose { RunMessages.detail(result) }
      return (joined, result, segmented.report)
    } catch let error as TranscodingError where error.code == .unfitSegment {
      // Damage or interlaced frames may be found only in the middle of the work.
      outputArguments.messages.warn(
        "\(error.message); one process encodes the whole file instead")
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

  /// Compares the output with its source; `nil` if no comparison is wanted.
  private func comparison(
    _ session: TranscodeSession, _ result: TranscodeResult, _ settings: TranscodeSettings,
    _ options: TranscodeOptions
  ) async throws -> ComparisonReport? {
    guard command.compare else { return nil }
    let report = try await Interruptible.comparing(output) {
      try await ComparisonReport.make(
        source: input, output: output, range: options.range,
        where: settings.tracks.video.contains,
        named: NamedLosses(session.plan.notices + result.notices))
    }
    if outputArguments.verbose { RunMessages.detail(report: report.text) }
    for loss in report.unnamedLosses { outputArguments.messages.tell("lost: \(loss)") }
    return report
  }
}
