// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Prediction of what a machine does with a schedule: workers share the cores by weight, and none
/// takes more of them than it keeps busy.
package struct WorkSimulation: Hashable, Sendable {
  /// A time in which the number of busy cores stays the same.
  package struct Span: Hashable, Sendable {
    /// Its end, in seconds from the beginning.
    package let end: Double
    /// The cores that are busy.
    package let busy: Double
  }

  /// The spans, one behind the other.
  package private(set) var spans: [Span] = []
  /// Duration of all, in seconds.
  package var seconds: Double { spans.last?.end ?? 0 }

  private struct Worker {
    var left: Double
    let weight: Double
  }

  /// Runs a schedule whose costs are seconds of one core.
  ///
  /// - Parameters:
  ///   - cores: number of cores.
  ///   - parallelism: the cores that a worker keeps busy.
  package init(_ schedule: WorkSchedule, cores: Int, parallelism: Double) {
    var waiting = schedule.items[...]
    var running: [Worker] = []
    while true {
      while running.count < schedule.workers, let next = waiting.popFirst() {
        let steps = Double(schedule.niceness(of: next.number))
        running.append(Worker(left: next.cost, weight: pow(WorkSchedule.weightOfStep, -steps)))
      }
      guard !running.isEmpty else { return }
      let shares = Self.shares(running, cores: Double(cores), most: parallelism)
      let step = zip(running, shares).map { $0.left / $1 }.min() ?? 0
      spans.append(Span(end: seconds + step, busy: shares.reduce(0, +)))
      for index in running.indices { running[index].left -= step * shares[index] }
      running.removeAll { $0.left <= 1e-9 }
    }
  }

  /// The cores of each: by weight, as far as it can use them.
  private static func shares(_ workers: [Worker], cores: Double, most: Double) -> [Double] {
    var shares = [Double](repeating: 0, count: workers.count)
    var (open, left) = (Set(workers.indices), cores)
    while !open.isEmpty {
      let unit = left / open.reduce(0) { $0 + workers[$1].weight }
      let full = open.filter { workers[$0].weight * unit >= most }
      guard !full.isEmpty else {
        for index in open { shares[index] = workers[index].weight * unit }
        break
      }
      for index in full { shares[index] = most }
      left -= most * Double(full.count)
      open.subtract(full)
    }
    return shares
  }
}
