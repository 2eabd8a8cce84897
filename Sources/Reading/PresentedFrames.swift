// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

/// Turns decoded frames into the frames that the track presents, with exact times.
struct PresentedFrames {
  // A frame lasts until the next one begins, so one frame is always held back. Durations in the
  // container follow decoding order, and are wrong for reordered frames.

  private let timeline: EditTimeline
  private let usualDuration: MediaTime
  /// The frames that are held back, each with its start time if that time is plausible.
  private var waiting: [(frame: DecodedFrame, start: MediaTime?)] = []
  /// Start time of the last frame that was returned.
  private var lastStart: MediaTime?
  /// The time to add to the stated times of all further frames, because the file's clock was set
  /// back.
  private var delay = MediaTime.zero

  /// Number of decoded frames that no edit presents.
  private(set) var hiddenCount = 0
  /// Number of frames whose time was missing or contradicted other times, plus the number of places
  /// where the clock was set back.
  private(set) var repairedTimeCount = 0
  /// The number of frames with no time left between their neighbors.
  private(set) var droppedCount = 0

  /// A frame whose time is certain.
  enum Settled {
    case presented(VideoFrame)
    /// A frame that is not presented. Later frames may still need its metadata.
    case hidden(FrameMetadata)
  }

  /// If times contradict each other, this many frames are collected, and their majority decides.
  private static let witnesses = 8
  /// If the step to the next frame is longer than this, the next frame's time may be wrong.
  private static let longStep = MediaTime(value: 1, timescale: 1)

  /// - Parameter usualDuration: the duration to use for a frame if the container states none.
  init(timeline: EditTimeline, usualDuration: MediaTime) {
    self.timeline = timeline
    self.usualDuration = usualDuration
  }

  /// Takes the next frame and returns the earlier ones whose times are certain.
  mutating func add(_ frame: DecodedFrame) -> [Settled] {
    waiting.append((frame, plausibleStart(of: frame)))
    // Usually, two frames are in order. Only after a contradiction are several frames held back.
    if waiting.count == 2, let first = waiting[0].start, let second = waiting[1].start,
      first < second, second <= first + Self.longStep
    {
      return give(1)
    }
    guard waiting.count >= Self.witnesses else { return [] }
    return give(settle(atEnd: false))
  }

  /// Returns the remaining frames.
  ///
  /// - Parameter lastDuration: returns the duration of the last frame, given its start time. If it
  ///   returns `nil`, the frame keeps its own duration.
  mutating func finish(lastDuration: (MediaTime) -> MediaTime?) -> [Settled] {
    _ = settle(atEnd: true)
    return give(waiting.count, lastDuration: waiting.last?.start.flatMap(lastDuration))
  }

  /// Returns the start time that a frame states, or `nil` if that time is impossibly far from the
  /// time of the frame before.
  private func plausibleStart(of frame: DecodedFrame) -> MediaTime? {
    guard let start = frame.presentationTimeStamp.map({ $0 + delay }) else { return nil }
    guard let before = waiting.last(where: { $0.start != nil })?.start ?? lastStart else {
      return start
    }
    // `stts` and `ctts` contain 32-bit durations, so no movie can state a larger step.
    return (start - before).value.magnitude <= UInt64(Int32.max) ? start : nil
  }

  private func duration(of frame: DecodedFrame) -> MediaTime {
    frame.duration > .zero ? frame.duration : usualDuration
  }

  /// Decides the times of all waiting frames. The largest group of frames whose times agree keeps
  /// its times.
  ///
  /// - Returns: how many frames are settled.
  private mutating func settle(atEnd: Bool) -> Int {
    followClock()
    let kept = waiting.map(\.start).longestRise(above: lastStart)
    repairedTimeCount += waiting.count - kept.count
    for (before, after) in zip([nil] + kept.map(Optional.some), kept) { fill(before, after) }
    // The times after the last one that agrees are still uncertain, so their frames wait for more
    // frames.
    let sure = kept.last ?? -1
    guard atEnd || sure < waiting.count / 2 else {
      repairedTimeCount -= waiting.count - 1 - sure
      return sure
    }
    // Either the track ends, or no frame in the second half of the waiting frames has a time that
    // agrees. Each frame after the last one that agrees begins where the previous frame ends.
    for index in (sure + 1)..<max(waiting.count, sure + 1) {
      let before = index > 0 ? waiting[index - 1] : nil
      let start =
        before.flatMap { one in one.start.map { $0 + duration(of: one.frame) } }
        ?? lastStart.map { $0 + usualDuration } ?? .zero
      waiting[index].start = ticks(start, of: waiting[index].frame)
    }
    return waiting.count - 1
  }

