// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// Watches what a program's threads do, as the system sees it. The result does not depend on how
/// busy the machine is.
extension Tool.Running {
  /// How many looks in a row have to find the program asleep. There is a pause after each look.
  private static let looks = 25
  private static let pause = 0.02

  /// Waits until the program has ended or is itself waiting for something. It is waiting if, at
  /// every look, all of its threads sleep and none has worked since the look before.
  public func waitUntilAsleep() { _ = isAsleep(for: Self.looks) }

  /// Waits until the program ends. If it sleeps for 20 s, it is taken to be stuck, and is killed.
  public func waitUnlessStuck() -> Tool.Outcome {
    if isAsleep(for: 40 * Self.looks) { signal(SIGKILL) }
    return wait()
  }

  /// Keeps looking until `looks` looks in a row have found the program asleep. Returns `false` if
  /// the program has ended.
  private func isAsleep(for looks: Int) -> Bool {
    var (row, before) = (0, -1)
    while isRunning && row < looks {
      let ticks = ticksAsleep() ?? -1
      row = ticks >= 0 && ticks == before ? row + 1 : 0
      before = ticks
      Thread.sleep(forTimeInterval: Self.pause)
    }
    return isRunning
  }

  /// Returns how many clock ticks the program's threads have worked, or `nil` if a thread is
  /// working now or is waiting for a processor or a disk (proc(5): `stat`, fields 3, 14 and 15).
  private func ticksAsleep() -> Int? {
    let folder = "/proc/\(identifier)/task"
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return nil
    }
    var ticks = 0
    for thread in threads {
      guard let line = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8),
        let end = line.lastIndex(of: ")")
      else { return nil }
      let fields = line[line.index(after: end)...].split(separator: " ")
      guard fields.count > 12, fields[0] == "S", let user = Int(fields[11]),
        let system = Int(fields[12])
      else { return nil }
      ticks += user + system
    }
    return ticks
  }
}

extension Tool {
  /// Runs a program, and kills it if it sleeps for 20 s.
  public static func runUnlessStuck(_ name: String, _ arguments: [String]) throws -> Outcome {
    try start(name, arguments).waitUnlessStuck()
  }
}

/// The processor time that a piece of work takes on one thread.
public enum ThreadTime {
  /// Returns the seconds of this thread's processor time that some work took.
  public static func seconds(of work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
