// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

/// Turns a decoder's frames into those that the track presents, each with the exact time
/// that it is presented for.
///
/// A frame lasts until the next one begins, so that one is always held back; the durations in the
/// container are those of the decoding order and would be wrong for reordered frames.
struct PresentedFrames {
  private let timeline: EditTimeline
  private let usualDuration: MediaTime
  /// Frames, and when they begin; nil where that is not stated.
  private var waiting: [(frame: DecodedFrame, start: MediaTime?)] = []
  /// Time at which the last frame begins that waits no more.
  private var lastStart: MediaTime?
  /// Time by which frames are later than stated, because the file's clock was set back.
  private var delay = MediaTime.zero

  /// Decoded frames that no edit presents.
  private(set) var hiddenCount = 0
  /// Frames whose time was missing or contradicted others, and places where the clock was set back.
  private(set) var repairedTimeCount = 0
  /// Frames between whose neighbors no time was left.
  private(set) var droppedCount = 0

  /// Number of frames that wait where times contradict each other; the most of them decide.
  private static let witnesses = 8
  /// Steps that are longer may be a time that is wrong.
  private static let longStep = MediaTime(value: 1, timescale: 1)

  /// - Parameter usualDuration: the duration for a last frame that has none.
  init(timeline: EditTimeline, usualDuration: MediaTime) {
    self.timeline = timeline
    self.usualDuration = usualDuration
  }

  /// Takes the next frame; gives those before it that are presented and whose time is sure.
  mutating func add(_ frame: DecodedFrame) -> [VideoFrame] {
    waiting.append((frame, plausibleStart(of: frame)))
    if waiting.count == 2, let first = waiting[0].start, let second = waiting[1].start,
      first < second, second <= first + Self.longStep
    {
      return give(1)
    }
    guard waiting.count >= Self.witnesses else { return [] }
    return give(settle(atEnd: false))
  }

  /// Gives the last frames, if they are presented.
  ///
  /// - Parameter lastDuration: the duration of the last frame, by its start time; nil for the one
  ///   that it came with.
  mutating func finish(lastDuration: (MediaTime) -> MediaTime?) -> [VideoFrame] {
    _ = settle(atEnd: true)
    return give(waiting.count, lastDuration: waiting.last?.start.flatMap(lastDuration))
  }

  /// Time at which a frame says that it begins; nil where that is too far from the frame before: no
  /// file could say so, since its durations have 32 bits.
  private func plausibleStart(of frame: DecodedFrame) -> MediaTime? {
    guard let start = frame.presentationTimeStamp.map({ $0 + delay }) else { return nil }
    guard let before = waiting.last(where: { $0.start != nil })?.start ?? lastStart else {
      return start
    }
    return (start - before).value.magnitude <= UInt64(Int32.max) ? start : nil
  }

  private func duration(of frame: DecodedFrame) -> MediaTime {
    frame.duration > .zero ? frame.duration : usualDuration
  }

  /// Gives every frame that waits its time: those that agree, which are the most, keep theirs.
  ///
  /// - Returns: the number of frames that need not wait any more.
  private mutating func settle(atEnd: Bool) -> Int {
    followClock()
    let kept = waiting.map(\.start).longestRise(above: lastStart)
    repairedTimeCount += waiting.count - kept.count
    for (before, after) in zip([nil] + kept.map(Optional.some), kept) { fill(before, after) }
    // Frames behind the last that agrees may yet learn what comes after them.
    let sure = kept.last ?? -1
    guard atEnd || sure < waiting.count / 2 else {
      repairedTimeCount -= waiting.count - 1 - sure
      return sure
    }
    for index in (sure + 1)..<max(waiting.count, sure + 1) {
      let before = index > 0 ? waiting[index - 1] : nil
      let start =
        before.flatMap { one in one.start.map { $0 + duration(of: one.frame) } }
        ?? lastStart.map { $0 + usualDuration } ?? .zero
      waiting[index].start = ticks(start, of: waiting[index].frame)
    }
    return waiting.count - 1
  }

