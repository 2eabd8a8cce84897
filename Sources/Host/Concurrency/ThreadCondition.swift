// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// A lock with a condition that system threads wait for.
///
/// `@unchecked Sendable`: the pointers never change, and the pthread functions may be called from
/// several threads.
@safe
final class ThreadCondition: @unchecked Sendable {
  // The address of a pthread mutex must not change. Swift may pass a temporary copy of a stored
  // property to C, so the mutex and the condition are allocated separately.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    _ = unsafe pthread_mutex_init(mutex, nil)
    _ = unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    _ = unsafe pthread_cond_destroy(condition)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs a closure while holding the lock.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Releases the lock until ``broadcast()`` is called. Call it while holding the lock.
  func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }

  /// Wakes all waiting threads.
  func broadcast() { _ = unsafe pthread_cond_broadcast(condition) }
}
