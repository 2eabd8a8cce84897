// SPDX-License-Identifier: GPL-2.0-or-later
/// The groups of a track's frames, and the sizes of their packets. A group reaches from one sync
/// sample to the next.
struct FrameGroups {
  // If a shot begins inside a group, the encoder codes the shot's first frame without the help of
  // other frames, and the packet of that frame is much larger than its neighbors. So the sizes hint
  // at cuts before anything is decoded.

  /// Times of sync samples and of large packets within groups, in seconds. Sorted by `finish()`.
  private var marks: [Double] = []
  /// The longest time from one sync sample to the next, in seconds.
  private(set) var longestGap = 0.0
  /// The latest presentation time, in seconds.
  private(set) var end = 0.0

  private var sync: (time: Double, size: Int)?
  private var others: [(time: Double, size: Int)] = []

  /// The quantile of a group's packet sizes that counts as usual. P frames are larger than B
  /// frames, but if more than about a fifth of the packets are P frames, the usual size is theirs,
  /// so that they are not suspicious.
  private static let usualShare = 0.8
  /// A suspicious packet is larger than `factor` times a usual packet, and also larger than
  /// `syncFactor` times the sync sample.
  private static let (factor, syncFactor) = (2, 0.25)

  /// Takes the next packet in file order.
  mutating func take(size: Int, at time: Double, isSync: Bool) {
    end = max(end, time)
    guard isSync else {
      others.append((time, size))
      return
    }
    endGroup()
    if let sync { longestGap = max(longestGap, time - sync.time) }
    marks.append(time)
    sync = (time, size)
  }

  /// Ends the last group and sorts the marks.
  mutating func finish() {
    endGroup()
    marks.sort()
  }

  private mutating func endGroup() {
    let sizes = others.map(\.size).sorted()
    defer { others = [] }
    guard !sizes.isEmpty, let sync else { return }
    let usual = sizes[Int(Self.usualShare * Double(sizes.count - 1))]
    marks += others.filter {
      $0.size > Self.factor * usual && Double($0.size) > Self.syncFactor * Double(sync.size)
    }.map(\.time)
  }

  /// Whether a shot may begin after `start` and before `end`.
  func mayHideCut(between start: Double, and end: Double) -> Bool {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle] > start { high = middle } else { low = middle + 1 }
    }
    return low < marks.count && marks[low] < end
  }
}
