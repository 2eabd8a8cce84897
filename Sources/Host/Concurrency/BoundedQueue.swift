// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization

/// Hands values from one thread to another and makes the faster one wait, so that memory does not
/// grow with the length of a file.
///
/// Threads that wait here are the pipeline's own, never those of Swift's cooperative pool.
package final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isFinished = false
    var isCancelled = false
  }

  private let capacity: Int
  private let state = Mutex(State())
  /// Wakes who waits for another state, which changes under its lock alone.
  private let condition = ThreadCondition()

  /// A queue that holds `capacity` elements at most.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Adds an element, waiting for room.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func push(_ element: Element) throws {
    try change { state -> Void? in
      guard state.elements.count < capacity else { return nil }
      state.elements.append(element)
      return ()
    }
  }

  /// Takes the oldest element, waiting for one; nil when the queue is finished and empty.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func pop() throws -> Element? {
    try change { state -> Element?? in
      guard !state.elements.isEmpty else { return state.isFinished ? .some(nil) : nil }
      return state.elements.removeFirst()
    }
  }

  /// Says that nothing more will be added.
  package func finish() {
    condition.withLock {
      state.withLock { $0.isFinished = true }
      condition.broadcast()
    }
  }

  /// Removes all values and wakes all threads that wait.
  func cancel() {
    condition.withLock {
      state.withLock { state in
        state.isCancelled = true
        state.elements.removeAll()
      }
      condition.broadcast()
    }
  }

  /// Waits until a change can be made, and makes it.
  ///
  /// - Parameter change: gives nil as long as it cannot.
  private func change<Result: Sendable>(_ change: (inout State) -> Result?) throws -> Result {
    try condition.withLock {
      while true {
        let result = try state.withLock { state in
          if state.isCancelled { throw CancellationError() }
          return change(&state)
        }
        if let result {
          condition.broadcast()
          return result
        }
        condition.wait()
      }
    }
  }
}
