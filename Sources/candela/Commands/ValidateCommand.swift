// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

struct ValidateCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Tells rule by rule whether a file is the Dolby Vision, HLG, HDR10 or SDR it claims.",
    discussion: "Ends with 0 where no rule fails, with 1 where one does.")

  @Argument(help: "The file to read.", completion: .file())
  var file: String

  @Flag(help: "Shows all rules, also those that hold or are not about such files.")
  var all = false

  @Flag(help: "Prints JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let report = try await ValidationReport.make(path: file)
    if json {
      try Console.printLine(Console.json(report))
    } else {
      // Most rules are about other kinds of files, so list those only on demand.
      try Console.printReport(all ? report.text : report.shortText)
    }
    return report.conforms ? .done : .failuresFound
  }
}
