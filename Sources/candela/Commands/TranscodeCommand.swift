// SPDX-License-Identifier: GPL-2.0-or-later
public import ArgumentParser
internal import Assets
internal import CodePoints
internal import Comparison
internal import Foundation
internal import Settings
public import Transcoding
internal import VideoEncoders

extension VerificationLevel: ExpressibleByArgument {}

/// `candela transcode`
struct TranscodeCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Makes a new file from a file, by a preset.")

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file to write: .mov, .mp4 or .mkv.", completion: .file())
  var output: String

  @OptionGroup var arguments: PresetArguments

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

  @Flag(
    help: "Compares the output with the source; what is lost and not named before is a failure.")
  var compare = false

  @Flag(help: "Tells what is done, and what the encoder was given.")
  var verbose = false

  func execute() async throws -> ExitStatus {
    // Once: a preset may come out of a pipe.
    let settings = try arguments.settings()
    let report = try reservedReport(settings)
    var options = try arguments.options()
    options.overwrite = overwrite
    options.ignoresFreeSpace = force
    options.verification = verify
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    if verbose {
      VerboseReport.printPlan(session)
    } else {
      Console.printNotes(session.plan.notices)
    }
    let result = try await ProgressDisplay(style: progress, session: session).showing {
      try await session.run()
    }
    if verbose { VerboseReport.printResult(result) }
    let comparison = try await comparison(session, result)
    try report?.store(
      Console.json(ComparedSession(session: SessionReport(session, result), comparison: comparison))
        + "\n")
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
            "damaged frame, RPU or packet was concealed",
            "damaged frames, RPUs or packets were concealed"))
    }
    guard comparison?.isComplete ?? true else { return .failuresFound }
    return result.concealedCount > 0 ? .concealed : .done
  }

  /// What became of the source; nil where nobody asked.
  private func comparison(
    _ session: TranscodeSession, _ result: TranscodeResult
  ) async throws -> ComparisonReport? {
    guard compare else { return nil }
    let report = try await ComparisonReport.make(
      source: input, output: output,
      named: NamedLosses(session.plan.notices + result.notices))
    if verbose { Console.printError(report.text) }
    for loss in report.unnamedLosses { Console.printError("candela: lost: \(loss)") }
    return report
  }

  /// The place of the report, checked before the work; nil where none is wanted.
  private func reservedReport(_ settings: TranscodeSettings) throws -> ReportFile? {
    try report.map {
      try ReportFile(
        path: $0, overwrite: overwrite,
        protecting: [input, output] + settings.files
          + [Preset.file(arguments.preset)].compactMap { $0 })
    }
  }
}

/// The report of a session, with what became of the source beside its other keys.
private struct ComparedSession: Encodable {
  let session: SessionReport
  let comparison: ComparisonReport?

  private enum CodingKeys: String, CodingKey { case comparison }

  func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(comparison, forKey: .comparison)
  }
}

/// What `--verbose` prints on standard error.
enum VerboseReport {
  /// What will be done, and what the encoder was asked for and given.
  static func printPlan(_ session: TranscodeSession) {
    Console.printError(session.report.text(of: Advice.text))
    guard let report = session.encoderReport else { return }
    Console.printError("candela: \(report.encoder) was asked for: \(join(report.requested))")
    if !report.effective.isEmpty {
      Console.printError("candela: \(report.encoder) was given: \(join(report.effective))")
    }
  }

  /// What was done.
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
