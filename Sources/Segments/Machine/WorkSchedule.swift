// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// The order in which segments start, and how workers share the cores. A schedule affects when
/// segments end, but not their samples.
package struct WorkSchedule: Sendable {
  /// The segments in the order in which they start, with the work on each, in any unit.
  package let items: [(number: Int, cost: Double)]
  package let workers: Int

  private let lowersPriority: Bool

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - isSorted: whether the longest segments start first. Otherwise, segments start in the
  ///     list's order.
  ///   - lowersPriority: whether workers of shorter segments have a lower priority if all segments
  ///     are encoded at once.
  package init(
    _ items: [(number: Int, cost: Double)], workers: Int, isSorted: Bool = true,
    lowersPriority: Bool = true
  ) {
    self.workers = max(workers, 1)
    self.lowersPriority = lowersPriority
    // The longest segments start first, so that no long segment starts when all others are about
    // to end.
    self.items =
      isSorted ? items.sorted { ($1.cost, $0.number) < ($0.cost, $1.number) } : items
  }

  /// Returns by how many steps of niceness the priority of a segment's worker is lower than this
  /// program's.
  package func niceness(of number: Int) -> Int {
    // If all segments are encoded at once, short segments get a lower priority, so that all
    // segments end at about the same time. Otherwise all have the same priority, because a worker
    // that ends early takes the next segment.
    guard lowersPriority, items.count <= workers, let longest = items.map(\.cost).max(),
      longest > 0,
      let cost = items.first(where: { $0.number == number })?.cost, cost > 0
    else { return 0 }
    return Int(min(max((log(longest / cost) / log(Self.weightOfStep)).rounded(), 0), Self.most))
  }

  /// The factor by which a step of niceness divides a thread's share of the cores (nice(2),
  /// sched(7)).
  static let weightOfStep = 1.25
  /// The maximum number of steps of niceness. With that many steps, a worker's share is about a
  /// quarter of the others'.
  private static let most = 6.0
}
