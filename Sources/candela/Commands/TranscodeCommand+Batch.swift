// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host
internal import Planning
internal import Segments
internal import Settings

extension TranscodeCommand {
  /// Transcodes many files.
  func executeAll(into folder: String, _ json: JSONValue) async throws -> ExitStatus {
    guard batch.jobs > 0 else {
      throw ValidationError("--jobs must be 1 or more, not \(batch.jobs)")
    }
    guard outputArguments.report == nil else {
      throw TranscodingError(
        .invalidSettings,
        "--report works for one file only: leave out --report or --into")
    }
    let existing = try batch.existing(overwrites: outputArguments.overwrite)
    // An error that concerns all files is reported once, not for each of them.
    _ = try (arguments.options(reading: folder), range.range(hasFolder: true), workers.options())
    let work = try BatchWork(
      files, into: folder, json, options: range.record(arguments, encode),
      conditions: conditions, reading: arguments.files(reading: folder), batch, existing)
    let (place, found, files, records) = (work.place, work.found, work.files, work.records)
    if outputArguments.preserveTimes { giveTimes(to: files, records) }
    work.tell(outputArguments.messages)
    let status = try await run(files, found.unreadable, records, of: json, existing, in: place)
    guard let measure = batch.orphans else { return status }
    let orphans = BatchOrphans(in: place, found, BatchHistory())
    let isDone = treat(orphans, measure)
    return isDone || status.rawValue > ExitStatus.inputOutput.rawValue ? status : .inputOutput
  }

  /// Names or removes the outputs whose sources are gone.
  ///
  /// - Returns: whether all that was wanted could be done.
  private func treat(_ orphans: BatchOrphans, _ measure: OrphanMeasure) -> Bool {
    var isDone = true
    for orphan in orphans.all {
      do throws(TranscodingError) {
        if measure == .remove { try orphans.remove(orphan) }
        let words = measure == .remove ? "removed" : "left over"
        outputArguments.messages.tell(
          "\(words): \(orphan.output), whose source \(orphan.source) is gone")
      } catch {
        isDone = false
        outputArguments.messages.tell(error.message)
      }
    }
    for folder in orphans.emptied.sorted() {
      outputArguments.messages.warn(
        "note: outputs of sources in \(folder) are kept: it is empty or missing, as the folder of "
          + "a disk is that is not mounted")
    }
    return isDone
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
      // The record identifies the output by its time, so write a new one.
      let source = BatchRecord.facts(of: file.pair.input)
      records.add(file.pair, status, source, outputArguments.messages)
    }
  }

  /// Transcodes the files whose outputs have to be made.
  private func run(
    _ files: [BatchRecords.Known],
    _ unreadable: [(path: String, error: TranscodingError)], _ records: BatchRecords,
    of json: JSONValue, _ existing: ExistingOutputs, in folder: BatchFolder
  ) async throws -> ExitStatus {
    var command = self
    command.outputArguments.overwrite = existing == .replace
    // After an interruption, the user can continue with the same command, so keep the segments that
    // are finished.
    if existing == .skip { command.workers.keepJob = true }
    // Several files at once keep a machine busier than several segments of one file.
    let isShared = batch.jobs > 1 && workers.workers == .auto
    if isShared { command.workers.workers = .shared(files: batch.jobs) }
    let memory = try workers.options().memory ?? SystemLimits.usualMemory
    // Each file has its part of the memory, which its workers share.
    let part = max(memory / UInt64(batch.jobs), WorkerArguments.leastMemory)
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
    // Publishing renames the finished file, which would replace the link and not the file behind
    // it.
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
