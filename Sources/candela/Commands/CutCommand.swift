// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Planning
internal import Settings
internal import Transcoding

struct CutCommand: ReportingCommand {
  typealias Report = SessionDocument

  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Cuts out a part of a file without encoding.",
    discussion: """
      The cut is exact. If its frames refer to earlier frames, those are copied as well, and an \
      edit list hides them. All other tracks are cut at the same times.

      EXAMPLE:
        candela cut clip.mov part.mov --from 12.5 --to 0:00:20
      """)

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file to write: .mov, .mp4 or .mkv.", completion: .file())
  var output: String

  @OptionGroup var range: RangeArguments

  @OptionGroup var arguments: OutputArguments

  @Option(help: "What to do after damaged data: continue or stop.")
  var onError: TranscodeOptions.OnError?

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    try await arguments.naming(input, cut)
  }

  private func cut() async throws -> ExitStatus {
    guard let part = try range.range() else {
      throw TranscodingError(.invalidSettings, "give the part to keep: --from, --to or both")
    }
    let settings = try Preset.settings(
      "hevc-match-source",
      changes: [
        "name=AVAssetExportPresetPassthrough", "video.codec=passthrough", "audio=passthrough",
      ])
    // One list for everything that the run touches: no output may replace the input or another
    // output.
    let files = RunFiles(reading: input)
    let report = try arguments.reservedReport(in: files)
    var options = TranscodeOptions()
    options.files = files
    options.onError = onError
    options.range = part
    arguments.apply(to: &options)
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    try await arguments.printPlan(session)
    let result = try await arguments.run(session)
    let document = SessionDocument(session: SessionReport(session, result))
    try report?.store(Console.json(document) + "\n")
    arguments.giveTime(of: input, to: output)
    arguments.finish(session, result, from: input, to: output)
    try show(document)
    return arguments.status(of: result)
  }
}
