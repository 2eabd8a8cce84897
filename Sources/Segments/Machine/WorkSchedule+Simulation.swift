// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Predicts how a machine works through a schedule. Workers share the cores by weight, but no
/// worker takes more cores than it can keep busy.
extension WorkSchedule {
  /// Simulates the schedule, whose costs are in seconds of one core.
  ///
  /// - Parameters:
  ///   - cores: how many cores the workers share.
  ///   - parallelism: how many cores a worker can keep busy.
  /// - Returns: spans of time, in order. During a span, the number of busy cores stays the same.
  ///   `end` is when the span ends, in seconds from the beginning, and `busy` is how many cores are
  ///   busy.
  package func simulated(
    cores: Int, parallelism: Double
  ) -> [(end: Double, busy: Double)] {
    var (spans, end) = ([(end: Double, busy: Double)](), 0.0)
    var waiting = items[...]
    var running: [(left: Double, weight: Double)] = []
    while true {
      while running.count < workers, let next = waiting.popFirst() {
        let steps = Double(niceness(of: next.number))
        running.append((next.cost, pow(Self.weightOfStep, -steps)))
      }
      guard !running.isEmpty else { return spans }
      let shares = Self.shares(running.map(\.weight), cores: Double(cores), most: parallelism)
      let step = zip(running, shares).map { $0.left / $1 }.min() ?? 0
      end += step
      spans.append((end, shares.reduce(0, +)))
      for index in running.indices { running[index].left -= step * shares[index] }
      // Rounding may leave a tiny remainder of a segment that has ended.
      running.removeAll { $0.left <= 1e-9 }
    }
  }

  /// Returns how many cores each worker gets: a share by weight, but no more than it can use.
  private static func shares(_ weights: [Double], cores: Double, most: Double) -> [Double] {
    var shares = [Double](repeating: 0, count: weights.count)
    var (open, left) = (Set(weights.indices), cores)
    while !open.isEmpty {
      let unit = left / open.reduce(0) { $0 + weights[$1] }
      // A worker that gets all it can use leaves the rest to the others, whose shares then grow and
      // may reach the limit in the next round.
      let full = open.filter { weights[$0] * unit >= most }
      guard !full.isEmpty else {
        for index in open { shares[index] = weights[index] * unit }
        break
      }
      for index in full { shares[index] = most }
      left -= most * Double(full.count)
      open.subtract(full)
    }
    return shares
  }
}
