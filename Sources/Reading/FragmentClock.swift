// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
package import ISOBMFF
package import LibAV
internal import MediaCore

/// Finds fragments of a movie file's track whose time (`tfdt`) contradicts the others, and gives
/// their packets the time that is left for them.
///
/// The durations of all samples are known, so that each fragment states the track's clock relative
/// to the samples before. In an audio file that stays as it is, or grows where nothing was
/// recorded. Fragments that most others contradict are wrong; so is not a clock that was set back
/// for good, after which others go on.
package struct FragmentClock: Sendable {
  private let fragments: [TrackFragment]
  /// Ticks to add to the times of a wrong fragment, by its index.
  let corrections: [Int: Int64]
  private let timescale: Int32

  /// Clocks that differ by up to 1/20 s are the same: the last duration of a fragment is often a
  /// guess, and a step of that size costs no frame.
  private static let stepsASecond: Int32 = 20

  /// Number of fragments whose times are wrong.
  var correctionCount: Int { corrections.count }

  /// - Parameter otherEnd: the end of another track that has samples in the last fragment too; nil
  ///   for none.
  /// - Returns: nil where no fragment is wrong.
  init?(_ fragments: [TrackFragment], timescale: Int32, otherEnd: MediaTime? = nil) {
    self.fragments = fragments
    self.timescale = timescale
    corrections = Self.corrections(
      fragments, tolerance: Int64(max(timescale / Self.stepsASecond, 1)),
      otherEnd: otherEnd?.converted(to: timescale).value)
    guard !corrections.isEmpty else { return nil }
  }

  /// The clocks of a file's tracks that have wrong fragments, by the track's number; none where its
  /// fragments are damaged, which the demuxer tells.
  ///
  /// - Throws: ``ISOBMFFError`` where the file cannot be read.
  package static func clocks(path: String) throws(ISOBMFFError) -> [Int: FragmentClock] {
    let source = try FileByteSource(path: path)
    do throws(ISOBMFFError) {
      let fragments = try Movie.fragments(in: source)
      return fragments.isEmpty ? [:] : clocks(of: fragments, in: try Movie(source))
    } catch {
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

  /// A packet at the time that is right for it.
  package func corrected(_ packet: Packet) throws -> Packet {
    guard let position = packet.filePosition, let time = packet.decodeTimeStamp,
      let index = index(at: position), let correction = corrections[index]
    else { return packet }
    // A demuxer that did not believe the fragment has other times.
    let fragment = fragments[index]
    let ticks = time.converted(to: timescale).value
    guard ticks >= fragment.decodeTimeStamp, ticks - fragment.decodeTimeStamp <= fragment.duration
    else {
      return packet
    }
    return try packet.moved(by: MediaTime(value: correction, timescale: timescale))
  }

  /// The last fragment that begins before a byte of the file.
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
      // At an end, more than one are a clock of their own.
      case (let old?, nil) where wrong.count == 1: clock = old
      case (nil, let new?) where wrong.count == 1 && kept.count > 1: clock = new
      default: continue
      }
      for index in wrong { corrections[index] = clock - clocks[index] }
    }
    return corrections
  }

  /// True if a last fragment ends where another track does if it begins right behind the one
  /// before: a gap is in both.
  private static func isTooLate(_ last: TrackFragment, by gap: Int64, otherEnd: Int64) -> Bool {
    guard otherEnd < 1 << 60 else { return false }
    let excess = last.decodeTimeStamp + last.duration - otherEnd
    return abs(excess - gap) < abs(excess) / 2
  }

  /// The indices of the most clocks that do not go back; of several, those that are less ahead and
  /// agree with each other, but of two fragments the first.
  private static func longestClimb(_ clocks: [Int64], tolerance: Int64) -> [Int] {
    if clocks.count == 2, clocks[1] + tolerance < clocks[0] { return [0] }
    // The last of the best climb of each length, and what comes before each.
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
    // A beginning far below the rest gives way to a fragment before it that agrees with the rest.
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
  /// Time at which the fragment's last sample ends.
  fileprivate func end(timescale: Int32) -> MediaTime {
    MediaTime(value: decodeTimeStamp + duration, timescale: timescale)
  }
}
