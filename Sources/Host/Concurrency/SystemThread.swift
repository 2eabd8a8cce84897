// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// A system thread that reports whether it could be started.
///
/// Foundation's `Thread` does not report a failed start. Code that waits for the thread's work
/// would then wait forever.
final class SystemThread {
  private let name: String
  private let body: @Sendable () -> Void

  private init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  /// Runs work on a new thread and does not wait for its end.
  ///
  /// - Returns: whether the system had a thread for it.
  static func start(
    _ name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let thread = unsafe Unmanaged.passRetained(SystemThread(name, body))
    let argument = unsafe thread.toOpaque()
    let code = unsafe withAttributes(stackSize) { attributes in
      _ = unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      var number = pthread_t()
      return unsafe pthread_create(&number, attributes, run, argument)
    }
    if code != 0 { unsafe thread.release() }
    return code == 0
  }

  // The entry point of a new thread, as C calls it.
  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let argument = unsafe $0 else { return nil }
    let thread = unsafe Unmanaged<SystemThread>.fromOpaque(argument).takeRetainedValue()
    nameThread(thread.name)
    takeNiceness()
    thread.body()
    return nil
  }

  /// Gives the calling thread the process's niceness.
  private static func takeNiceness() {
    // libdispatch changes the niceness of its own threads, and the threads that they start inherit
    // it. Without this call, `nice candela …` would slow down only some of the threads.
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    // In POSIX, 0 means the whole process. On Linux, it means the calling thread.
    _ = setpriority(process, 0, getpriority(process, id_t(getpid())))
  }

  /// Names the calling thread for debuggers, if the system allows it.
  private static func nameThread(_ name: String) {
    // Swift does not import glibc's `pthread_setname_np`. The kernel keeps 15 bytes of a name.
    let descriptor = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = unsafe write(descriptor, name, min(name.utf8.count, 15))
    close(descriptor)
  }

  /// Returns how many threads, up to `count`, the system can start right now.
  static func room(upTo count: Int) -> Int {
    // The threads wait for the lock, so all of them exist at the same time.
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    defer { unsafe lock.deallocate() }
    _ = unsafe pthread_mutex_init(lock, nil)
    _ = unsafe pthread_mutex_lock(lock)
    var threads: [pthread_t] = []
    // Libraries start their threads with the default stack size. Do that here, too, because a limit
    // on memory may leave no room for so many stacks of that size.
    unsafe withAttributes(nil) { attributes in
      while threads.count < count {
        var thread = pthread_t()
        let code = unsafe pthread_create(
          &thread, attributes,
          { argument in
            let lock = unsafe argument?.assumingMemoryBound(to: pthread_mutex_t.self)
            guard let lock = unsafe lock else { return nil }
            _ = unsafe pthread_mutex_lock(lock)
            _ = unsafe pthread_mutex_unlock(lock)
            return nil
          }, lock)
        guard code == 0 else { return }
        threads.append(thread)
      }
    }
    _ = unsafe pthread_mutex_unlock(lock)
    for thread in threads { _ = pthread_join(thread, nil) }
    _ = unsafe pthread_mutex_destroy(lock)
    return threads.count
  }

  private static func withAttributes<Result>(
    _ stackSize: Int?, _ body: (UnsafeMutablePointer<pthread_attr_t>) -> Result
  ) -> Result {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    _ = unsafe pthread_attr_init(attributes)
    defer { _ = unsafe pthread_attr_destroy(attributes) }
    if let stackSize { _ = unsafe pthread_attr_setstacksize(attributes, stackSize) }
    return unsafe body(attributes)
  }
}
