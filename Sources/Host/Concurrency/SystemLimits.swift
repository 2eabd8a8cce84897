// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// The resources that a process needs for work to be possible. Libraries below do not say what is
/// missing: some wait for ever for a thread, some stop the process without a descriptor.
package enum SystemLimits {
  /// Descriptors: for events, the input, the output and what is written on the way.
  private static let descriptors = 16
  /// Threads: of the system's queues, and one for each stage.
  private static let threads = 16
  /// Bytes of address space, of which the libraries' code, the threads' stacks and the heaps of
  /// threads, 64 MB each, take most. `rpu inject` takes 613 MB where nothing limits it.
  private static let addressSpace: UInt64 = 640 << 20

  static let noThread = TranscodingError(
    .unavailable,
    "the system gives no more threads: raise the limits on them and on memory "
      + "(ulimit -u, ulimit -v, pids)")

  /// Checks that there is enough of everything for any command; it is called first.
  ///
  /// - Throws: ``TranscodingError`` of kind `unavailable` that names what is missing.
  package static func check() throws(TranscodingError) {
    try checkDescriptors()
    try checkAddressSpace()
    guard SystemThread.room(upTo: threads) == threads else { throw noThread }
  }

  /// Checks that there are threads for a decoder and an encoder, which take some for each
  /// processor.
  package static func checkForEncoding() throws(TranscodingError) {
    let count = threads + 3 * min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64)
    guard SystemThread.room(upTo: count) == count else { throw noThread }
  }

  private static func checkDescriptors() throws(TranscodingError) {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < descriptors {
      let descriptor = dup(STDERR_FILENO)
      // Standard error may be closed.
      guard descriptor >= 0 || errno == EBADF else {
        throw TranscodingError(
          .unavailable, "the system opens no more files: raise the limit on them (ulimit -n)")
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
      "\(limit.rlim_cur >> 20) MB of memory are too few: raise the limit on it (ulimit -v) to "
        + "\(addressSpace >> 20) MB at least")
  }
}
