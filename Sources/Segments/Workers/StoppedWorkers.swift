// SPDX-License-Identifier: GPL-2.0-or-later

/// Decides what to do about workers that a signal has stopped (SIGSTOP).
package struct StoppedWorkers {
  /// What to do about a worker.
  package enum Measure {
    case nothing
    case wake
    /// End the worker. The caller decides whether another worker takes over its work.
    case end
  }

  /// For each process, by its number, how many times in a row it was found stopped.
  private var looks: [Int32: Int] = [:]
  private var woken: Set<Int32> = []

  /// A worker is woken or ended after it was found stopped this many times in a row, which takes
  /// two seconds. Wait that long, because somebody who stopped all processes at once may be waking
  /// them one by one.
  static let patience = 40

  package init() {}

  /// Returns what to do about a worker. Call this each time the worker's state is checked.
  package mutating func measure(for process: Int32, isStopped: Bool) -> Measure {
    guard isStopped else {
      looks[process] = nil
      return .nothing
    }
    looks[process, default: 0] += 1
    guard looks[process, default: 0] >= Self.patience else { return .nothing }
    looks[process] = nil
    // A worker that stays stopped would hold up the run forever. If it was woken before and is
    // stopped again, somebody keeps stopping it. In that case, end it: perhaps nobody stops the
    // worker that replaces it.
    return woken.insert(process).inserted ? .wake : .end
  }
}
