// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Planning
internal import Segments
internal import Settings

struct PlanCommand: ReportingCommand {
  /// The plan, and how the work would be divided.
  struct Report: JSONObject {
    let plan: PlanReport
    let work: WorkerCount.Division

    static let meaning = PlanReport.meaning
    static let fields = PlanReport.fields.of { (report: Report) in report.plan } + ofWork

    private static let ofWork: [JSONField<Report>] = [
      .init("work", "How the work would be divided.") { $0.work }
    ]
  }

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

  @OptionGroup var reporting: ReportArguments

  func execute() async throws -> ExitStatus {
    let settings = try arguments.settings()
    // If `transcode` would refuse the name of the output, there is nothing to plan.
    try output.map(TranscodePlan.refuseNameWithoutContainer)
    var options = try arguments.options(reading: input)
    options.range = try range.range()
    let plan = try await TranscodePlan.make(
      input: input, output: output, settings: settings, options: options)
    let report = PlanReport(plan, input: input, preset: settings.name)
    let work = workers.division(of: plan)
    try show(Report(plan: report, work: work)) {
      try Console.printReport(report.text(of: \.advice) + "\n  work       \(work.advice)")
    }
    return .done
  }
}

extension WorkerCount.Division {
  /// The division, with the option to use if one process is faster.
  fileprivate var advice: String { text + (oneProcessIsFaster ? ": --workers 1" : "") }
}
