// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization

/// Hands values from one thread to another and makes the faster one wait. Memory therefore does not
/// grow with the length of a file.
///
/// Only the pipeline's own threads wait here, never a thread of Swift's cooperative pool.
package final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isFinished = false
    var isCancelled = false
  }

  private let capacity: Int
  private let state = Mutex(State())
  // This condition's lock is also held during every change of the state. Otherwise, a waiting
  // thread would not notice a change between its check of the state and its wait, and would sleep
  // forever.
  private let condition = ThreadCondition()

  /// Creates a queue that holds `capacity` elements at most.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Waits for room and adds an element.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func push(_ element: Element) throws {
    try change { state -> Void? in
      guard state.elements.count < capacity else { return nil }
      state.elements.append(element)
      return ()
    }
  }

  /// Takes the oldest element. If the queue is empty, waits for an element, or returns `nil` if the
  /// queue is finished.
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
    // Stages that wait here have to notice the cancellation, so they are woken as well.
    condition.withLock {
      state.withLock { state in
        state.isCancelled = true
        state.elements.removeAll()
      }
      condition.broadcast()
    }
  }

  /// Waits until a change is possible, then makes it.
  ///
  /// - Parameter change: returns `nil` as long as the change is not possible.
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
