// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Synchronization

/// Fates of the files of a batch, told once, also where the run is cut off.
final class BatchOutcomes: Sendable {
  private struct State {
    var running: Set<BatchFiles.Pair> = []
    var interrupted: [String] = []
    var ended: [BatchSummary.File] = []
    var byAnother: [BatchSummary.File] = []
    var unknown = 0
    var changed: [String] = []
    var begun = 0
    var isTold = false
  }

  private let state = Mutex(State())
  private let states: [BatchRecords.State]
  /// The outputs that something else changed since they were made.
  private let changed: [String]
  /// The files of which the outputs were there, with the status of the work on them.
  private let skipped: [BatchSummary.File]
  private let unreadable: [BatchSummary.File]
  private let messages: RunMessages

  /// - Parameters:
  ///   - files: the files, and knowledge of their outputs before the run.
  ///   - unreadable: the folders and links that cannot be read.
  init(
    _ files: [BatchRecords.Known], unreadable: [BatchSummary.File], _ messages: RunMessages
  ) {
    states = files.map(\.state)
    changed = files.filter { $0.state == .changed }.map(\.pair.output)
    skipped = files.compactMap { file in
      guard case .same(let status) = file.state else { return nil }
      return BatchSummary.File(input: file.pair.input, status: status)
    }
    (self.unreadable, self.messages) = (unreadable, messages)
  }

  /// The worst status of all, also of those that were done before: a run that was interrupted and
  /// gone on with ends as one that was not.
  var worst: ExitStatus {
    let state = state.withLock { $0 }
    guard state.interrupted.isEmpty else { return .interrupted }
    let statuses = (state.ended + state.byAnother + skipped + unreadable).map(\.status)
    return statuses.max().flatMap(ExitStatus.init(rawValue:)) ?? .done
  }

  /// Takes note of a file that is worked on from now on.
  func begin(_ pair: BatchFiles.Pair) {
    state.withLock { state in
      state.running.insert(pair)
      state.begun += 1
    }
  }

  /// Takes note of the status with which the work on a file ended.
  func end(_ pair: BatchFiles.Pair, _ status: ExitStatus) {
    state.withLock { state in
      state.running.remove(pair)
      if status == .interrupted {
        state.interrupted.append(pair.input)
      } else {
        state.ended.append(BatchSummary.File(input: pair.input, status: status.rawValue))
      }
    }
  }

  /// Takes note of a file of which the output came to be there since the run began: another run has
  /// made it, or nothing tells what did.
  func skip(_ pair: BatchFiles.Pair, _ known: BatchRecords.State) {
    guard [.unknown, .changed].contains(known) else { return leave(pair, known) }
    state.withLock { state in
      state.running.remove(pair)
      if known == .unknown { state.unknown += 1 } else { state.changed.append(pair.output) }
    }
  }

  /// Takes note of a file of which another run makes the output, or has made it.
  ///
  /// - Parameter known: the state of the output by now; nil where it cannot be told.
  func leave(_ pair: BatchFiles.Pair, _ known: BatchRecords.State?) {
    var status = ExitStatus.done.rawValue
    if case .same(let known) = known { status = known }
    state.withLock { state in
      state.running.remove(pair)
      state.byAnother.append(BatchSummary.File(input: pair.input, status: status))
    }
  }

  /// Says what became of all files, the first time.
  func tell() {
    let state = state.withLock { state in
      defer { state.isTold = true }
      return state
    }
    if !state.isTold { messages.finish(summary(of: state)) }
  }

  private func summary(of state: State) -> BatchSummary {
    let ended = state.ended.sorted { $0.input < $1.input }
    let failed = ended.filter { $0.status >= ExitStatus.verificationFailed.rawValue }
    return BatchSummary(
      files: states.count + unreadable.count, made: ended.count - failed.count,
      skipped: skipped.count, byAnotherRun: state.byAnother.count,
      unknown: states.count { $0 == .unknown } + state.unknown, changed: changed + state.changed,
      interrupted: (state.interrupted + state.running.map(\.input)).sorted(),
      left: states.count { $0.isWorked } - state.begun,
      withLosses: ended.filter { $0.status > 0 && !failed.contains($0) },
      skippedWithLosses: (skipped + state.byAnother).filter { $0.status > 0 },
      failed: unreadable + failed)
  }
}
