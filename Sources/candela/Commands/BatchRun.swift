// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc
internal import Segments

/// Work on many files, some of them at once.
struct BatchRun: Sendable {
  /// The files.
  let pairs: [BatchFiles.Pair]
  /// Number of files at once.
  let jobs: Int
  /// The bytes that the process may take before a further file has to wait; nil for half of what is
  /// free.
  let memory: UInt64?
  /// Fate of outputs that are there.
  let existing: ExistingOutputs
  /// Messages of the run.
  let messages: RunMessages
  /// The work on a file.
  let work: @Sendable (BatchFiles.Pair) async throws -> ExitStatus

  /// State of a file in the end.
  private struct Outcome: Sendable {
    let input: String
    let status: ExitStatus
  }

  /// Works on all files, and says what became of them.
  ///
  /// - Returns: the worst status of all.
  func run() async throws -> ExitStatus {
    let skipped = existing == .skip ? pairs.filter { PosixPath.kind(of: $0.output) == .file } : []
    let isSkipped = Set(skipped)
    var waiting = pairs.filter { !isSkipped.contains($0) }[...]
    var outcomes: [Outcome] = []
    let memory = memory ?? (MemoryUse.free ?? 4 << 30) / 2
    await withTaskGroup(of: Outcome.self) { group in
      var running = 0
      while !waiting.isEmpty || running > 0 {
        while running < jobs, Self.hasRoom(beside: running, in: memory),
          !Task.isCancelled, let pair = waiting.popFirst()
        {
          group.addTask { await outcome(of: pair) }
          running += 1
        }
        guard let outcome = await group.next() else { break }
        running -= 1
        outcomes.append(outcome)
      }
    }
    let failures = outcomes.filter { $0.status.rawValue >= ExitStatus.verificationFailed.rawValue }
    messages.finish(
      BatchSummary(
        files: pairs.count, made: outcomes.count - failures.count, skipped: skipped.count,
        left: waiting.count,
        failed: failures.map { .init(input: $0.input, status: $0.status.rawValue) }
          .sorted { $0.input < $1.input }))
    try Task.checkCancellation()
    return outcomes.map(\.status).max { $0.rawValue < $1.rawValue } ?? .done
  }

  /// True if a further file may be worked on, which takes as much as one of those that are.
  private static func hasRoom(beside running: Int, in memory: UInt64) -> Bool {
    guard running > 0 else { return true }
    let taken = MemoryUse.ofProcess(getpid())
    return taken + taken / UInt64(running) <= memory
  }

  private func outcome(of pair: BatchFiles.Pair) async -> Outcome {
    do {
      let status = try await ProgressDisplay.$isHidden.withValue(jobs > 1) { try await work(pair) }
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
