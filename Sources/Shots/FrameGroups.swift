// SPDX-License-Identifier: GPL-2.0-or-later
/// Groups of a track's frames, which begin with sync samples, by the sizes of their packets: an
/// encoder that codes a shot's first frame by itself within a group spends much on it.
struct FrameGroups {
  /// Times of all sync samples, and of packets within groups that may begin a shot, in seconds; in
  /// order behind the end.
  private var marks: [Double] = []
  /// The longest time from one sync sample to the next, in seconds.
  private(set) var longestGap = 0.0
  /// The last time at which a frame is presented, in seconds.
  private(set) var end = 0.0

  private var sync: (time: Double, size: Int)?
  private var others: [(time: Double, size: Int)] = []

  /// A size that so much of the others of a group have at most is usual, also where every fifth is
  /// a P frame.
  private static let usualShare = 0.8
  /// A suspect is larger than usual, and than the sync sample, by these factors.
  private static let (factor, syncFactor) = (2, 0.25)

  /// Takes the next packet in the order of the file.
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

  /// Takes note that there are no more packets.
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

  /// True if a shot may begin between two times and at neither of them.
  func mayHideCut(between start: Double, and end: Double) -> Bool {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle] > start { high = middle } else { low = middle + 1 }
    }
    return low < marks.count && marks[low] < end
  }
}
