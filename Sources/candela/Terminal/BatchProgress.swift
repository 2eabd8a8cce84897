// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Synchronization
internal import Transcoding

/// The progress of a batch, computed from the files that are done and those in progress.
final class BatchProgress: Sendable {
  private struct State {
    var running: [Int: @Sendable () -> TranscodeProgress] = [:]
    var begun = 0
    var done = 0
    var frames = 0
    var seconds = 0.0
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now
  let total: Int

  init(total: Int) { self.total = total }

  /// How many files are done or have failed.
  var done: Int { state.withLock { $0.done } }

  /// The number of files that are done, as text: `12 of 40 files`.
  var text: String { "\(done) of \(total.counted("file"))" }

  /// Does the work of a session, and counts its progress.
  func counting<Result: Sendable>(
    _ progress: @escaping @Sendable () -> TranscodeProgress,
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let number = state.withLock { state in
      state.begun += 1
      state.running[state.begun] = progress
      return state.begun
    }
    defer {
      // Add a finished file to the sums, or its frames would vanish from the total.
      let last = progress()
      state.withLock { state in
        state.running[number] = nil
        state.frames += last.frames
        state.seconds += last.speed * last.secondsElapsed
      }
    }
    return try await body()
  }

  /// Counts a file that is done or has failed.
  func finishFile() { state.withLock { $0.done += 1 } }

  /// The progress of all files together.
  var progress: TranscodeProgress {
    let state = state.withLock { $0 }
    let running = state.running.values.map { $0() }
    // The lengths of files whose turn has not come are unknown, so each file counts as much as any
    // other.
    let parts = running.map { $0.fraction ?? 0 }.reduce(Double(state.done), +)
    return TranscodeProgress(
      fraction: min(parts / Double(max(total, 1)), 1),
      frames: running.map(\.frames).reduce(state.frames, +),
      seconds: running.map { $0.speed * $0.secondsElapsed }.reduce(state.seconds, +),
      elapsed: start.duration(to: .now) / .seconds(1))
  }
}
