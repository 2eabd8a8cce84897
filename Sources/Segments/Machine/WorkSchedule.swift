// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// The order in which segments are started, and how workers share the cores. It decides when they
/// end, and nothing of what they make.
package struct WorkSchedule: Sendable {
  /// The segments in the order in which they are started, with the work on each, in any unit: the
  /// longest first, so that none begins when all others are about to end.
  package let items: [(number: Int, cost: Double)]
  /// The most workers at once.
  package let workers: Int

  private let givesWay: Bool

  /// A schedule.
  ///
  /// - Parameters:
  ///   - isSorted: false to start the segments in the order of the list.
  ///   - givesWay: false for workers that are all as nice as each other.
  package init(
    _ items: [(number: Int, cost: Double)], workers: Int, isSorted: Bool = true,
    givesWay: Bool = true
  ) {
    self.workers = max(workers, 1)
    self.givesWay = givesWay
    self.items =
      isSorted ? items.sorted { ($1.cost, $0.number) < ($0.cost, $1.number) } : items
  }

  /// Steps by which the worker of a segment is nicer than one that began with the program's own
  /// niceness. Where all segments are worked on at once, the short ones leave so much of the cores
  /// to the long ones that all end together; otherwise all are alike.
  package func niceness(of number: Int) -> Int {
    guard givesWay, items.count <= workers, let longest = items.map(\.cost).max(), longest > 0,
      let cost = items.first(where: { $0.number == number })?.cost, cost > 0
    else { return 0 }
    return Int(min(max((log(longest / cost) / log(Self.weightOfStep)).rounded(), 0), Self.most))
  }

  /// By how much a step of niceness divides a thread's share of the cores (nice(2), sched(7)).
  static let weightOfStep = 1.25
  /// The most steps: a quarter of the share of others.
  private static let most = 6.0
}
