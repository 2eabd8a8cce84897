// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets

/// Work on many files, some of them at once.
struct BatchRun: Sendable {
  /// The files, and knowledge of their outputs.
  let files: [BatchRecords.Known]
  /// Folders and links that cannot be read, with the reasons.
  let unreadable: [(path: String, error: TranscodingError)]
  /// Number of files at once.
  let jobs: Int
  /// The bytes that files at once may take by estimate; one is worked on whatever it takes.
  let memory: UInt64
  /// Records of what makes the outputs.
  let records: BatchRecords
  /// Style in which progress is shown.
  let style: ProgressStyle
  /// Messages of the run.
  let messages: RunMessages
  /// The bytes that the work on a file takes at most, by estimate.
  let estimate: @Sendable (BatchFiles.Pair) async -> UInt64
  /// The work on a file, which replaces an output that is there where it is told so, and says when
  /// the output is there.
  let work:
    @Sendable (
      BatchFiles.Pair, _ replaces: Bool, _ made: @escaping @Sendable (ExitStatus) -> Void
    ) async throws -> ExitStatus

  /// Works on all files, and says what became of them.
  ///
  /// - Returns: the worst status of all.
  func run() async throws -> ExitStatus {
    for (path, error) in unreadable { RunMessages.fail(path, error) }
    let progress = BatchProgress(total: files.count { $0.state.isWorked })
    let outcomes = BatchOutcomes(
      files,
      unreadable: unreadable.map {
        BatchSummary.File(input: $0.path, status: ExitStatus($0.error.kind).rawValue)
      }, messages)
    Interruptible.setLastWords(outcomes.tell)
    try await ProgressDisplay(style: style, batch: progress).showing {
      await ProgressDisplay.$batch.withValue(progress) { await work(progress, outcomes) }
    }
    outcomes.tell()
    try Task.checkCancellation()
    return outcomes.worst
  }

  /// Works on files, as many at once as there may be and as have room.
  private func work(_ progress: BatchProgress, _ outcomes: BatchOutcomes) async {
    var waiting = files.filter { $0.state.isWorked }[...]
    var (running, taken) = (0, UInt64(0))
    var need: UInt64?
    await withTaskGroup(of: UInt64.self) { group in
      while !waiting.isEmpty || running > 0 {
        while running < jobs, !Task.isCancelled, let file = waiting.first {
          // A single one has nothing to share with.
          let bytes = jobs == 1 ? 0 : await Self.known(need, or: { await estimate(file.pair) })
          need = bytes
          guard running == 0 || bytes <= memory - min(taken, memory) else { break }
          (waiting, running, taken, need) = (waiting.dropFirst(), running + 1, taken + bytes, nil)
          outcomes.begin(file.pair)
          group.addTask {
            await work(on: file, outcomes)
            return bytes
          }
        }
        guard let bytes = await group.next() else { break }
        (running, taken) = (running - 1, taken - bytes)
        progress.finishFile()
      }
    }
  }

  private static func known(
    _ bytes: UInt64?, or estimate: () async -> UInt64
  ) async -> UInt64 {
    if let bytes { return bytes }
    return await estimate()
  }

  /// Works on a file, unless its output is there by now.
  private func work(on file: BatchRecords.Known, _ outcomes: BatchOutcomes) async {
    let pair = file.pair
    let status = await RunMessages.$input.withValue(pair.input) { () async -> ExitStatus? in
      do {
        let state = try records.state(now: file)
        guard state.isWorked else {
          outcomes.skip(pair, state)
          return nil
        }
        // Of a source that changes meanwhile, the next run makes the output anew.
        let version = BatchRecord.version(of: pair.input)
        return try await work(pair, state == .outdated) { status in
          records.add(pair, status, sourceVersion: version, messages)
        }
      } catch let error as TranscodingError {
        return RunMessages.fail(pair.input, error)
      } catch is CancellationError {
        return .interrupted
      } catch {
        return RunMessages.fail(pair.input, .internalFault, "\(error)")
      }
    }
    if let status { outcomes.end(pair, status) }
  }
}
