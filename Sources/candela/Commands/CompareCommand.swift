// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Comparison
internal import Host

struct CompareCommand: ReportingCommand {
  typealias Report = ComparisonReport

  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares an output with its source and lists what was lost.",
    discussion: """
      EXAMPLE:
        candela compare clip.mov out.mp4 --plot curves.png
      """)

  @Argument(help: "The source of the output.", completion: .file())
  var source: String

  @Argument(help: "The output.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("Measures only every Nth frame.", valueName: "N"))
  var every = 1

  @Option(
    help: ArgumentHelp(
      "The output's plan (plan --json, transcode --report). Losses that it names are accepted.",
      valueName: "file.json"))
  var plan: String?

  @Option(
    help: ArgumentHelp("Draws the measured values over time into a PNG.", valueName: "file.png"))
  var plot: String?

  @OptionGroup var range: RangeArguments

  @Flag(name: [.long, .customShort("y")], help: "Replaces an existing plot.")
  var overwrite = false

  @OptionGroup var reporting: ReportArguments

  func validate() throws {
    guard every > 0 else { throw ValidationError("--every must be 1 or more, not \(every)") }
  }

  func execute() async throws -> ExitStatus {
    let named = try plan.map { try NamedLosses(path: $0) } ?? NamedLosses()
    // Comparing decodes both files and takes long, so check the plot's path before that.
    let place = try plot.map { plot in
      try ComparisonPlot(
        at: plot, overwrite: overwrite,
        in: RunFiles(reading: source, [output] + [plan].compactMap { $0 }))
    }
    let report = try await ComparisonReport.make(
      source: source, output: output, range: range.range(), named: named, interval: every)
    try place?.write(report)
    try show(report) { try Console.printLine(report.text) }
    return report.isComplete ? .done : .failuresFound
  }
}
