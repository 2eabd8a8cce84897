// SPDX-License-Identifier: GPL-2.0-or-later
package import ISOBMFF
internal import Synchronization

/// Runs the stages of a transcode side by side, each on its own thread, and stops all of them when
/// one fails or the task is cancelled.
///
/// Stages block in C libraries, on disks and in queues. Swift's cooperative pool must not block,
/// because it has only one thread per core.
package final class Pipeline: Sendable {
  private struct State {
    var running = 0
    var failure: (any Error)?
    var waiter: CheckedContinuation<Void, any Error>?
    var cancellations: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Creates a pipeline without stages.
  package init() {}

  /// Creates a queue between two stages. It is cancelled with the pipeline.
  package func queue<Element: Sendable>(of: Element.Type, capacity: Int) -> BoundedQueue<Element> {
    let queue = BoundedQueue<Element>(capacity: capacity)
    state.withLock { $0.cancellations.append { queue.cancel() } }
    return queue
  }

  /// Starts a stage. If the system has no thread left, the pipeline fails.
  package func start(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.running += 1 }
    let isStarted = SystemThread.start("candela.\(name)", stackSize: 4 << 20) { [self] in
      do {
        try body()
        end(failure: nil)
      } catch {
        end(failure: error)
      }
    }
    if !isStarted { end(failure: SystemLimits.noThread) }
  }

  /// Runs one blocking piece of work on its own thread.
  package static func onThread<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable (@escaping Checkpoint) throws -> Result
  ) async throws -> Result {
    let result = Mutex<Result?>(nil)
    let pipeline = Pipeline()
    pipeline.start(name) {
      let value = try body { try pipeline.checkCancellation() }
      result.withLock { $0 = value }
    }
    do {
      try await pipeline.finish()
    } catch {
      // If the work finished before the cancellation arrived, its result is still good.
      guard let value = result.withLock({ $0 }) else { throw error }
      return value
    }
    guard let value = result.withLock({ $0 }) else { throw CancellationError() }
    return value
  }

  /// Throws if the work should end. Long work calls it now and then.
  package typealias Checkpoint = @Sendable () throws -> Void

  /// - Throws: the pipeline's failure, or `CancellationError` once it was cancelled.
  package func checkCancellation() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Waits until every stage has ended.
  ///
  /// - Throws: the first failure of any stage; `CancellationError` when the task was cancelled.
  package func finish() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The last stage must not end between the check and the wait, so both happen under one
        // lock.
        let isDone = state.withLock { state in
          if state.running > 0 { state.waiter = continuation }
          return state.running == 0
        }
        if isDone { resume(continuation) }
      }
    } onCancel: {
      fail(CancellationError())
    }
  }

  private func end(failure: (any Error)?) {
    if let failure { fail(failure) }
    let waiter = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return nil as CheckedContinuation<Void, any Error>? }
      defer { state.waiter = nil }
      return state.waiter
    }
    if let waiter { resume(waiter) }
  }

  /// Stops all stages.
  package func cancel() { fail(CancellationError()) }

  private func fail(_ error: any Error) {
    let cancellations = state.withLock { state in
      // A failed stage cancels the queues, and then the other stages fail because of that. Only the
      // first failure is the cause that a user needs to see.
      if state.failure == nil { state.failure = error }
      return state.cancellations
    }
    for cancel in cancellations { cancel() }
  }

  private func resume(_ continuation: CheckedContinuation<Void, any Error>) {
    if let failure = state.withLock({ $0.failure }) {
      continuation.resume(throwing: failure)
    } else {
      continuation.resume()
    }
  }
}

/// Turns a pipeline's checkpoint into one for code that edits boxes.
package func interruptible(
  _ checkpoint: @escaping Pipeline.Checkpoint
) -> SendableCheckpoint {
  { @Sendable () throws(ISOBMFFError) in
    // Box editing throws only its own error type. The pipeline remembers the real error.
    do { try checkpoint() } catch { throw .interrupted }
  }
}
