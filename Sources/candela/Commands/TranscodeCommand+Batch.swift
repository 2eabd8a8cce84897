// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import Segments
internal import Settings
internal import Transcoding

extension TranscodeCommand {
  /// Works on many files.
  func executeAll(into folder: String, _ json: JSONValue) async throws -> ExitStatus {
    guard batch.jobs > 0 else {
      throw ValidationError("--jobs is a number from 1, not \(batch.jobs)")
    }
    guard outputArguments.report == nil else {
      throw TranscodingError(.invalidSettings, "--report is for one file: leave it out, or --into")
    }
    let existing = try batch.existing(overwrites: outputArguments.overwrite)
    // What is wrong for all files is told once.
    let settings = try TranscodeSettings(json)
    _ = try (arguments.options(), range.range(hasFolder: true), workers.options())
    let history = BatchHistory()
    let names = try BatchNames(into: folder, pattern: batch.name, container: settings.container)
    let found = try BatchFiles(files, recursive: batch.recursive, names, history)
    for pair in found.pairs { _ = try TranscodePlan.container(pair.output, settings) }
    let records = BatchRecords(
      of: folder, settings: json, options: optionsOfOutputs, files: settings.files)
    let files = found.pairs.map {
      existing == .skip ? records.known(of: $0, history) : BatchRecords.unknown(of: $0)
    }
    for file in files { try BatchRecords.check(file.pair, file.state) }
    if outputArguments.preserveTimes { giveTimes(to: files, records) }
    for (path, source) in found.leftOut {
      outputArguments.messages.warn("note: \(path) is left out: it was made of \(source)")
    }
    return try await run(files, found.unreadable, records, of: json, existing)
  }

  /// Gives outputs that are there the times of their sources.
  private func giveTimes(to files: [BatchRecords.Known], _ records: BatchRecords) {
    for file in files {
      guard case .same(let status) = file.state, let status = ExitStatus(rawValue: status),
        !PosixPath.haveOneTime(file.pair.input, file.pair.output)
      else { continue }
      outputArguments.giveTime(of: file.pair.input, to: file.pair.output)
      let version = BatchRecord.version(of: file.pair.input)
      records.add(file.pair, status, sourceVersion: version, outputArguments.messages)
    }
  }

  /// Options beside the settings that change outputs; empty where they are not set.
  private var optionsOfOutputs: [String] {
    [arguments.sourceColor, range.from, range.to, arguments.onError?.rawValue].map { $0 ?? "" }
  }

  /// Works on files of which the outputs are known.
  private func run(
    _ files: [BatchRecords.Known],
    _ unreadable: [(path: String, error: TranscodingError)], _ records: BatchRecords,
    of json: JSONValue, _ existing: ExistingOutputs
  ) async throws -> ExitStatus {
    var command = self
    command.outputArguments.overwrite = existing == .replace
    // The same command goes on with what is left.
    if existing == .skip { command.workers.keepJob = true }
    // Files side by side keep a machine busier than pieces of one.
    if batch.jobs > 1, workers.workers == .auto {
      command.workers.workers = .shared(files: batch.jobs)
    }
    let memory = try workers.options().memory ?? MemoryUse.usual
    // The workers of each file may take its part.
    let part = max(memory / UInt64(batch.jobs), 1)
    if batch.jobs > 1 { command.workers.memory = "\(part)" }
    let single = { @Sendable [command] (pair: BatchFiles.Pair) in
      TranscodeRun(input: pair.input, output: pair.output, json: json, command: command)
    }
    return try await BatchRun(
      files: files, unreadable: unreadable, jobs: batch.jobs, memory: memory, records: records,
      style: outputArguments.quiet ? .none : outputArguments.progress,
      messages: outputArguments.messages,
      estimate: { await single($0).memory(within: part) },
      work: { pair, replaces, made in
        guard !PosixPath.isLink(pair.output) else {
          throw TranscodingError(
            .cannotCreateOutput, "cannot create \(pair.output): it is a link to another place")
        }
        let folder = PosixPath.directory(of: pair.output)
        guard PosixPath.createDirectories(folder) else {
          throw TranscodingError(
            .cannotCreateOutput, "cannot create \(folder): \(SystemCall.text())")
        }
        var run = single(pair)
        if replaces { run.command.outputArguments.overwrite = true }
        return try await run.execute(made: made)
      }
    ).run()
  }
}
