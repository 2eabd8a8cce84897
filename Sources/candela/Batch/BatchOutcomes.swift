// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Synchronization

/// What happened to the files of a batch.
final class BatchOutcomes: Sendable {
  private struct State {
    var running: Set<BatchFiles.Pair> = []
    var interrupted: [String] = []
    var ended: [BatchSummary.File] = []
    var byAnother: [BatchSummary.File] = []
    var unknown: [String] = []
    var leftOut = 0
    var changed: [String] = []
    var begun: Set<BatchFiles.Pair> = []
    var failedBefore: [BatchSummary.File] = []
    var isTold = false
    var notices: [FileEvent.Remark: Set<BatchFiles.Pair>] = [:]
  }

  private let state = Mutex(State())
  private let states: [BatchRecords.State]
  /// The outputs that were changed after a batch made them.
  private let changed: [String]
  /// The outputs that no record names.
  private let unknown: [String]
  /// The files whose outputs were already made, with the status of the earlier work.
  private let skipped: [BatchSummary.File]
  /// What an earlier run failed on: files, and paths that it could not read.
  private let failedBefore: [BatchSummary.File]
  /// The paths that this run cannot read, except those that an earlier run has failed on.
  private let unreadable: [BatchSummary.File]
  private let unreadableCount: Int
  private let messages: RunMessages

  /// - Parameter files: the files, with what was known about their outputs before the run.
  init(
    _ files: [BatchRecords.Known], _ unreadable: [UnreadablePath], _ messages: RunMessages
  ) {
    states = files.map(\.state)
    changed = files.filter { $0.state == .changed }.map(\.pair.output)
    unknown = files.filter { $0.state == .unknown }.map(\.pair.output)
    skipped = files.compactMap { file in
      guard case .same(let status) = file.state else { return nil }
      return BatchSummary.File(input: file.pair.input, status: status)
    }
    let failed = files.compactMap { file -> BatchSummary.File? in
      guard case .failedBefore(let status) = file.state else { return nil }
      return BatchSummary.File(input: file.pair.input, status: status)
    }
    failedBefore = unreadable.filter(\.hasFailedBefore).map(\.summary) + failed
    self.unreadable = unreadable.filter { !$0.hasFailedBefore }.map(\.summary)
    unreadableCount = unreadable.count
    self.messages = messages
  }

  /// The worst status of all files.
  var worst: ExitStatus {
    let state = state.withLock { $0 }
    guard state.interrupted.isEmpty else { return .interrupted }
    // Files that were done before count too, so that a resumed run ends with the same status as one
    // that was never interrupted. Files that failed before do not count, because one incomplete
    // upload must not make the run fail again every night.
    return ExitStatus(
      ofFiles: (state.ended + state.byAnother + skipped + unreadable).map(\.status))
  }

  /// Notes that work on a file begins.
  func begin(_ pair: BatchFiles.Pair) {
    state.withLock { state in
      state.running.insert(pair)
      state.begun.insert(pair)
    }
  }

  /// Notes that a file gets another turn, because another run is working on it.
  func postpone(_ pair: BatchFiles.Pair) {
    state.withLock { state in
      state.running.remove(pair)
      state.begun.remove(pair)
    }
  }

  /// Notes the status that the work on a file ended with.
  func end(_ pair: BatchFiles.Pair, _ status: ExitStatus) {
    state.withLock { state in
      state.running.remove(pair)
      state.begun.insert(pair)
      if status == .interrupted {
        state.interrupted.append(pair.input)
      } else {
        state.ended.append(BatchSummary.File(input: pair.input, status: status.rawValue))
      }
    }
  }

  /// Takes note of losses and assumptions for a file.
  func note(_ notices: [FileEvent.Remark], of pair: BatchFiles.Pair) {
    state.withLock { state in
      for notice in notices { state.notices[notice, default: []].insert(pair) }
    }
  }

  /// Notes that a file no longer needs work: it is left out, its output has appeared since the run
  /// began, another run is working on it, or another run has failed on it.
  func skip(_ pair: BatchFiles.Pair, _ known: BatchRecords.State) {
    state.withLock { state in
      state.running.remove(pair)
      state.begun.insert(pair)
      func file(_ status: Int32) -> BatchSummary.File {
        BatchSummary.File(input: pair.input, status: status)
      }
      switch known {
      case .unknown: state.unknown.append(pair.output)
      case .leftOut: state.leftOut += 1
      case .changed: state.changed.append(pair.output)
      case .failedBefore(let status): state.failedBefore.append(file(status))
      case .same(let status): state.byAnother.append(file(status))
      case .missing, .outdated, .ofOther:
        state.byAnother.append(file(ExitStatus.done.rawValue))
      }
    }
  }

  /// What has become of the files so far.
  var summary: BatchSummary { summary(of: state.withLock { $0 }) }

  /// Prints what became of all files, but only the first time that it is called.
  func tell() {
    // An interruption also calls this function, and may come at any time.
    let state = state.withLock { state in
      defer { state.isTold = true }
      return state
    }
    guard !state.isTold else { return }
    messages.finish(
      summary(of: state),
      state.notices.map { (remark: $0, inputs: $1.map(\.input).sorted()) }.sorted {
        ($0.inputs.count, $1.remark.text, $1.remark.label)
          > ($1.inputs.count, $0.remark.text, $0.remark.label)
      })
  }

  private func summary(of state: State) -> BatchSummary {
    // Files that run side by side end in any order. Sort them, so that two runs can be compared.
    let ended = state.ended.sorted { $0.input < $1.input }
    let failed = ended.filter { $0.status >= ExitStatus.verificationFailed.rawValue }
    return BatchSummary(
      files: states.count + unreadableCount, made: ended.count - failed.count,
      skipped: skipped.count, byAnotherRun: state.byAnother.count,
      unknown: unknown + state.unknown.sorted(), changed: changed + state.changed.sorted(),
      interrupted: (state.interrupted + state.running.map(\.input)).sorted(),
      left: states.count { $0.isWorked } - state.begun.count,
      withLosses: ended.filter { $0.status > 0 && !failed.contains($0) },
      skippedWithLosses: (skipped + state.byAnother).filter { $0.status > 0 },
      leftOut: states.count { $0 == .leftOut } + state.leftOut,
      failed: unreadable + failed,
      failedBefore: failedBefore + state.failedBefore.sorted { $0.input < $1.input })
  }
}
