// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// The resources that a process needs before any work can succeed.
package enum SystemLimits {
  // Enough for events, the input, the output and temporary files.
  private static let descriptors = 16
  // Enough for the system's queues and for one thread in each stage of the pipeline.
  private static let threads = 16
  // The libraries' code, the threads' stacks, and a heap of 64 MB for each thread take most of the
  // address space. `rpu inject` takes 613 MB if nothing limits it.
  private static let addressSpace: UInt64 = 640 << 20

  static let noThread = TranscodingError(
    .unavailable,
    "the system allows no more threads: raise the limits on threads and memory (ulimit -u, "
      + "ulimit -v, pids)")

  /// Checks that there is enough of everything for any command. Call it first.
  ///
  /// - Throws: ``TranscodingError`` of kind `unavailable` that names what is missing.
  package static func check() throws(TranscodingError) {
    // Libraries do not say which resource they lack. Some wait forever for a thread, and some stop
    // the process when they get no descriptor. A check up front gives a message that says what to
    // raise.
    try checkDescriptors()
    try checkAddressSpace()
    guard SystemThread.room(upTo: threads) == threads else { throw noThread }
  }

  /// Checks that a decoder and an encoder can get their threads.
  package static func checkForEncoding() throws(TranscodingError) {
    // Decoder and encoder both start some threads for each processor.
    let count = threads + 3 * min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64)
    guard SystemThread.room(upTo: count) == count else { throw noThread }
  }

  private static func checkDescriptors() throws(TranscodingError) {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < descriptors {
      let descriptor = dup(STDERR_FILENO)
      // Standard error may be closed, and then there is nothing to duplicate.
      guard descriptor >= 0 || errno == EBADF else {
        throw TranscodingError(
          .unavailable, "too many files are open: raise the limit (ulimit -n)")
      }
      if descriptor < 0 { return }
      opened.append(descriptor)
    }
  }

  private static func checkAddressSpace() throws(TranscodingError) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur < addressSpace
    else { return }
    throw TranscodingError(
      .unavailable,
      "\(limit.rlim_cur >> 20) MB of memory is not enough: raise the limit (ulimit -v) to at least "
        + "\(addressSpace >> 20) MB")
  }
}
