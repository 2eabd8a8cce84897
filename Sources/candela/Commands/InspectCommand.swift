// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

struct InspectCommand: ReadingCommand {
  typealias Report = InspectionReport

  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Shows what a file contains and what its color tags mean.",
    discussion: """
      EXAMPLES:
        candela inspect clip.mov
        candela inspect Clips --recursive --json
      """)

  @Argument(
    help: ArgumentHelp("The files to read.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(
    help: """
      Also lists each frame's type, its time before edit lists are applied, Dolby Vision level 1, \
      and SEI or OBUs.
      """)
  var frames = false

  @OptionGroup(title: "MANY FILES") var finding: FilesArguments

  @OptionGroup var reporting: ReportArguments

  func work(on input: String, to output: String?) async throws -> ExitStatus {
    let report = try await InspectionReport.make(path: input, includingFrames: frames)
    try show(report) { try Console.printReport(report.text) }
    return .done
  }
}
