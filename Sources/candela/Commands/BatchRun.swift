// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Segments

/// Work on many files, some of them at once.
struct BatchRun: Sendable {
  /// The files.
  let pairs: [BatchFiles.Pair]
  /// Number of files at once.
  let jobs: Int
  /// The bytes that all processes may take before a further file has to wait.
  let memory: UInt64
  /// Fate of outputs that are there.
  let existing: ExistingOutputs
  /// Records of what made them.
  let records: BatchRecords
  /// Style in which progress is shown.
  let style: ProgressStyle
  /// Messages of the run.
  let messages: RunMessages
  /// The work on a file, which replaces an output that is there where it is told so.
  let work: @Sendable (BatchFiles.Pair, _ replaces: Bool) async throws -> ExitStatus

  /// State of a file in the end.
  private struct Outcome: Sendable {
    let input: String
    let status: ExitStatus
  }

  /// Works on all files, and says what became of them.
  ///
  /// - Returns: the worst status of all.
  func run() async throws -> ExitStatus {
    let states = pairs.map { existing == .skip ? records.state(of: $0) : .missing }
    let waiting = zip(pairs, states).filter { [.missing, .outdated].contains($1) }
    let progress = BatchProgress(total: waiting.count)
    let outcomes: [Outcome] = try await ProgressDisplay(style: style, batch: progress).showing {
      await ProgressDisplay.$batch.withValue(progress) { await work(on: waiting, progress) }
    }
    let failures = outcomes.filter { $0.status.rawValue >= ExitStatus.verificationFailed.rawValue }
    messages.finish(
      BatchSummary(
        files: pairs.count, made: outcomes.count - failures.count,
        skipped: states.count { $0 == .same }, unknown: states.count { $0 == .unknown },
        left: waiting.count - outcomes.count,
        failed: failures.map { .init(input: $0.input, status: $0.status.rawValue) }
          .sorted { $0.input < $1.input }))
    try Task.checkCancellation()
    return outcomes.map(\.status).max { $0.rawValue < $1.rawValue } ?? .done
  }

  /// Works on files, as many at once as there may be and as have room.
  private func work(
    on waiting: [(BatchFiles.Pair, BatchRecords.State)], _ progress: BatchProgress
  ) async -> [Outcome] {
    var waiting = waiting[...]
    var outcomes: [Outcome] = []
    await withTaskGroup(of: Outcome.self) { group in
      var running = 0
      while !waiting.isEmpty || running > 0 {
        while running < jobs, Self.hasRoom(beside: running, in: memory),
          !Task.isCancelled, let (pair, state) = waiting.popFirst()
        {
          group.addTask { await outcome(of: pair, replaces: state == .outdated) }
          running += 1
        }
        guard let outcome = await group.next() else { break }
        running -= 1
        progress.finishFile()
        outcomes.append(outcome)
      }
    }
    return outcomes
  }

  /// True if a further file may be worked on, which takes as much as one of those that are.
  private static func hasRoom(beside running: Int, in memory: UInt64) -> Bool {
    guard running > 0 else { return true }
    let taken = MemoryUse.ofAllProcesses
    return taken + taken / UInt64(running) <= memory
  }

  private func outcome(of pair: BatchFiles.Pair, replaces: Bool) async -> Outcome {
    do {
      let status = try await work(pair, replaces)
      if !records.add(pair) {
        messages.warn("note: what made \(pair.output) is not recorded: \(SystemCall.text())")
      }
      return Outcome(input: pair.input, status: status)
    } catch let error as TranscodingError {
      let status = ExitStatus(error.kind)
      messages.fail(pair.input, status, Advice.text(error))
      return Outcome(input: pair.input, status: status)
    } catch is CancellationError {
      return Outcome(input: pair.input, status: .interrupted)
    } catch {
      messages.fail(pair.input, .internalFault, "\(error)")
      return Outcome(input: pair.input, status: .internalFault)
    }
  }
}
