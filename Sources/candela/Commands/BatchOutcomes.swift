// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Synchronization

/// Fates of the files of a batch, told once, also where the run is cut off.
final class BatchOutcomes: Sendable {
  private struct State {
    var running: Set<BatchFiles.Pair> = []
    var interrupted: [String] = []
    var ended: [BatchSummary.File] = []
    var begun = 0
    var isTold = false
  }

  private let state = Mutex(State())
  private let states: [BatchRecords.State]
  private let unreadable: [BatchSummary.File]
  private let messages: RunMessages

  /// - Parameters:
  ///   - states: knowledge of the output of each file, before the run.
  ///   - unreadable: the folders and links that cannot be read.
  init(_ states: [BatchRecords.State], unreadable: [BatchSummary.File], _ messages: RunMessages) {
    (self.states, self.unreadable, self.messages) = (states, unreadable, messages)
  }

  /// The worst status of all.
  var worst: ExitStatus {
    let statuses = (state.withLock { $0.ended } + unreadable).map(\.status)
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
      skipped: states.count { $0 == .same }, unknown: states.count { $0 == .unknown },
      interrupted: (state.interrupted + state.running.map(\.input)).sorted(),
      left: states.count { $0.isWorked } - state.begun,
      withLosses: ended.filter { $0.status > 0 && !failed.contains($0) },
      failed: unreadable + failed)
  }
}
