// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
package import ISOBMFF
package import LibAV
internal import MediaCore

/// Finds fragments whose time (`tfdt`) contradicts the other fragments of their track, and gives
/// their packets corrected times.
package struct FragmentClock: Sendable {
  // All sample durations are known, so each fragment implies an offset: its time minus the sum of
  // the durations before it. In an intact file, that offset stays the same, or grows after a pause
  // in recording. A fragment that most others contradict is wrong. If the clock is set back and all
  // later fragments follow the new clock, they are not wrong.

  private let fragments: [TrackFragment]
  /// The ticks to add to the times of each wrong fragment, by the fragment's index.
  let corrections: [Int: Int64]
  private let timescale: Int32

  /// Offsets that differ by less than a 20th of a second count as equal. The last duration of a
  /// fragment is often a guess of its muxer, and a step this small costs no frame.
  private static let stepsASecond: Int32 = 20

  var correctionCount: Int { corrections.count }

  /// - Parameter otherEnd: the end of another track that also has samples in the last fragment.
  /// - Returns: `nil` if no fragment is wrong.
  init?(_ fragments: [TrackFragment], timescale: Int32, otherEnd: MediaTime? = nil) {
    self.fragments = fragments
    self.timescale = timescale
    corrections = Self.corrections(
      fragments, tolerance: Int64(max(timescale / Self.stepsASecond, 1)),
      otherEnd: otherEnd?.converted(to: timescale).value)
    guard !corrections.isEmpty else { return nil }
  }

  /// Returns the clocks of all tracks with wrong fragments, by track ID.
  ///
  /// - Throws: ``ISOBMFFError`` if the file cannot be read.
  package static func clocks(path: String) throws(ISOBMFFError) -> [Int: FragmentClock] {
    let source = try FileByteSource(path: path)
    do throws(ISOBMFFError) {
      let fragments = try Movie.fragments(in: source)
      return fragments.isEmpty ? [:] : clocks(of: fragments, in: try Movie(source))
    } catch {
      // Damage is not reported here, because the demuxer reports damaged fragments. Without clocks,
      // all times stay unchanged.
      if case .inputOutput = error { throw error }
      return [:]
    }
  }

  private static func clocks(
    of fragments: [UInt32: [TrackFragment]], in movie: Movie
  ) -> [Int: FragmentClock] {
    let timescales = Dictionary(
      movie.tracks.map { ($0.header.trackID ?? 0, Int32(clamping: max($0.mediaTimescale, 1))) },
      uniquingKeysWith: { first, _ in first })
    var clocks: [Int: FragmentClock] = [:]
    for (number, own) in fragments {
      guard let timescale = timescales[number] else { continue }
      // Only a track that also reaches into the last fragment shows where that fragment ends.
      let others = fragments.filter { other, fragments in
        other != number && fragments.last?.offset == own.last?.offset
      }
      let ends = others.compactMap { other, fragments in
        timescales[other].flatMap { fragments.last?.end(timescale: $0) }
      }
      clocks[Int(number)] = FragmentClock(own, timescale: timescale, otherEnd: ends.max())
    }
    return clocks
  }

  /// Returns a packet with its time corrected.
  package func corrected(_ packet: Packet) throws -> Packet {
    guard let position = packet.filePosition, let time = packet.decodeTimeStamp,
      let index = index(at: position), let correction = corrections[index]
    else { return packet }
    // libavformat may have distrusted the fragment, too, and computed other times for it. These are
    // not corrected again.
    let fragment = fragments[index]
    let ticks = time.converted(to: timescale).value
    guard ticks >= fragment.decodeTimeStamp, ticks - fragment.decodeTimeStamp <= fragment.duration
    else {
      return packet
    }
    return try packet.moved(by: MediaTime(value: correction, timescale: timescale))
  }

  /// Returns the index of the last fragment that begins at or before a byte of the file.
  private func index(at position: UInt64) -> Int? {
    var (low, high) = (0, fragments.count)
    while low < high {
      let middle = (low + high) / 2
      if fragments[middle].offset <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  private static func corrections(
    _ fragments: [TrackFragment], tolerance: Int64, otherEnd: Int64?
  ) -> [Int: Int64] {
    var before: Int64 = 0
    let clocks = fragments.map { fragment in
      defer { before = min(before + fragment.duration, 1 << 60) }
      return fragment.decodeTimeStamp - before
    }
    var corrections: [Int: Int64] = [:]
    var kept = longestClimb(clocks, tolerance: tolerance)
    // Nothing follows the last fragment, so a late last fragment looks like a pause. If another
    // track has no such pause, the fragment is wrong.
    if kept.count > 1, kept.last == clocks.count - 1, let last = fragments.last, let otherEnd {
      let gap = clocks[clocks.count - 1] - clocks[kept[kept.count - 2]]
      if gap > tolerance, isTooLate(last, by: gap, otherEnd: otherEnd) { kept.removeLast() }
    }
    let neighbors = zip([nil] + kept.map(Optional.some), kept.map(Optional.some) + [nil])
    for (last, next) in neighbors {
      let wrong = (last.map { $0 + 1 } ?? 0)..<(next ?? clocks.count)
      let clock: Int64
      switch (last.map { clocks[$0] }, next.map { clocks[$0] }) {
      case (let old?, let new?) where new - old <= tolerance || wrong.count == 1: clock = old
      // Two or more fragments in a row at the beginning or at the end may follow a clock of their
      // own, so only a single fragment there is corrected.
      case (let old?, nil) where wrong.count == 1: clock = old
      case (nil, let new?) where wrong.count == 1 && kept.count > 1: clock = new
      default: continue
      }
      for index in wrong { corrections[index] = clock - clocks[index] }
    }
    return corrections
  }

  /// Whether the last fragment would end about where another track ends if there were no gap before
  /// the fragment.
  private static func isTooLate(_ last: TrackFragment, by gap: Int64, otherEnd: Int64) -> Bool {
    // A real pause in recording is in both tracks. If the gap were closed in only one of them, the
    // tracks would end at different times.
    guard otherEnd < 1 << 60 else { return false }
    let excess = last.decodeTimeStamp + last.duration - otherEnd
    return abs(excess - gap) < abs(excess) / 2
  }

  /// Returns the indices of the longest sequence of offsets that never step back.
  private static func longestClimb(_ clocks: [Int64], tolerance: Int64) -> [Int] {
    // Of two fragments that contradict each other, trust the first.
    if clocks.count == 2, clocks[1] + tolerance < clocks[0] { return [0] }
    // This is patience sorting. `ends` has the last index of the best sequence of each length, and
    // `previous` has the index that comes before each index. A long recording has many thousands of
    // fragments, so nothing here is quadratic.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: clocks.count)
    for (index, clock) in clocks.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if clocks[ends[middle]] <= clock + tolerance { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var climb: [Int] = []
    var next = ends.last
    while let index = next {
      climb.append(index)
      next = previous[index]
    }
    climb.reverse()
    // The sequence may begin with a fragment far below the rest. If a fragment before it in the
    // file agrees with the rest, that fragment is right, and the low one is wrong.
    if climb.count > 1, clocks[climb[1]] - clocks[climb[0]] > tolerance,
      let twin = clocks[..<climb[0]].firstIndex(where: {
        abs($0 - clocks[climb[1]]) <= tolerance
      })
    {
      climb[0] = twin
    }
    return climb
  }
}

extension TrackFragment {
  fileprivate func end(timescale: Int32) -> MediaTime {
    MediaTime(value: decodeTimeStamp + duration, timescale: timescale)
  }
}
