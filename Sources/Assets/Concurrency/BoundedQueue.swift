internal import Foundation

/// Hands values from one thread to another and makes the faster one wait, so that memory does not
/// grow with the length of a file.
///
/// Threads that wait here are the pipeline's own, never those of Swift's cooperative pool.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // Sendable although it has state: every access holds the condition's lock.
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isFinished = false
  private var isCancelled = false

  /// A queue that holds `capacity` elements at most.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Adds an element, waiting for room.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func push(_ element: Element) throws {
    condition.lock()
    defer { condition.unlock() }
    while elements.count >= capacity && !isCancelled { condition.wait() }
    if isCancelled { throw CancellationError() }
    elements.append(element)
    condition.broadcast()
  }

  /// Takes the oldest element, waiting for one; nil when the queue is finished and empty.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func pop() throws -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty && !isFinished && !isCancelled { condition.wait() }
    if isCancelled { throw CancellationError() }
    guard !elements.isEmpty else { return nil }
    defer { condition.broadcast() }
    return elements.removeFirst()
  }

  /// Says that nothing more will be added.
  package func finish() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
    }
  }

  /// Lets go of everything and wakes everybody who waits.
  func cancel() {
    condition.withLock {
      isCancelled = true
      elements.removeAll()
      condition.broadcast()
    }
  }
}
