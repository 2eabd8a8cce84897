// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
package import Host

/// Memory of the machine and of processes.
extension SystemLimits {
  /// The bytes that are free, or can be made so; nil where the system does not tell.
  package static var freeMemory: UInt64? {
    [kilobytes("MemAvailable", in: "/proc/meminfo"), roomInGroup].compactMap { $0 }.min()
  }

  /// The bytes that all processes of a run may take where nothing else is said: half of what is
  /// free.
  package static var usualMemory: UInt64 { (freeMemory ?? 4 << 30) / 2 }

  /// The bytes that a limit on the process' control group leaves; nil where there is none.
  private static var roomInGroup: UInt64? {
    func number(_ name: String) -> UInt64? {
      let line = text("/sys/fs/cgroup/\(name)")?.split(separator: "\n").first
      return line.flatMap { UInt64($0) }
    }
    guard let limit = number("memory.max") else { return nil }
    return limit - min(number("memory.current") ?? 0, limit)
  }

  /// The bytes that a process has in memory; those that processes share count for a part in each. 0
  /// where it is gone. The system walks through all of them, and the process waits meanwhile.
  package static func memory(ofProcess identifier: Int32) -> UInt64 {
    kilobytes("Pss", in: "/proc/\(identifier)/smaps_rollup") ?? 0
  }

  /// The bytes that a process has in memory at most, which cost nothing to ask for: those that
  /// processes share count in each. 0 where it is gone.
  static func mostMemory(ofProcess identifier: Int32) -> UInt64 {
    let pages = text("/proc/\(identifier)/statm")?.split(separator: " ").dropFirst().first
    return (pages.flatMap { UInt64($0) } ?? 0) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The bytes that a line of one of the system's tables states, in kB; nil where there is none.
  private static func kilobytes(_ name: String, in path: String) -> UInt64? {
    let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
  }

  private static func text(_ path: String) -> String? {
    OpenFile.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
