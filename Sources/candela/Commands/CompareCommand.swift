// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Comparison
internal import Host

struct CompareCommand: ReadingCommand {
  typealias Report = ComparisonReport

  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares an output with its source and lists what was lost.",
    discussion: """
      EXAMPLES:
        candela compare clip.mov out.mp4 --plot curves.png
        candela compare Photos --recursive --with sdr
      """)

  @Argument(
    help: ArgumentHelp(
      "The source, then its output. If --with is given, only sources.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp("Measures only every Nth frame.", valueName: "N"))
  var every = 1

  @Option(
    help: ArgumentHelp(
      "The output's plan, from plan --json or transcode --report. Losses it names are accepted.",
      valueName: "file.json"))
  var plan: String?

  @Option(
    help: ArgumentHelp("Draws the measured values over time into a PNG.", valueName: "file.png"))
  var plot: String?

  @OptionGroup var range: RangeArguments

  @Flag(name: [.long, .customShort("y")], help: "Replaces an existing plot.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "Compares each file with its output in this folder, as transcode --into named it.",
      valueName: "folder"), completion: .directory)
  var with: String?

  @OptionGroup(title: "MANY FILES") var finding: FilesArguments

  @OptionGroup var reporting: ReportArguments

  func validate() throws {
    guard every > 0 else { throw ValidationError("--every must be 1 or more, not \(every)") }
  }

  func execute() async throws -> ExitStatus {
    if let status = try await attachedStatus() { return status }
    try finding.check()
    if let folder = with { return try await compareAll(with: folder) }
    try files.refuseUnlessPair("--with", "a source and its output, or sources")
    try [
      ("--recursive", finding.recursive), ("--exclude", !finding.exclude.isEmpty),
      ("--jobs", finding.jobs != 1),
    ].refuse(without: "--with and the folder of the outputs")
    return try await work(on: files[0], to: files[1])
  }

  private func compareAll(with folder: String) async throws -> ExitStatus {
    guard plot == nil, plan == nil else {
      throw TranscodingError(
        .invalidSettings,
        "--plot and --plan work for one file only: leave them out, or leave out --with")
    }
    guard PosixPath.kind(of: folder) == .directory else {
      throw TranscodingError(.noInput, "\(folder): there is no such folder")
    }
    let found = try BatchFiles(
      finding, named: BatchNames(into: folder, pattern: nil), of: files)
    let made = BatchHistory().outputs(of: found.pairs, in: BatchFolder(folder))
    return try await readAll(found, made)
  }

  func work(on source: String, to output: String?) async throws -> ExitStatus {
    let output = output ?? ""
    let named = try plan.map { try NamedLosses(path: $0) } ?? NamedLosses()
    // Comparing decodes both files and takes a long time, so check the plot's path first.
    let plotFile = try plot.map { plot in
      try ComparisonReport.plotFile(
        at: plot, overwrite: overwrite,
        in: RunFiles(reading: source, [output] + [plan].compactMap { $0 }))
    }
    let report = try await ComparisonReport.make(
      source: source, output: output, range: range.range(), named: named, interval: every)
    if let plotFile { try report.writePlot(to: plotFile) }
    try show(report) { try Console.printLine(report.text) }
    return report.isComplete ? .done : .failuresFound
  }
}