  /// Continues where the other frames end, if most of them agree that the clock was set back.
  private mutating func followClock() {
    let starts = waiting.map(\.start)
    let free = starts.longestRise(above: nil)
    guard let first = free.first, free.count > Self.witnesses / 2, let lastStart,
      free.count > 2 * starts.longestRise(above: lastStart).count, let start = starts[first]
    else { return }
    let before = waiting[..<first].last { entry in entry.start.map { $0 > lastStart } ?? false }
    let goesOn =
      before.flatMap { one in one.start.map { $0 + duration(of: one.frame) } }
      ?? lastStart + usualDuration
    let step = goesOn - start
    delay = delay + step
    repairedTimeCount += 1
    for index in first..<waiting.count { waiting[index].start = starts[index].map { $0 + step } }
  }

  /// Spreads frames between two that keep their times, or before the first one that does.
  private mutating func fill(_ before: Int?, _ after: Int) {
    guard let end = waiting[after].start else { return }
    let first = before.map { $0 + 1 } ?? 0
    let start = before.flatMap { waiting[$0].start } ?? lastStart
    for index in first..<after {
      let time: MediaTime
      if let start {
        let (step, steps) = (Int64(index - first + 1), Int64(after - first + 1))
        let gap = end - start
        let part = gap.value / steps * step + gap.value % steps * step / steps
        time = MediaTime(value: part, timescale: gap.timescale)
        waiting[index].start = ticks(start + time, of: waiting[index].frame)
      } else {
        let missing = (index..<after).reduce(MediaTime.zero) { sum, place in
          sum + duration(of: waiting[place].frame)
        }
        waiting[index].start = ticks(end - missing, of: waiting[index].frame)
      }
    }
  }

  private func ticks(_ time: MediaTime, of frame: DecodedFrame) -> MediaTime {
    time.converted(to: frame.presentationTimeStamp?.timescale ?? time.timescale)
  }

  /// Gives the first frames that wait, as far as they are presented.
  private mutating func give(_ count: Int, lastDuration: MediaTime? = nil) -> [VideoFrame] {
    var frames: [VideoFrame] = []
    for index in 0..<count {
      guard let start = waiting[index].start else { continue }
      let frame = waiting[index].frame
      let end =
        index + 1 < waiting.count
        ? waiting[index + 1].start ?? start : start + (lastDuration ?? duration(of: frame))
      if let presented = present(frame, from: start, to: end) { frames.append(presented) }
      lastStart = start
    }
    waiting.removeFirst(count)
    return frames
  }

  private mutating func present(
    _ frame: DecodedFrame, from start: MediaTime, to end: MediaTime
  ) -> VideoFrame? {
    guard start < end else {
      droppedCount += 1
      return nil
    }
    guard timeline.presents(from: start, to: end) else {
      hiddenCount += 1
      return nil
    }
    var presented = VideoFrame(
      pixelBuffer: frame.pixelBuffer, presentationTimeStamp: start, duration: end - start,
      fieldOrder: frame.fieldOrder)
    presented.metadata = frame.metadata
    presented.followsDamage = frame.followsDamage
    return presented
  }
}

extension [MediaTime?] {
  /// The indices of the most elements that rise, all of them above a limit.
  fileprivate func longestRise(above limit: MediaTime?) -> [Int] {
    var best: [[Int]] = []
    for (index, time) in enumerated() {
      guard let time, limit.map({ $0 < time }) ?? true else { continue }
      let before = best.filter { rise in
        rise.last.flatMap { self[$0] }.map { $0 < time } ?? true
      }
      best.append((mostLikely(before) ?? []) + [index])
    }
    return mostLikely(best) ?? []
  }

  /// The longest; of several, the one that ends first: a time far away is the one that is wrong.
  private func mostLikely(_ rises: [[Int]]) -> [Int]? {
    rises.max { one, other in
      guard one.count == other.count else { return one.count < other.count }
      guard let last = one.last.flatMap({ self[$0] }), let end = other.last.flatMap({ self[$0] })
      else { return false }
      return last > end
    }
  }
}
