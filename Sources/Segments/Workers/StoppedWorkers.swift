// SPDX-License-Identifier: GPL-2.0-or-later

/// Workers that a signal has stopped (SIGSTOP). A worker that stands still would hold the run for
/// ever: it is woken, and where it is stopped again, ended.
package struct StoppedWorkers {
  /// A measure against a worker's standstill.
  package enum Measure {
    case nothing
    /// It is woken.
    case wake
    /// It is ended: another one takes over, or its work is lost.
    case end
  }

  /// Looks at which workers have been found stopped, one after the other, by their processes.
  private var looks: [Int32: Int] = [:]
  private var woken: Set<Int32> = []

  /// A worker is stopped at so many looks before something is done: whoever stopped all processes
  /// at once may be waking them.
  static let patience = 40

  /// None was found stopped.
  package init() {}

  /// The measure for a worker, which is asked for at every look.
  package mutating func measure(for process: Int32, isStopped: Bool) -> Measure {
    guard isStopped else {
      looks[process] = nil
      return .nothing
    }
    looks[process, default: 0] += 1
    guard looks[process, default: 0] >= Self.patience else { return .nothing }
    looks[process] = nil
    return woken.insert(process).inserted ? .wake : .end
  }
}
