public import ArgumentParser
internal import CodePoints
internal import Foundation
public import Transcoding

extension OnError: ExpressibleByArgument {}
extension VerificationLevel: ExpressibleByArgument {}

/// `candela transcode`
struct TranscodeCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Makes a new file from a file, by a preset.")

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file to write: .mov or .mp4.", completion: .file())
  var output: String

  @Option(help: "A preset's name, or a path to a JSON file.")
  var preset = "hevc-match-source"

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Sets a key of the preset, such as video.compressionProperties.constantRateFactor=20.",
      valueName: "key=value"))
  var changes: [String] = []

  @Flag(help: "Replaces an output that exists.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "What the source's colors mean, whatever the file says: 9/18/9, hlg, 709, …",
      valueName: "color"))
  var sourceColor: String?

  @Flag(help: "Refuses files whose tags contradict each other.")
  var strict = false

  @Option(help: "Whether to go on after damaged data: continue or stop.")
  var onError: OnError?

  @Option(help: "How the output is checked: normal, decode or none.")
  var verify = VerificationLevel.normal

  @Option(help: "How progress is shown: auto, bar, json or none.")
  var progress = ProgressStyle.auto

  @Flag(help: "Tells what is done, and what the encoder was given.")
  var verbose = false

  func execute() async throws -> ExitStatus {
    let settings = try Preset.settings(preset, changes: changes)
    var options = TranscodeOptions()
    options.overwrite = overwrite
    options.strict = strict
    options.onError = onError
    options.verification = verify
    options.sourceColor = try sourceColor.map(Self.color)
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    for notice in session.plan.notices { Console.printError("candela: note: \(notice)") }
    if verbose { VerboseReport.printPlan(session) }
    let result = try await ProgressDisplay(style: progress, session: session).showing {
      try await session.run()
    }
    if verbose { VerboseReport.printResult(result) }
    guard result.concealedCount == 0 else {
      Console.printError(
        "candela: done, but \(result.concealedCount) damaged pictures or packets were concealed")
      return .concealed
    }
    return .done
  }

  private static func color(_ text: String) throws -> ColorDescription {
    guard let color = ColorDescription(spelling: text) else {
      let names = ColorDescription.shortNames.map(\.name).joined(separator: ", ")
      throw TranscodingError(
        .invalidSettings,
        "--source-color has no value '\(text)': a triple such as 9/18/9, or one of \(names)")
    }
    return color
  }
}
