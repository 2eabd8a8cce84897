// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import FoundationEssentials
internal import Host
internal import Settings

/// The arguments of commands that read many files.
struct FilesArguments: ParsableArguments, Sendable {
  @Flag(help: "Searches folders for video files.")
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Leaves out files and folders whose name or path matches this pattern, such as '*.tmp.mov' "
        + "or Archive/2019; repeatable.",
      valueName: "pattern"))
  var exclude: [String] = []

  @Option(help: "How many files to work on at once.")
  var jobs = 1

  @Option(help: CoreCount.help) var threads: CoreCount?

  @Option(help: .forOwnUse) var workOn: [String] = []

  /// Refuses values that are wrong for any number of files.
  func check() throws { try jobs.refuseUnlessJobs() }
}

extension Int {
  /// Refuses what cannot be a number of files to work on at once.
  func refuseUnlessJobs() throws {
    guard self > 0 else { throw ValidationError("--jobs must be 1 or more, not \(self)") }
  }
}

extension [(name: String, isGiven: Bool)] {
  /// Refuses options that are only for many files. The command takes no more than one here, because
  /// the option that makes it take many is missing.
  ///
  /// - Parameter option: the missing option, with its value in words.
  func refuse(without option: String) throws {
    guard let used = first(where: \.isGiven) else { return }
    throw TranscodingError(.invalidSettings, "\(used.name) needs \(option)")
  }
}

extension ArgumentHelp {
  /// The help of an option that only other processes of this program use.
  static let forOwnUse = ArgumentHelp("For this program's own use.", visibility: .hidden)
}

/// A command that works on one file, or on many in the same way. Each of many files gets a separate
/// process.
protocol FileCommand: ReportingCommand {
  /// The files and folders that the user named.
  var files: [String] { get }
  /// The paths of the file and of its output, if this process works on one of many files for
  /// another process.
  var workOn: [String] { get }

  /// Works on a file.
  ///
  /// - Parameter output: the file to write; `nil` if the command writes none.
  func work(on input: String, to output: String?) async throws -> ExitStatus
  /// The same command, but allowed to replace outputs.
  var replacing: Self { get }
  /// The dynamic range of the files that are wanted; `nil` if all are.
  var only: DynamicRange? { get }
  /// The estimated memory, in bytes, that all running files may take together; `nil` if files take
  /// so little that nobody has to count it.
  var sharedMemory: UInt64? { get throws }

  /// Returns an estimate of how much memory the work on a file takes at most, in bytes.
  func memory(of input: String) async -> UInt64
}

extension FileCommand {
  var replacing: Self { self }
  var only: DynamicRange? { nil }
  var sharedMemory: UInt64? { nil }

  func memory(of input: String) async -> UInt64 { 0 }

  static var schema: JSONSchema {
    JSONSchema(.anyOf([Report.schema, schemaOfMany]), "The result, or the results of many files.")
  }

  private static var schemaOfMany: JSONSchema {
    JSONSchema(
      .object([
        JSONProperty(
          "files", "The files that were worked on.",
          JSONSchema(.list(of: FileReport<Report>.schema, count: nil))),
        JSONProperty("summary", "What became of all files.", BatchSummary.schema),
      ]), "What was done with many files.")
  }

  /// Works on a single file, if another process started this one to do so.
  ///
  /// - Returns: the status; `nil` if this is an ordinary process.
  func attachedStatus() async throws -> ExitStatus? {
    guard let input = workOn.first else { return nil }
    let output = workOn.dropFirst().first
    FileEvent.startPosting()
    var lines = Console.inputLines().makeAsyncIterator()
    guard let line = await lines.next() else { return .interrupted }
    guard let order = try? JSONDecoder().decode(FileOrder.self, from: Data(line)) else {
      throw TranscodingError(.invalidSettings, "--work-on is only for this program's own use")
    }
    FileEvent(need: order.part == nil ? 0 : await memory(of: input)).post()
    guard let start = await lines.next().flatMap({ String(validating: $0, as: UTF8.self) }) else {
      return .interrupted
    }
    let command = start == FileOrder.start(replacing: true) ? replacing : self
    return await RunMessages.$input.withValue(input) {
      await command.attachedWork(on: input, to: output, skips: order.skips)
    }
  }

  /// - Parameter skips: whether to skip the file, instead of failing, if another run makes the
  ///   output.
  private func attachedWork(
    on input: String, to output: String?, skips: Bool
  ) async -> ExitStatus {
    do {
      if let only, let range = try await DynamicRange(of: input), range != only {
        FileEvent(leftOut: range).post()
        return .done
      }
      let status = try await ProgressDisplay.$isPosted.withValue(true) {
        try await work(on: input, to: output)
      }
      if output != nil { FileEvent(made: status.rawValue).post() }
      return status
    } catch let error as TranscodingError {
      return skips && FileEvent.postIfTaken(error)
        ? .cannotCreateOutput : RunMessages.fail(input, error)
    } catch is CancellationError {
      return .interrupted
    } catch {
      return RunMessages.fail(input, .internalFault, "\(error)")
    }
  }

  /// The arguments of this process, but with only the first of its files. The names of two thousand
  /// others would be of no use to a process that works on one file.
  private var sharedArguments: [String] {
    let (typed, paths) = (CommandLine.typedArguments, Set(files))
    // A path may also be the value of an option. In that case, it has to stay.
    guard typed.count(where: paths.contains) == files.count else { return typed }
    let first = typed.firstIndex(where: paths.contains)
    return typed.indices.filter { $0 == first || !paths.contains(typed[$0]) }.map { typed[$0] }
  }

