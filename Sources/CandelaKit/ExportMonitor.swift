// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization
public import Transcoding

extension ExportSession {
  /// The state of an export. Corresponds to `AVAssetExportSession.State`.
  public enum State: Sendable, Hashable {
    /// Nothing has begun.
    case pending
    /// The source is being examined and the work planned.
    case waiting
    /// The output is being written.
    case exporting(progress: TranscodeProgress)
  }
}

/// Tracks the state of an export. Copies of a session share one monitor.
final class ExportMonitor: Sendable {
  /// Returns the state of the latest export; `nil` if it has ended.
  private typealias StateReader = @Sendable () -> ExportSession.State?

  /// How many exports have begun, and a function that returns the state of the latest.
  private let shared = Mutex<(state: StateReader, count: Int)>(({ .pending }, 0))

  /// Notes that an export begins.
  ///
  /// - Returns: the export's number. From now on, reports from earlier exports are ignored.
  func begin() -> Int {
    shared.withLock { shared in
      shared.state = { .waiting }
      shared.count += 1
      return shared.count
    }
  }

  /// - Parameter progress: returns how far the export has come.
  func export(by progress: @escaping @Sendable () -> TranscodeProgress, in run: Int) {
    // Copies of a session share the monitor. An export that a later one replaced must no longer
    // change the monitor's state.
    shared.withLock { if $0.count == run { $0.state = { .exporting(progress: progress()) } } }
  }

  func end(_ run: Int) {
    shared.withLock { if $0.count == run { $0.state = { nil } } }
  }

  /// Returns the states up to the end of the export.
  func states(updateInterval: Duration) -> AsyncStream<ExportSession.State> {
    AsyncStream { continuation in
      let task = Task { [self] in
        await report(every: updateInterval) { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// How long it may take until a change of state is noticed.
  private static let attention = Duration.milliseconds(50)

  private func report(
    every interval: Duration, to listener: (ExportSession.State) -> Void
  ) async {
    var latest: ExportSession.State?
    var time = ContinuousClock.now
    while !Task.isCancelled {
      // Do not hold the lock while a session computes its progress.
      let read = shared.withLock { $0.state }
      guard let state = read() else { return }
      let isDue =
        if case (.exporting, .exporting?) = (state, latest) {
          ContinuousClock.now - time >= interval
        } else {
          state != latest
        }
      if isDue {
        listener(state)
        latest = state
        time = .now
      }
      // Look more often than progress is reported, or a short state would go unnoticed. Even with
      // an interval of zero, wait a little, or this loop would take up a whole core.
      try? await Task.sleep(for: max(min(interval, Self.attention), .milliseconds(1)))
    }
  }
}
