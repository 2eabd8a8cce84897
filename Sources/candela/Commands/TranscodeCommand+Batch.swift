// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Planning
internal import Segments
internal import Settings

extension TranscodeCommand {
  /// Makes many files.
  func executeAll(into folder: String, _ json: JSONValue) async throws -> ExitStatus {
    guard batch.jobs > 0 else {
      throw ValidationError("--jobs must be a number from 1, not \(batch.jobs)")
    }
    guard outputArguments.report == nil else {
      throw TranscodingError(
        .invalidSettings,
        "--report works for one file only: leave out --report or --into")
    }
    let existing = try batch.existing(overwrites: outputArguments.overwrite)
    // Say what is wrong for all files once, not for each of them.
    let settings = try TranscodeSettings(json)
    _ = try (arguments.options(reading: folder), range.range(hasFolder: true), workers.options())
    let history = BatchHistory()
    let names = try BatchNames(into: folder, pattern: batch.name, container: settings.container)
    let found = try BatchFiles(files, recursive: batch.recursive, names, history)
    // A name that cannot be written should fail now, not after hours.
    for pair in found.pairs { _ = try TranscodePlan.container(pair.output, settings) }
    let place = BatchFolder(folder)
    try refuseRecords(in: place, found, settings)
    let records = BatchRecords(
      of: place, settings: json, options: optionsOfOutputs, files: settings.files)
    let files = found.pairs.map {
      existing == .skip ? records.known(of: $0, history) : BatchRecords.unknown(of: $0)
    }
    for file in files { try BatchRecords.check(file.pair, file.state) }
    if outputArguments.preserveTimes { giveTimes(to: files, records) }
    for (path, source) in found.leftOut {
      outputArguments.messages.warn("note: \(path) is left out: it was made from \(source)")
    }
    for (path, reason) in history.refused {
      outputArguments.messages.warn("note: \(path) was skipped: it \(reason.text)")
    }
    return try await run(files, found.unreadable, records, of: json, existing, in: place)
  }

  /// Refuses to write records into a file that the run reads.
  private func refuseRecords(
    in folder: BatchFolder, _ found: BatchFiles, _ settings: TranscodeSettings
  ) throws {
    let files = arguments.files(reading: folder.path)
    try files.read(settings.files + found.pairs.map(\.input))
    try files.check(PosixPath.joined(folder.path, BatchRecord.fileName))
  }

  /// Gives existing outputs the times of their sources.
  private func giveTimes(to files: [BatchRecords.Known], _ records: BatchRecords) {
    for file in files {
      guard case .same(let status) = file.state, let status = ExitStatus(rawValue: status),
        !PosixPath.haveSameTime(file.pair.input, file.pair.output)
      else { continue }
      outputArguments.giveTime(of: file.pair.input, to: file.pair.output)
      // The record knows the output by its time, so it has to follow.
      let source = BatchRecord.facts(of: file.pair.input)
      records.add(file.pair, status, source, outputArguments.messages)
    }
  }

  /// The options that change outputs, besides the settings; empty if they are not set.
  private var optionsOfOutputs: [String] {
    [arguments.sourceColor, range.from, range.to, arguments.onError?.rawValue].map { $0 ?? "" }
  }

  /// Makes the files whose outputs need it.
  private func run(
    _ files: [BatchRecords.Known],
    _ unreadable: [(path: String, error: TranscodingError)], _ records: BatchRecords,
    of json: JSONValue, _ existing: ExistingOutputs, in folder: BatchFolder
  ) async throws -> ExitStatus {
    var command = self
    command.outputArguments.overwrite = existing == .replace
    // The same command goes on with what is left, so keep what is done.
    if existing == .skip { command.workers.keepJob = true }
    // Files side by side keep a machine busier than the pieces of one.
    let isShared = batch.jobs > 1 && workers.workers == .auto
    if isShared { command.workers.workers = .shared(files: batch.jobs) }
    let memory = try workers.options().memory ?? SystemLimits.usualMemory
    // Each file has its part of the memory, which its workers share.
    let part = max(memory / UInt64(batch.jobs), 1)
    if batch.jobs > 1 { command.workers.memory = "\(part)" }
    let order = FileOrder(
      settings: json, skips: existing == .skip, files: isShared ? batch.jobs : nil,
      part: batch.jobs > 1 ? part : nil)
    let (status, summary) = try await BatchRun(
      files: files, unreadable: unreadable, jobs: batch.jobs, memory: memory, records: records,
      style: outputArguments.quiet ? .none : outputArguments.progress,
      messages: outputArguments.messages,
      worker: { [command] in
        FileWorker(on: $0, command.arguments(of: $0), order, outputArguments.messages)
      },
      prepare: { try Self.prepare($0, in: folder) }
    ).run()
    try show(.many(summary))
    return status
  }

  /// Creates the folders of an output.
  private static func prepare(_ pair: BatchFiles.Pair, in folder: BatchFolder) throws {
    // Publishing renames, which would replace the link instead of the file behind it.
    guard !PosixPath.isLink(pair.output) else {
      throw TranscodingError(
        .cannotCreateOutput, "cannot create \(pair.output): it is a symbolic link")
    }
    // The folder must still be the one that the first output went into.
    _ = try folder.opened()
    let place = PosixPath.directory(of: pair.output)
    guard PosixPath.createDirectories(place) else {
      throw TranscodingError(
        .cannotCreateOutput, "cannot create \(place): \(SystemCall.text())")
    }
  }
}
