// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// A lock with a condition that threads of the system wait for.
///
/// `@unchecked Sendable`: the pointers are set once, and the system's functions on what they point
/// to are made for several threads.
@safe
final class ThreadCondition: @unchecked Sendable {
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

  /// Does something that no other thread does at the same time.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Lets go of the lock until ``broadcast()``; called with the lock.
  func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }

  /// Wakes all threads that wait.
  func broadcast() { _ = unsafe pthread_cond_broadcast(condition) }
}
