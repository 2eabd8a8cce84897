// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

struct InspectCommand: ReportingCommand {
  typealias Report = InspectionReport

  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Shows what a file contains and what its color tags mean.",
    discussion: """
      EXAMPLE:
        candela inspect clip.mov
      """)

  @Argument(help: "The file to read.", completion: .file())
  var file: String

  @Flag(
    help:
      "Lists the frames as well: type, time before edits, Dolby Vision level 1, SEI."
  )
  var frames = false

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let report = try await InspectionReport.make(path: file, includingFrames: frames)
    try show(report) { try Console.printReport(report.text) }
    return .done
  }
}
