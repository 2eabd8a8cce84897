// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc
package import Host

/// The memory of the machine and of processes.
extension SystemLimits {
  /// How many bytes are free or can be freed; `nil` if the system does not say.
  package static var freeMemory: UInt64? {
    // In a container, the control group's limit may be lower than the whole machine's memory.
    [kilobytes("MemAvailable", in: "/proc/meminfo"), roomInGroup].compactMap { $0 }.min()
  }

  /// How many bytes all processes of a run together may take by default.
  package static var usualMemory: UInt64 {
    // Leave half of the free memory to the rest of the machine and to its cache of files.
    (freeMemory ?? 4 << 30) / 2
  }

  /// How many bytes this process's control group may still take; `nil` if the group has no limit.
  private static var roomInGroup: UInt64? {
    func number(_ name: String) -> UInt64? {
      let line = text("/sys/fs/cgroup/\(name)")?.split(separator: "\n").first
      return line.flatMap { UInt64($0) }
    }
    // If there is no limit, `memory.max` contains the word "max" instead of a number.
    guard let limit = number("memory.max") else { return nil }
    return limit - min(number("memory.current") ?? 0, limit)
  }

  /// Returns how much memory a process uses, in bytes, or 0 if it is gone. Memory that several
  /// processes share counts in part for each of them.
  package static func memory(ofProcess identifier: Int32) -> UInt64 {
    // To compute this, the system walks through all pages of the process, and the process has to
    // wait. So call this only if the cheap upper bound below exceeds the limit.
    kilobytes("Pss", in: "/proc/\(identifier)/smaps_rollup") ?? 0
  }

  /// Returns an upper bound for the memory that a process uses, in bytes, or 0 if it is gone.
  /// Memory that several processes share counts in full for each of them.
  static func mostMemory(ofProcess identifier: Int32) -> UInt64 {
    let pages = text("/proc/\(identifier)/statm")?.split(separator: " ").dropFirst().first
    return (pages.flatMap { UInt64($0) } ?? 0) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Returns a number from one of the system's tables, converted from kB to bytes; `nil` if the
  /// table has no line of that name.
  private static func kilobytes(_ name: String, in path: String) -> UInt64? {
    let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
  }

  private static func text(_ path: String) -> String? {
    OpenFile.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
