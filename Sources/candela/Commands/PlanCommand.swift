// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Planning
internal import Segments
internal import Settings

struct PlanCommand: CandelaCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Shows what a preset would do with a file, and why.",
    discussion: """
      EXAMPLE:
        candela plan clip.mov --preset h264-sdr
      """)

  @Argument(help: "The file to read.", completion: .file())
  var input: String

  @Argument(help: "The file that would be written: .mov, .mp4 or .mkv.", completion: .file())
  var output: String?

  @OptionGroup(title: "PRESET AND SOURCE") var arguments: PresetArguments

  @OptionGroup(title: "PART OF THE SOURCE") var range: RangeArguments

  @Option(help: "How many processes would encode: a number, or auto.")
  var workers = WorkerCount.auto

  @Flag(help: "Prints the plan as JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let settings = try arguments.settings()
    // A name that `transcode` would refuse has no plan.
    try output.map(TranscodePlan.refuseNameWithoutContainer)
    var options = try arguments.options(reading: input)
    options.range = try range.range()
    let plan = try await TranscodePlan.make(
      input: input, output: output, settings: settings, options: options)
    let report = PlanReport(plan, input: input, preset: settings.name)
    let work = workers.division(of: plan)
    if json {
      try Console.printLine(Console.json(JoinedObjects(report, ["work": work])))
    } else {
      try Console.printReport(report.text(of: \.advice) + "\n  work       \(work.advice)")
    }
    return .done
  }
}

extension WorkerCount.Division {
  /// The division, with the option that helps.
  fileprivate var advice: String { text + (oneProcessIsFaster ? ": --workers 1" : "") }
}
