// SPDX-License-Identifier: GPL-2.0-or-later
public import ArgumentParser
internal import CodePoints
internal import Host
internal import Planning
internal import Transcoding

extension TranscodeOptions.VerificationLevel: ExpressibleByArgument {}

/// The arguments for the making of an output of any content, and for reports about it.
struct OutputArguments: ParsableArguments, Sendable {
  @Flag(name: [.long, .customShort("y")], help: "Replaces an output that exists.")
  var overwrite = false

  @Flag(help: "Gives the output the time of the source's last change.")
  var preserveTimes = false

  @Flag(name: [.long, .customShort("q")], help: "Prints errors alone.")
  var quiet = false

  @Flag(help: "Tries also what by estimate does not fit on the disk.")
  var force = false

  @Option(help: "How the output is checked: normal, decode or none.")
  var verify = TranscodeOptions.VerificationLevel.normal

  @Option(help: "How progress is shown: auto, bar, lines, json or none.")
  var progress = ProgressStyle.auto

  @Option(
    help: ArgumentHelp(
      "Stores what was planned and what was done as JSON.", valueName: "file.json"))
  var report: String?

  @Flag(help: "Tells what is done, and what the encoder was given.")
  var verbose = false

  /// Messages beside progress.
  var messages: RunMessages {
    RunMessages(isQuiet: quiet)
  }

  /// Adds them to the options of a run.
  func apply(to options: inout TranscodeOptions) {
    options.overwrite = overwrite
    options.ignoresFreeSpace = force
    options.verification = verify
  }

  /// The place of the report, checked before the work; nil where none is wanted.
  ///
  /// - Parameter files: all that the run reads and writes; the report is one of them then.
  func reservedReport(in files: RunFiles) throws -> ReportFile? {
    try report.map { try ReportFile(path: $0, overwrite: overwrite, in: files) }
  }

  /// Does the work on a file; an error names it where messages are JSON.
  func naming(
    _ input: String, _ work: () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    do {
      return try await work()
    } catch let error as TranscodingError where Console.speaksJSON {
      return RunMessages.fail(input, error)
    }
  }

  /// Prints the plan.
  func printPlan(_ session: TranscodeSession) async throws {
    if verbose {
      try await session.openEncoder()
      RunMessages.detail(planOf: session)
    } else {
      messages.say(session.plan.notices)
    }
  }

  /// Runs the session, and shows its progress.
  func run(_ session: TranscodeSession) async throws -> TranscodeResult {
    let result = try await showing({ session.progress }) { try await session.run() }
    if verbose { RunMessages.detail(result) }
    return result
  }

  /// Does some work, and shows how far it is.
  func showing<Result: Sendable>(
    _ progress: @escaping @Sendable () -> TranscodeProgress,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let style = quiet ? .none : self.progress
    return try await ProgressDisplay(style: style, progress: progress).showing(body)
  }

  /// Gives an output the time of its source, where that is wanted.
  func giveTime(of input: String, to output: String) {
    if preserveTimes, !PosixPath.copyTime(from: input, to: output) {
      messages.warn("note: \(output) cannot have the time of its source: \(SystemCall.text())")
    }
  }

  /// The status with which a command ends that had a result.
  func status(of result: TranscodeResult) -> ExitStatus {
    result.concealedCount > 0 ? .concealed : .done
  }

  /// Prints what came up during the run, and what was made.
  ///
  /// - Parameter seconds: time that the work took; nil for that of the session.
  func finish(
    _ session: TranscodeSession, _ result: TranscodeResult, from input: String, to output: String,
    seconds: Double? = nil
  ) {
    messages.say(result.notices)
    if result.repairedTimeCount > 0 {
      messages.warn(
        "note: "
          + result.repairedTimeCount.counted(
            "time was missing or stepped back and was made up",
            "times were missing or stepped back and were made up"))
    }
    if result.concealedCount > 0 {
      messages.warn(
        "done, but "
          + result.concealedCount.counted(
            "damaged frame, RPU, packet or track was concealed or left out",
            "damaged frames, RPUs, packets or tracks were concealed or left out"))
    }
    if progress != .none {
      messages.finish(session, result, from: input, to: output, seconds: seconds)
    }
  }
}