  /// Makes the process that works on a file.
  ///
  /// - Parameter words: the arguments of this process.
  private static func worker(
    on pair: BatchFiles.Pair, _ words: [String], _ order: FileOrder, _ messages: RunMessages
  ) -> FileWorker {
    let paths = [pair.input] + (pair.output.isEmpty ? [] : [pair.pattern ?? pair.output])
    // Options must come before `--`, which the user might have typed.
    let place = words.firstIndex(of: "--") ?? words.endIndex
    let arguments = words[..<place] + paths.map { "--work-on=\($0)" } + words[place...]
    return FileWorker(on: pair, Array(arguments), order, messages)
  }

  /// Returns, as JSON, what the command prints about one of many files.
  @Sendable private static func entry(
    _ pair: BatchFiles.Pair, _ texts: [String], _ status: ExitStatus
  ) throws -> String {
    try Console.text(FileReport<Report>(pair, texts, status))
  }

  /// Works on files that have already been found.
  fileprivate func run(
    _ files: [BatchRecords.Known], _ unreadable: [UnreadablePath], _ records: BatchRecords?,
    jobs: Int?, skips: Bool = false, style: ProgressStyle, _ messages: RunMessages
  ) async throws -> ExitStatus {
    try jobs?.refuseUnlessJobs()
    let results = FileResults(of: files, entry: reporting.json ? Self.entry : nil)
    let words = sharedArguments
    let memory = try sharedMemory
    // Without `--jobs`, a command works on several files only if it can say how much memory each
    // needs.
    let jobs = jobs ?? memory.map { BatchRun.usualJobs(of: files, within: $0) } ?? 1
    let order = FileOrder(
      settings: nil, skips: skips, files: nil,
      part: jobs > 1 ? memory.map { $0 / UInt64(jobs) } : nil)
    return try await BatchRun(
      files: files, unreadable: unreadable, jobs: jobs, memory: memory ?? .max,
      records: records, style: style, messages: messages,
      worker: { Self.worker(on: $0, words, order, messages) }, results: results
    ).run().0
  }
}

/// A command that reads files and writes none.
protocol ReadingCommand: FileCommand {
  var finding: FilesArguments { get }
}

extension ReadingCommand {
  var workOn: [String] { finding.workOn }

  func execute() async throws -> ExitStatus {
    if let status = try await attachedStatus() { return status }
    try finding.check()
    // A shell's pattern may match one file or many, so options for many files apply to one as well.
    let found = try BatchFiles(
      reading: files, recursive: finding.recursive, excluding: finding.exclude)
    guard files.count > 1 || finding.recursive else { return try await work(on: files[0], to: nil) }
    return try await readAll(found, found.pairs)
  }

  /// Works on many files.
  func readAll(_ found: BatchFiles, _ pairs: [BatchFiles.Pair]) async throws -> ExitStatus {
    // What is printed about the files is the result. A summary would only repeat that all is well.
    try await run(
      pairs.map { BatchRecords.unknown(of: $0) }, found.unreadable, nil, jobs: finding.jobs,
      style: .none, RunMessages(isQuiet: true))
  }
}

/// A command that makes a new file from each file.
protocol MakingCommand: FileCommand {
  var batch: BatchArguments { get }
  var overwrite: Bool { get }
  var quiet: Bool { get }
  /// The options that change outputs, with their values.
  var choices: [(name: String, value: String?)] { get }

  /// Returns the names of the outputs in a folder.
  func names(into folder: String) throws -> BatchNames
  /// Refuses what would be wrong for every file.
  func check() throws
}

extension MakingCommand {
  var workOn: [String] { batch.workOn }
  var only: DynamicRange? { batch.only }

  func names(into folder: String) throws -> BatchNames {
    try BatchNames(into: folder, pattern: batch.name)
  }

  func execute() async throws -> ExitStatus { try await make() }

  /// Changes files in place, one or many.
  func change() async throws -> ExitStatus {
    if let status = try await attachedStatus() { return status }
    guard batch.into == nil, batch.name == nil, batch.existing == nil, batch.orphans == nil,
      !batch.retryFailed
    else {
      throw TranscodingError(
        .invalidSettings,
        "--in-place changes the files themselves: leave out --into, --name, --existing, --orphans "
          + "and --retry-failed")
    }
    try batch.jobs?.refuseUnlessJobs()
    let found = try BatchFiles(
      reading: files, recursive: batch.recursive, excluding: batch.exclude, changesThem: true)
    guard files.count > 1 || batch.recursive || batch.only != nil else {
      return try await work(on: files[0], to: nil)
    }
    try check()
    return try await run(
      found.pairs.map { BatchRecords.unknown(of: $0) }, found.unreadable, nil, jobs: batch.jobs,
      style: quiet ? .none : .auto, RunMessages(isQuiet: quiet))
  }

  /// Makes one output, or many.
  func make() async throws -> ExitStatus {
    if let status = try await attachedStatus() { return status }
    if let folder = batch.into { return try await makeAll(into: folder) }
    try batch.checkUnused()
    try files.refuseUnlessPair()
    return try await work(on: files[0], to: files[1])
  }

  private func makeAll(into folder: String) async throws -> ExitStatus {
    let existing = try batch.existing(overwrites: overwrite)
    try check()
    let options = choices.compactMap { name, value in value.map { "\(name) \($0)" } }
    let work = try BatchWork(
      files, named: try names(into: folder), ["command": .string(Self._commandName)],
      options: options, reading: RunFiles(reading: folder), batch, existing)
    let messages = RunMessages(isQuiet: quiet)
    work.begin(messages)
    let status = try await run(
      work.files, work.unreadable, work.records, jobs: batch.jobs, skips: existing == .skip,
      style: quiet ? .none : .auto, messages)
    guard let measure = batch.orphans else { return status }
    return BatchOrphans(in: work.place, work.found, BatchHistory()).treat(
      measure, after: status, messages)
  }
}
