// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import MediaCore
internal import Planning
internal import Transcoding

struct CutCommand: ReportingCommand {
  typealias Report = SessionDocument

  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Copies a part of a file to a new file without encoding.",
    discussion: """
      The cut is exact. If frames in the part refer to earlier frames, those are copied as well, \
      and an edit list hides them. Matroska has no edit lists, so such a part cannot be written to \
      .mkv or .webm. All other tracks are cut at the same times.

      EXAMPLE:
        candela cut clip.mov part.mov --from 12.5 --to 0:00:20
      """)

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file to write: \(FileType.names()).", completion: .file())
  var output: String

  @OptionGroup var range: RangeArguments

  @OptionGroup var arguments: OutputArguments

  @Option(help: "What to do about damaged data.")
  var onError: TranscodeOptions.OnError?

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    try await arguments.naming(input, cut)
  }

  private func cut() async throws -> ExitStatus {
    guard let part = try range.range() else {
      throw TranscodingError(.invalidSettings, "give the part to keep: --from, --to or both")
    }
    var options = TranscodeOptions()
    options.range = part
    options.onError = onError
    let (document, status) = try await arguments.copy(input, to: output, options)
    try show(document)
    return status
  }
}
