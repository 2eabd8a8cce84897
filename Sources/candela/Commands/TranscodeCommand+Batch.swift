// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Planning
internal import Segments
internal import Settings

extension TranscodeCommand {
  /// Transcodes many files.
  func executeAll(into folder: String, _ json: JSONValue) async throws -> ExitStatus {
    try batch.jobs?.refuseUnlessJobs()
    try refuseReport()
    let existing = try batch.existing(overwrites: outputArguments.overwrite)
    // An error that concerns all files is reported once, not for each of them.
    _ = try (arguments.options(reading: folder), range.range(hasFolder: true), workers.options())
    let work = try BatchWork(
      files, into: folder, json, options: range.record(arguments, encoding.encode),
      conditions: conditions, reading: arguments.files(reading: folder), batch, existing)
    let (found, files, records) = (work.found, work.files, work.records)
    work.begin(outputArguments.messages)
    if outputArguments.preserveTimes { giveTimes(to: files, records) }
    let status = try await run(files, work.unreadable, records, of: json, existing)
    guard let measure = batch.orphans else { return status }
    return BatchOrphans(in: work.place, found, BatchHistory()).treat(
      measure, after: status, outputArguments.messages)
  }

  /// Refuses `--report`, because a report is about one file.
  func refuseReport() throws {
    guard outputArguments.report == nil else {
      throw TranscodingError(
        .invalidSettings,
        "--report works for one file only: leave out --report or --into")
    }
  }

  /// The options that change no output, but may make the work on a file fail.
  var conditions: [String] { Self.conditions(arguments, outputArguments.verify) }

  static func conditions(
    _ arguments: PresetArguments, _ verification: TranscodeOptions.VerificationLevel
  ) -> [String] {
    ["strict \(arguments.strict)", "verify \(verification.rawValue)"]
  }

  /// Gives existing outputs the times of their sources.
  private func giveTimes(to files: [BatchRecords.Known], _ records: BatchRecords) {
    for file in files {
      guard case .same(let status) = file.state, let status = ExitStatus(rawValue: status),
        !PosixPath.haveSameTime(file.pair.input, file.pair.output)
      else { continue }
      outputArguments.giveTime(of: file.pair.input, to: file.pair.output)
      // The record identifies the output by its time, so write a new record.
      let source = BatchRecord.facts(of: file.pair.input)
      records.add(file, status, source, outputArguments.messages)
    }
  }

  /// Transcodes the files whose outputs have to be made.
  private func run(
    _ files: [BatchRecords.Known], _ unreadable: [UnreadablePath], _ records: BatchRecords,
    of json: JSONValue, _ existing: ExistingOutputs
  ) async throws -> ExitStatus {
    var command = self
    command.outputArguments.overwrite = existing == .replace
    // After an interruption, the user can continue with the same command, so keep the segments that
    // are finished.
    if existing == .skip { command.workers.keepJob = true }
    // Several files at once keep a machine busier than several segments of one file.
    let memory = try workers.options().memory ?? SystemLimits.usualMemory
    let jobs = batch.jobs ?? BatchRun.usualJobs(of: files, within: memory)
    let isShared = jobs > 1 && workers.workers == .auto
    if isShared { command.workers.workers = .shared(files: jobs) }
    // Each file has its part of the memory, which its workers share.
    let part = max(memory / UInt64(jobs), WorkerArguments.leastMemory)
    if jobs > 1 { command.workers.memory = "\(part)" }
    let order = FileOrder(
      settings: json, skips: existing == .skip, files: isShared ? jobs : nil,
      part: jobs > 1 ? part : nil)
    let (status, summary) = try await BatchRun(
      files: files, unreadable: unreadable, jobs: jobs, memory: memory, records: records,
      style: outputArguments.quiet ? .none : outputArguments.progress,
      messages: outputArguments.messages,
      worker: { [command] in
        FileWorker(on: $0, command.arguments(of: $0), order, outputArguments.messages)
      }
    ).run()
    try show(.many(summary))
    return status
  }
}
