// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host
internal import MediaCore
internal import Planning
internal import Segments
internal import Settings

struct PlanCommand: ReportingCommand {
  typealias Report = PlanDocument

  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Shows what a preset would do with one file or many, and why.",
    discussion: """
      For many files, it shows one line each, and totals with the estimated time. Without --into, \
      files are planned as if their outputs went into a new folder. The exit status is the one \
      that the run would have, as far as it is known before the work. But an output of one file \
      that exists already or does not fit on its disk is only a warning. With --orphans, outputs \
      are named, but none is removed.

      EXAMPLES:
        candela plan clip.mov --preset h264-sdr
        candela plan Photos --recursive --into sdr -p h264-sdr --existing skip
      """)

  @Argument(
    help: ArgumentHelp(
      "The file to read, then the file that would be written: \(FileType.names()). Or many files.",
      valueName: "file"), completion: .file())
  var files: [String]

  @OptionGroup(title: "PRESET AND SOURCE") var arguments: PresetArguments
  @OptionGroup(title: "PRESET AND SOURCE") var encoding: EncodingArguments

  @OptionGroup(title: "PART OF THE SOURCE") var range: RangeArguments

  @OptionGroup(title: "MANY FILES") var batch: BatchArguments

  @Option(help: CoreCount.help) var threads: CoreCount?

  @Option(help: "How many processes would encode: a number, or auto.")
  var workers = WorkerCount.auto

  @OptionGroup var reporting: ReportArguments

  /// A folder for outputs if the user names none. It does not exist, and is not created.
  private static var newFolder: String {
    var (name, number) = ("transcoded", 1)
    while PosixPath.kind(of: name) != .nothing {
      number += 1
      name = "transcoded-\(number)"
    }
    return name
  }

  private var isMany: Bool { batch.into != nil || batch.recursive || files.count > 2 }

  func execute() async throws -> ExitStatus {
    let json = try arguments.json()
    let plan = FilePlanning(
      files: files, json: json, arguments: arguments, range: range,
      encode: encoding.encode, conditions: TranscodeCommand.conditions(arguments, .normal))
    if isMany {
      if batch.into == nil {
        try [("--orphans", batch.orphans != nil)].refuse(without: "--into with a folder")
      }
      return try await plan.many(into: batch.into ?? Self.newFolder, batch) { report in
        try show(.many(report)) { try Console.printReport(report.text) }
      }
    }
    try batch.checkUnused()
    guard PosixPath.kind(of: files[0]) != .directory else {
      throw TranscodingError(
        .invalidSettings, "\(files[0]) is a folder: use --recursive to work on the files in it")
    }
    if files.count > 1 { try [String].refuseFolder(files[1]) }
    let report = try await plan.one(workers)
    try show(.one(report)) { try Console.printReport(report.text) }
    // An output that exists, or does not fit on the disk, is only a notice here: `transcode` has
    // options that allow both, and this command does not.
    return .done
  }
}

/// What `plan` prints: the plan of one file, or of many.
enum PlanDocument: JSONDescribed {
  case one(FilePlanning.Report)
  case many(BatchPlanReport)

  static let schema = JSONSchema(
    .anyOf([FilePlanning.Report.schema, BatchPlanReport.schema]),
    "What would be done with one file, or with many.")

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .one(let report): try report.encode(to: encoder)
    case .many(let report): try report.encode(to: encoder)
    }
  }
}

/// Plans files without writing anything, for `plan` and for `transcode --dry-run`.
struct FilePlanning: Sendable {
  /// The plan of a file, and how the work would be divided.
  struct Report: JSONObject {
    let plan: PlanReport
    let work: WorkerCount.Division

    static let meaning = PlanReport.meaning
    static let fields = PlanReport.fields.of { (report: Report) in report.plan } + ofWork

    private static let ofWork: [JSONField<Report>] = [
      .init("work", "How the work would be divided.") { $0.work }
    ]

