// SPDX-License-Identifier: GPL-2.0-or-later
internal import CSystem
internal import Glibc

/// The processors that this process may run on.
extension SystemLimits {
  // The kernel refuses a set that is shorter than its own, which may have 8192 processors.
  private static let byteCountOfSet = 1024

  /// Limits this process, and all processes that it starts, to some of its processors.
  ///
  /// Call it before the first thread starts, because threads that already run keep their
  /// processors. Libraries count the processors that are left, and start threads for these alone.
  ///
  /// - Parameter count: how many processors to keep. If the process has no more than that, nothing
  ///   changes.
  package static func limitProcessors(to count: Int) {
    guard let available = availableProcessors, count > 0, count < available.count else { return }
    // Several runs at once should not all take the same processors.
    let start = Int(getpid()) % available.count
    var bytes = [UInt8](repeating: 0, count: byteCountOfSet)
    for offset in 0..<count {
      let number = available[(start + offset) % available.count]
      bytes[number / 8] |= 1 << (number % 8)
    }
    _ = unsafe candela_sched_setaffinity(0, bytes.count, bytes)
  }

  /// The numbers of the processors; `nil` if the system does not say.
  private static var availableProcessors: [Int]? {
    var bytes = [UInt8](repeating: 0, count: byteCountOfSet)
    let result = unsafe candela_sched_getaffinity(0, bytes.count, &bytes)
    guard result == 0 else { return nil }
    return (0..<8 * byteCountOfSet).filter { bytes[$0 / 8] >> ($0 % 8) & 1 == 1 }
  }
}
