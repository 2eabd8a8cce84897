// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Inspection

/// A command that draws a plot of a file's light, or one plot of each of many files.
protocol PlottingCommand: MakingCommand where Report == WrittenFile {
  var plot: PlotArguments { get set }
  /// What the plot shows.
  static var plottedValues: String { get }

  /// Draws the plot of a file.
  ///
  /// - Parameter overwrite: whether a file at `output` is replaced.
  func draw(_ input: String, to output: String, overwrite: Bool) async throws
}

/// The arguments of commands that draw a plot.
struct PlotArguments: ParsableArguments, Sendable {
  @Argument(
    help: ArgumentHelp(
      "The file to read, then the PNG to write. With --into, files to read.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Flag(name: [.long, .customShort("y")], help: "Replaces an existing output.")
  var overwrite = false

  @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
  var quiet = false

  @OptionGroup(title: "MANY FILES") var batch: BatchArguments
}

extension PlottingCommand {
  var files: [String] { plot.files }
  var batch: BatchArguments { plot.batch }
  var overwrite: Bool { plot.overwrite }
  var quiet: Bool { plot.quiet }
  // `rpu plot` and `metadata plot` share a command name, so the values tell their outputs apart.
  var choices: [(name: String, value: String?)] { [("plots", Self.plottedValues)] }

  var replacing: Self {
    var command = self
    command.plot.overwrite = true
    return command
  }

  func check() throws {}

  func names(into folder: String) throws -> BatchNames {
    try BatchNames(into: folder, pattern: batch.name) { _ in
      "png"
    } check: {
      try LightPlot.checkName($0)
    }
  }

  func work(on input: String, to output: String?) async throws -> ExitStatus {
    let output = output ?? ""
    try await draw(input, to: output, overwrite: overwrite)
    RunMessages(isQuiet: quiet).made(output)
    try show(WrittenFile(output: output))
    return .done
  }
}
