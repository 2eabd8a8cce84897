// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

struct ValidateCommand: ReadingCommand {
  typealias Report = ValidationReport

  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks whether a file is what it claims to be: Dolby Vision, HLG, HDR10 or SDR.",
    discussion: """
      The exit status is 0 if no rule fails, and 1 if any does.

      EXAMPLES:
        candela validate clip.mov
        candela validate Deliveries --recursive
      """)

  @Argument(
    help: ArgumentHelp("The files to read.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Shows all rules, including those that are met or do not apply.")
  var all = false

  @OptionGroup(title: "MANY FILES") var finding: FilesArguments

  @OptionGroup var reporting: ReportArguments

  func work(on input: String, to output: String?) async throws -> ExitStatus {
    let report = try await ValidationReport.make(path: input)
    try show(report) {
      // Most rules are met or are about other kinds of files, so list all of them only on demand.
      try Console.printReport(all ? report.text : report.shortText)
    }
    return report.conforms ? .done : .failuresFound
  }
}
