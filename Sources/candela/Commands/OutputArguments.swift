// SPDX-License-Identifier: GPL-2.0-or-later
public import ArgumentParser
internal import Assets
internal import CodePoints
internal import Transcoding

extension VerificationLevel: ExpressibleByArgument {}

/// The arguments for the making of an output of any content, and for reports about it.
struct OutputArguments: ParsableArguments, Sendable {
  @Flag(help: "Replaces an output that exists.")
  var overwrite = false

  @Flag(help: "Tries also what by estimate does not fit on the disk.")
  var force = false

  @Option(help: "How the output is checked: normal, decode or none.")
  var verify = VerificationLevel.normal

  @Option(help: "How progress is shown: auto, bar, json or none.")
  var progress = ProgressStyle.auto

  @Option(
    help: ArgumentHelp(
      "Stores what was planned and what was done as JSON.", valueName: "file.json"))
  var report: String?

  @Flag(help: "Tells what is done, and what the encoder was given.")
  var verbose = false

  /// Adds them to the options of a run.
  func apply(to options: inout TranscodeOptions) {
    options.overwrite = overwrite
    options.ignoresFreeSpace = force
    options.verification = verify
  }

  /// The place of the report, checked before the work; nil where none is wanted.
  ///
  /// - Parameter files: the files that it must not replace.
  func reservedReport(protecting files: [String]) throws -> ReportFile? {
    try report.map { try ReportFile(path: $0, overwrite: overwrite, protecting: files) }
  }

  /// Prints the plan.
  func printPlan(_ session: TranscodeSession) {
    if verbose {
      VerboseReport.printPlan(session)
    } else {
      Console.printNotes(session.plan.notices)
    }
  }

  /// Runs the session, and shows its progress.
  func run(_ session: TranscodeSession) async throws -> TranscodeResult {
    let result = try await showing({ session.progress }) { try await session.run() }
    if verbose { VerboseReport.printResult(result) }
    return result
  }

  /// Does some work, and shows how far it is.
  func showing<Result: Sendable>(
    _ progress: @escaping @Sendable () -> TranscodeProgress,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await ProgressDisplay(style: self.progress, progress: progress).showing(body)
  }

  /// Prints what came up during the run.
  ///
  /// - Returns: the status with which the command ends.
  static func status(of result: TranscodeResult) -> ExitStatus {
    Console.printNotes(result.notices)
    if result.repairedTimeCount > 0 {
      Console.printError(
        "candela: note: "
          + result.repairedTimeCount.counted(
            "time was missing or stepped back and was made up",
            "times were missing or stepped back and were made up"))
    }
    if result.concealedCount > 0 {
      Console.printError(
        "candela: done, but "
          + result.concealedCount.counted(
            "damaged frame, RPU, packet or track was concealed or left out",
            "damaged frames, RPUs, packets or tracks were concealed or left out"))
    }
    return result.concealedCount > 0 ? .concealed : .done
  }
}
