// SPDX-License-Identifier: GPL-2.0-or-later
public import ArgumentParser
internal import CodePoints
internal import Host
internal import Planning
internal import Transcoding

extension TranscodeOptions.VerificationLevel: ExpressibleByArgument {}

/// The arguments for making an output of any kind, and for reports about it.
struct OutputArguments: ParsableArguments, Sendable {
  @Flag(name: [.long, .customShort("y")], help: "Replaces an existing output.")
  var overwrite = false

  @Flag(help: "Gives the output file the source's modification time.")
  var preserveTimes = false

  @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
  var quiet = false

  @Flag(help: "Starts even if the estimated output does not fit on the disk.")
  var force = false

  @Option(help: "How to check the output. The level 'decode' also decodes all frames.")
  var verify = TranscodeOptions.VerificationLevel.normal

  @Option(help: "How to show progress.")
  var progress = ProgressStyle.auto

  @Option(
    help: ArgumentHelp(
      "Writes the plan and the result as JSON.", valueName: "file.json"))
  var report: String?

  @Flag(help: "Prints each step and the encoder's settings.")
  var verbose = false

  @Option(help: CoreCount.help) var threads: CoreCount?

  var messages: RunMessages {
    RunMessages(isQuiet: quiet)
  }

  /// Applies the arguments to the options of a run.
  func apply(to options: inout TranscodeOptions) {
    options.overwrite = overwrite
    options.ignoresFreeSpace = force
    options.verification = verify
  }

  /// Returns where the report goes; `nil` if no report is wanted. Wrong paths are refused now,
  /// before the work.
  ///
  /// - Parameter files: everything that the run reads and writes, to which this function adds the
  ///   report.
  func reservedReport(in files: RunFiles) throws -> ReportFile? {
    try report.map { try ReportFile(path: $0, overwrite: overwrite, in: files) }
  }

  /// Does the work on a file, and names the file in errors.
  func naming(
    _ input: String, _ work: () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    do {
      return try await work()
    } catch let error as TranscodingError where Console.failsInJSON {
      // Text messages about errors name the file themselves. JSON has a separate key for the name.
      return RunMessages.fail(input, error)
    }
  }

  /// Prints the plan, or only its losses and assumptions.
  func printPlan(_ session: TranscodeSession) async throws {
    if verbose {
      // The encoder's parameters are known only once it is open.
      try await session.openEncoder()
      RunMessages.detail(planOf: session)
    } else {
      messages.say(session.plan.notices)
    }
  }

  /// Runs the session and shows its progress.
  func run(_ session: TranscodeSession) async throws -> TranscodeResult {
    let result = try await showing({ session.progress }) { try await session.run() }
    if verbose { RunMessages.detail(result) }
    return result
  }

  /// Does some work and shows its progress.
  func showing<Result: Sendable>(
    _ progress: @escaping @Sendable () -> TranscodeProgress,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let style = quiet ? .none : self.progress
    return try await ProgressDisplay(style: style, progress: progress).showing(body)
  }

  /// Gives an output the modification time of its source, if wanted.
  func giveTime(of input: String, to output: String) {
    if preserveTimes, !PosixPath.copyTime(from: input, to: output) {
      messages.warn(
        "note: \(output) could not be given its source's modification time: \(SystemCall.text())")
    }
  }

  /// Returns the exit status for a result.
  func status(of result: TranscodeResult) -> ExitStatus {
    result.concealedCount > 0 ? .concealed : .done
  }

  /// Prints what was noticed during the run, and what was made.
  ///
  /// - Parameters:
  ///   - seconds: how long the work took; `nil` to take the session's time.
  ///   - kind: the kind of the source's video, such as `SDR H.264`, if the video was copied because
  ///     it was of the wanted kind already.
  func finish(
    _ session: TranscodeSession, _ result: TranscodeResult, from input: String, to output: String,
    seconds: Double? = nil, copying kind: String? = nil
  ) {
    messages.say(result.notices)
    if result.repairedTimeCount > 0 {
      messages.warn(
        "note: "
          + result.repairedTimeCount.counted(
            "timestamp was missing or went backward, and was replaced",
            "timestamps were missing or went backward, and were replaced"))
    }
    if result.concealedCount > 0 {
      messages.warn(
        "done, but "
          + result.concealedCount.counted(
            "damaged part (frame, RPU, packet, subtitle or track) was concealed or left out",
            "damaged parts (frames, RPUs, packets, subtitles, tracks) were concealed or left out"))
    }
    if progress != .none {
      messages.finish(session, result, from: input, to: output, seconds: seconds, copying: kind)
    }
  }
}
