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
  private enum Phase {
    case pending
    case waiting
    case exporting(@Sendable () -> TranscodeProgress)
    case over

    /// Returns whether another phase is of the same kind.
    func isLike(_ other: Phase) -> Bool {
      switch (self, other) {
      case (.pending, .pending), (.waiting, .waiting), (.exporting, .exporting), (.over, .over):
        true
      default: false
      }
    }
  }

  /// The phase, and how many exports have begun.
  private let shared = Mutex((phase: Phase.pending, count: 0))

  /// Notes that an export begins.
  ///
  /// - Returns: the export's number. From now on, reports from earlier exports are ignored.
  func begin() -> Int {
    shared.withLock { shared in
      shared.phase = .waiting
      shared.count += 1
      return shared.count
    }
  }

  /// - Parameter progress: returns how far the export has come.
  func export(by progress: @escaping @Sendable () -> TranscodeProgress, in run: Int) {
    // Copies of a session share the monitor. An export that a later one replaced must no longer
    // change the monitor's state.
    shared.withLock { if $0.count == run { $0.phase = .exporting(progress) } }
  }

  func end(_ run: Int) {
    shared.withLock { if $0.count == run { $0.phase = .over } }
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

  /// How long it may take until a change of phase is noticed.
  private static let attention = Duration.milliseconds(50)

  private func report(
    every interval: Duration, to listener: (ExportSession.State) -> Void
  ) async {
    // `over` is never reported, so the first phase always counts as new.
    var (latest, time) = (Phase.over, ContinuousClock.now)
    while !Task.isCancelled {
      let phase = shared.withLock { $0.phase }
      let isNew = !phase.isLike(latest)
      switch phase {
      case .pending: if isNew { listener(.pending) }
      case .waiting: if isNew { listener(.waiting) }
      case .exporting(let progress):
        if isNew || ContinuousClock.now - time >= interval {
          listener(.exporting(progress: progress()))
          time = .now
        }
      case .over: return
      }
      latest = phase
      // Look more often than progress is reported, or a short phase would go unnoticed. Even with
      // an interval of zero, wait a little, or this loop would take up a whole core.
      try? await Task.sleep(for: max(min(interval, Self.attention), .milliseconds(1)))
    }
  }
}