  /// If most waiting frames agree that the clock was set back, moves them to where the earlier
  /// frames end.
  private mutating func followClock() {
    let starts = waiting.map(\.start)
    let free = starts.longestRise(above: nil)
    // Require that more than half of the frames agree on a new clock, and that they are more than
    // twice as many as fit the old clock. If fewer frames agree, the old clock may be right and
    // their times wrong.
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

  /// Spreads frames evenly between two frames that keep their times. If there is no earlier frame,
  /// counts back from the later one.
  private mutating func fill(_ before: Int?, _ after: Int) {
    guard let end = waiting[after].start else { return }
    let first = before.map { $0 + 1 } ?? 0
    let start = before.flatMap { waiting[$0].start } ?? lastStart
    for index in first..<after {
      let time: MediaTime
      if let start {
        let (step, steps) = (Int64(index - first + 1), Int64(after - first + 1))
        let gap = end - start
        // Dividing first keeps products of large gaps within 64 bits.
        let part = gap.value / steps * step + gap.value % steps * step / steps
        time = MediaTime(value: part, timescale: gap.timescale)
        waiting[index].start = ticks(start + time, of: waiting[index].frame)
      } else {
        // No frame comes before, so count back by the durations from the first frame that keeps its
        // time.
        let missing = (index..<after).reduce(MediaTime.zero) { sum, place in
          sum + duration(of: waiting[place].frame)
        }
        waiting[index].start = ticks(end - missing, of: waiting[index].frame)
      }
    }
  }

  private func ticks(_ time: MediaTime, of frame: DecodedFrame) -> MediaTime {
    // Edits and `stts` are in ticks of the track, so a computed time must be a whole number of
    // ticks, too.
    time.converted(to: frame.presentationTimeStamp?.timescale ?? time.timescale)
  }

  /// Removes and returns the first waiting frames, in presentation order.
  private mutating func give(_ count: Int, lastDuration: MediaTime? = nil) -> [Settled] {
    var frames: [Settled] = []
    for index in 0..<count {
      guard let start = waiting[index].start else { continue }
      let frame = waiting[index].frame
      let end =
        index + 1 < waiting.count
        ? waiting[index + 1].start ?? start : start + (lastDuration ?? duration(of: frame))
      frames.append(present(frame, from: start, to: end))
      lastStart = start
    }
    waiting.removeFirst(count)
    return frames
  }

  private mutating func present(
    _ frame: DecodedFrame, from start: MediaTime, to end: MediaTime
  ) -> Settled {
    // If two frames have the same time, only the later one can be shown.
    guard start < end else {
      droppedCount += 1
      return .hidden(frame.metadata)
    }
    guard timeline.presents(from: start, to: end) else {
      hiddenCount += 1
      return .hidden(frame.metadata)
    }
    var presented = VideoFrame(
      pixelBuffer: frame.pixelBuffer, presentationTimeStamp: start, duration: end - start,
      fieldOrder: frame.fieldOrder)
    presented.metadata = frame.metadata
    presented.followsDamage = frame.followsDamage
    return .presented(presented)
  }
}

extension [MediaTime?] {
  /// Returns the indices of the longest rising subsequence above a limit.
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

  /// Returns the longest of several sequences. If two are equally long, returns the one whose last
  /// time is earlier.
  private func mostLikely(_ rises: [[Int]]) -> [Int]? {
    // A single wrong time far in the future also makes a rising sequence, but one that ends late.
    rises.max { one, other in
      guard one.count == other.count else { return one.count < other.count }
      guard let last = one.last.flatMap({ self[$0] }), let end = other.last.flatMap({ self[$0] })
      else { return false }
      return last > end
    }
  }
}