    var text: String { plan.text(of: \.advice) + "\n  work       \(work.advice)" }

    /// The status that the run would end with, as far as it is known before the work.
    var status: ExitStatus {
      let codes = plan.notices.map(\.code)
      if codes.contains(.outputExists) { return .cannotCreateOutput }
      return codes.contains(.doesNotFit) ? .inputOutput : .done
    }
  }

  /// One file to read, and perhaps the file to write; or many to read.
  let files: [String]
  /// The settings in the form of a preset.
  let json: JSONValue
  let arguments: PresetArguments
  let range: RangeArguments
  let encode: EncodingNeed?
  /// The options that change no output, but may make the work on a file fail.
  let conditions: [String]

  /// Plans one file.
  ///
  /// - Parameter outputArguments: what the user says about the output; `nil` if nothing.
  func one(
    _ workers: WorkerCount, _ outputArguments: OutputArguments? = nil
  ) async throws -> Report {
    let (input, output) = (files[0], files.count > 1 ? files[1] : nil)
    let options = try options(input, outputArguments)
    let settings = try TranscodeSettings(json)
    // If `transcode` would refuse the name of the output, there is nothing to plan.
    try output.map(TranscodePlan.refuseNameWithoutContainer)
    var plan = try await TranscodePlan.make(
      input: input, output: output, settings: settings, options: options)
    if encode == .needed, try await plan.alreadyMade() != nil {
      plan = try await TranscodePlan.make(
        input: input, output: output, settings: TranscodeSettings(json.copyingVideo),
        options: options)
    }
    return Report(
      plan: PlanReport(plan, input: input, preset: settings.name),
      work: workers.division(of: plan))
  }

  /// Plans many files, and names orphans if the user asks about them.
  ///
  /// - Parameters:
  ///   - outputArguments: what the user says about the outputs; `nil` if nothing.
  ///   - show: prints the plan.
  /// - Returns: the status that the run would end with, as far as it is known before the work.
  func many(
    into folder: String, _ batch: BatchArguments, _ outputArguments: OutputArguments? = nil,
    show: (BatchPlanReport) throws -> Void
  ) async throws -> ExitStatus {
    let existing = try batch.existing(overwrites: outputArguments?.overwrite ?? false)
    try batch.jobs?.refuseUnlessJobs()
    _ = try options(folder, outputArguments)
    let work = try BatchWork(
      files, into: folder, json, options: range.record(arguments, encode),
      conditions: conditions, reading: arguments.files(reading: folder), batch, existing)
    let report = try await BatchPlanner(work, json, encode: encode ?? .needed, batch, existing) {
      try options($0, outputArguments)
    }.report()
    try show(report)
    guard batch.orphans != nil else { return report.status }
    // A plan removes nothing, whatever the run would do.
    return BatchOrphans(in: work.place, work.found, BatchHistory()).treat(
      .list, after: report.status, outputArguments?.messages ?? RunMessages(isQuiet: false))
  }

  private func options(
    _ input: String, _ outputArguments: OutputArguments?
  ) throws -> TranscodeOptions {
    var options = try arguments.options(reading: input)
    options.range = try range.range()
    outputArguments?.apply(to: &options)
    return options
  }
}

extension RangeArguments {
  /// Returns the options that change outputs, besides the settings. An empty string stands for an
  /// option that is not set.
  func record(_ arguments: PresetArguments, _ encode: EncodingNeed?) -> [String] {
    [arguments.sourceColor, from, to, arguments.onError?.rawValue].map { $0 ?? "" }
      // `needed` adds nothing, because earlier versions recorded nothing here. They always encoded,
      // but their outputs still have to count as done.
      + (encode == .always ? [EncodingNeed.always.rawValue] : [])
  }
}

extension WorkerCount.Division {
  /// The division, with the option to use if one process is faster.
  fileprivate var advice: String { text + (oneProcessIsFaster ? ": --workers 1" : "") }
}
