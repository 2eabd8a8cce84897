// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// What threads of a program do, as the system sees it: neither depends on how busy the machine is.
extension Tool.Running {
  /// Looks that have to find it asleep one after the other; there is time between them.
  private static let looks = 25
  private static let pause = 0.02

  /// Waits until the program waits for something itself, or has ended: all of its threads sleep,
  /// look after look, and none has worked in between.
  public func waitUntilAsleep() { _ = isAsleep(for: Self.looks) }

  /// Waits until it ends. One that only waits itself, for 20 s or more, never will, and is killed.
  public func waitUnlessStuck() throws -> Tool.Outcome {
    if isAsleep(for: 40 * Self.looks) { kill(process.processIdentifier, SIGKILL) }
    return try wait()
  }

  /// Looks until so many in a row found it asleep; false where it has ended before.
  private func isAsleep(for looks: Int) -> Bool {
    var (row, before) = (0, -1)
    while process.isRunning && row < looks {
      let ticks = ticksAsleep() ?? -1
      row = ticks >= 0 && ticks == before ? row + 1 : 0
      before = ticks
      Thread.sleep(forTimeInterval: Self.pause)
    }
    return process.isRunning
  }

  /// The clock ticks that its threads have worked; nil where one works, waits for a processor or
  /// for a disk (proc(5): `stat`, fields 3, 14 and 15).
  private func ticksAsleep() -> Int? {
    let folder = "/proc/\(process.processIdentifier)/task"
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
  /// Runs a program, and kills it where it only waits.
  public static func runUnlessStuck(_ name: String, _ arguments: [String]) throws -> Outcome {
    try start(name, arguments).waitUnlessStuck()
  }
}

/// The time that processors have worked for a piece of work on one thread.
public enum ThreadTime {
  /// The seconds that some work took of this thread's own.
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
