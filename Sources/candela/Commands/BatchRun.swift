// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets

/// Work on many files, some of them at once.
struct BatchRun: Sendable {
  /// The files, and knowledge of their outputs.
  let files: [(pair: BatchFiles.Pair, state: BatchRecords.State)]
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
  /// The work on a file, which replaces an output that is there where it is told so.
  let work: @Sendable (BatchFiles.Pair, _ replaces: Bool) async throws -> ExitStatus

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
        while running < jobs, !Task.isCancelled, let (pair, state) = waiting.first {
          // A single one has nothing to share with.
          let bytes = jobs == 1 ? 0 : await Self.known(need, or: { await estimate(pair) })
          need = bytes
          guard running == 0 || bytes <= memory - min(taken, memory) else { break }
          (waiting, running, taken, need) = (waiting.dropFirst(), running + 1, taken + bytes, nil)
          outcomes.begin(pair)
          group.addTask {
            outcomes.end(pair, await status(of: pair, replaces: state == .outdated))
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

  private func status(of pair: BatchFiles.Pair, replaces: Bool) async -> ExitStatus {
    await RunMessages.$input.withValue(pair.input) {
      do {
        let status = try await work(pair, replaces)
        if !records.add(pair, status) {
          messages.warn("note: what made \(pair.output) is not recorded: \(SystemCall.text())")
        }
        return status
      } catch let error as TranscodingError {
        return RunMessages.fail(pair.input, error)
      } catch is CancellationError {
        return .interrupted
      } catch {
        return RunMessages.fail(pair.input, .internalFault, "\(error)")
      }
    }
  }
}

extension BatchRecords.State {
  /// True where the output is made.
  var isWorked: Bool { self == .missing || self == .outdated }
}
