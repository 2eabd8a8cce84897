// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

struct InspectCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Shows what a file holds and what its color tags mean.")

  @Argument(help: "The file to read.", completion: .file())
  var file: String

  @Flag(help: "Lists the frames as well: type, time, Dolby Vision level 1, SEI.")
  var frames = false

  @Flag(help: "Prints the report as JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let report = try await InspectionReport.make(path: file, includingFrames: frames)
    if json {
      try Console.printLine(Console.json(report))
    } else {
      try Console.printReport(report.text)
    }
    return .done
  }
}
