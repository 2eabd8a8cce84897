// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import CodePoints
internal import Comparison
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
    let settings = try arguments.settings()
    let report = try outputArguments.reservedReport(
      protecting: [input, output] + settings.files
        + [Preset.file(arguments.preset)].compactMap { $0 })
    var options = try arguments.options()
    options.range = part
    outputArguments.apply(to: &options)
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    outputArguments.printPlan(session)
    let result = try await outputArguments.run(session)
    let comparison = try await comparison(session, result)
    try report?.store(
      Console.json(ComparedSession(session: SessionReport(session, result), comparison: comparison))
        + "\n")
    let status = outputArguments.finish(session, result, from: input, to: output)
    return comparison?.isComplete ?? true ? status : .failuresFound
  }

  /// What became of the source; nil where nobody asked.
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
