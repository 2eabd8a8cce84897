// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization

extension ExportSession {
  /// The state of an export: `AVAssetExportSession.State`.
  public enum State: Sendable, Hashable {
    /// Nothing was begun.
    case pending
    /// The source is looked at, and the work planned.
    case waiting
    /// The output is being written.
    case exporting(progress: TranscodeProgress)
  }
}

/// The state that a session's copies share.
final class ExportMonitor: Sendable {
  private enum Phase {
    case pending
    case waiting
    case exporting(TranscodeSession)
    case over

    /// True if another phase is of the same kind.
    func isLike(_ other: Phase) -> Bool {
      switch (self, other) {
      case (.pending, .pending), (.waiting, .waiting), (.exporting, .exporting), (.over, .over):
        true
      default: false
      }
    }
  }

  private struct Shared {
    var phase = Phase.pending
    /// The exports that were begun.
    var count = 0
  }

  private let shared = Mutex(Shared())

  /// Notes that an export begins.
  ///
  /// - Returns: its number; what an earlier one says is not listened to any more.
  func begin() -> Int {
    shared.withLock { shared in
      shared.phase = .waiting
      shared.count += 1
      return shared.count
    }
  }

  /// Notes that an export writes.
  func export(by session: TranscodeSession, in run: Int) {
    shared.withLock { if $0.count == run { $0.phase = .exporting(session) } }
  }

  /// Notes that an export is over.
  func end(_ run: Int) {
    shared.withLock { if $0.count == run { $0.phase = .over } }
  }

  /// The states up to the end of the export.
  func states(updateInterval: Duration) -> AsyncStream<ExportSession.State> {
    AsyncStream { continuation in
      let task = Task { [self] in
        await report(every: updateInterval) { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The time within which another phase is noticed.
  private static let attention = Duration.milliseconds(50)

  private func report(
    every interval: Duration, to listener: (ExportSession.State) -> Void
  ) async {
    var (latest, time) = (Phase.over, ContinuousClock.now)
    while !Task.isCancelled {
      let phase = shared.withLock { $0.phase }
      let isNew = !phase.isLike(latest)
      switch phase {
      case .pending: if isNew { listener(.pending) }
      case .waiting: if isNew { listener(.waiting) }
      case .exporting(let session):
        if isNew || ContinuousClock.now - time >= interval {
          listener(.exporting(progress: session.progress))
          time = .now
        }
      case .over: return
      }
      latest = phase
      try? await Task.sleep(for: max(min(interval, Self.attention), .milliseconds(1)))
    }
  }
}
