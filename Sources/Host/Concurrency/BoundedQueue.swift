// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Hands values from one thread to another and makes the faster one wait. Memory therefore does not
/// grow with the length of a file.
///
/// Only the pipeline's own threads wait here, never a thread of Swift's cooperative pool.
///
/// `@unchecked Sendable`: the properties that change are used only while the lock is held.
@safe
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let capacity: Int
  private var elements: [Element] = []
  private var isFinished = false
  private var isCancelled = false

  // The address of a pthread mutex must not change. Swift may pass a temporary copy of a stored
  // property to C, so the mutex and the condition are allocated separately.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Creates a queue that holds `capacity` elements at most.
  init(capacity: Int) {
    self.capacity = capacity
    _ = unsafe pthread_mutex_init(mutex, nil)
    _ = unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    _ = unsafe pthread_cond_destroy(condition)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Waits for room and adds an element.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func push(_ element: Element) throws {
    try change(when: { elements.count < capacity }, { elements.append(element) })
  }

  /// Takes the oldest element, and waits for one if the queue is empty. Returns `nil` if the queue
  /// is empty and finished.
  ///
  /// - Throws: `CancellationError` when the queue was cancelled.
  package func pop() throws -> Element? {
    try change(
      when: { !elements.isEmpty || isFinished },
      { elements.isEmpty ? nil : elements.removeFirst() })
  }

  /// Says that nothing more will be added.
  package func finish() { withLock { isFinished = true } }

  /// Removes all values and wakes all threads that wait.
  func cancel() {
    // `withLock` wakes the stages that wait here, so that they notice the cancellation.
    withLock {
      isCancelled = true
      elements.removeAll()
    }
  }

  /// Waits until a change is possible, then makes it.
  private func change<Result>(
    when isPossible: () -> Bool, _ change: () -> Result
  ) throws -> Result {
    try withLock {
      while true {
        if isCancelled { throw CancellationError() }
        if isPossible() { return change() }
        _ = unsafe pthread_cond_wait(condition, mutex)
      }
    }
  }

  /// Makes a change while holding the lock, then wakes all threads that wait.
  private func withLock<Result>(_ change: () throws -> Result) rethrows -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer {
      _ = unsafe pthread_cond_broadcast(condition)
      _ = unsafe pthread_mutex_unlock(mutex)
    }
    return try change()
  }
}
