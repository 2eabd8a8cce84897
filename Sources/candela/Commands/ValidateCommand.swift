// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

struct ValidateCommand: ReportingCommand {
  typealias Report = ValidationReport

  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks that a file is the Dolby Vision, HLG, HDR10 or SDR it claims to be.",
    discussion: """
      The exit status is 0 if every rule is met, and 1 if one fails.

      EXAMPLE:
        candela validate clip.mov
      """)

  @Argument(help: "The file to read.", completion: .file())
  var file: String

  @Flag(help: "Shows all rules, including those that are met or do not apply.")
  var all = false

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let report = try await ValidationReport.make(path: file)
    try show(report) {
      // Most rules are met or are about other kinds of files, so list all of them only on demand.
      try Console.printReport(all ? report.text : report.shortText)
    }
    return report.conforms ? .done : .failuresFound
  }
}
