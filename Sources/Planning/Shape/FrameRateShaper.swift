// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// Resamples frames to a regular grid of times that begins with the first frame. Each tick shows
/// the frame that begins nearest to it. If no frame begins within half a tick of it, the previous
/// frame continues.
final class FrameRateShaper: FrameShaper {
  private let plan: FrameRatePlan
  /// When the grid begins, or `nil` before the first frame.
  private var origin: MediaTime?
  /// The first tick for which no frame was handed on.
  private var tick: Int64 = 0
  /// The frame chosen for `tick`.
  private var chosen: VideoFrame?
  /// The frame that was added most recently.
  private var latest: VideoFrame?
  /// Whether a frame that begins a shot was left out before the chosen frame, or after it. Metadata
  /// marks the first frame of a shot. If that frame is left out, the next frame must carry the
  /// mark.
  private var (missesBefore, missesBehind) = (false, false)
  /// Notices about frames that would have to be repeated too often, and are written once instead.
  private(set) var notices: [Notice] = []

  init(_ plan: FrameRatePlan) { self.plan = plan }

  func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    let begin = origin ?? frame.presentationTimeStamp
    origin = begin
    let start = frame.presentationTimeStamp - begin
    let wanted = plan.nearestTick(to: start)
    guard let chosen, let latest else {
      (self.chosen, self.latest) = (frame, frame)
      return
    }
    if latest.end < frame.presentationTimeStamp {
      // There is a gap, as with an empty edit: nothing is presented between `latest` and `frame`.
      // Resume at the last tick that is not after the beginning of `frame`.
      try give(until: min(endTick(of: latest, begin), wanted), to: next)
      tick = max(tick, plan.lastTick(before: start))
      (self.chosen, self.latest) = (frame, frame)
    } else if wanted > tick {
      try give(until: wanted, to: next)
      (self.chosen, self.latest) = (frame, frame)
    } else {
      let time = plan.time(ofTick: tick)
      let isBehind = latest.presentationTimeStamp != chosen.presentationTimeStamp
      if isBehind { missesBehind = missesBehind || latest.beginsShot }
      if distance(start, time) < distance(chosen.presentationTimeStamp - begin, time) {
        missesBefore = missesBefore || missesBehind || chosen.beginsShot
        missesBehind = false
        self.chosen = frame
      }
      self.latest = frame
    }
  }

  func finish(to next: FrameTaker) throws {
    guard let latest, let origin else { return }
    try give(until: endTick(of: latest, origin), to: next)
    (chosen, self.latest) = (nil, nil)
  }

  /// Returns the tick at which the last frame ends, before a gap or at the end of the track.
  private func endTick(of frame: VideoFrame, _ origin: MediaTime) -> Int64 {
    // Take the nearest tick, so that the total is at most half a tick longer or shorter. Take at
    // least 1, because a very short clip would have no frame otherwise.
    max(plan.nearestTick(to: frame.end - origin), 1)
  }

  private func distance(_ one: MediaTime, _ other: MediaTime) -> MediaTime {
    one < other ? other - one : one - other
  }

  /// Hands on frames up to a tick.
  private func give(until end: Int64, to next: FrameTaker) throws {
    guard let chosen, let latest, end > tick else { return }
    let isLatest = chosen.presentationTimeStamp == latest.presentationTimeStamp
    let repeats = plan.repeats && end - tick <= plan.mostRepeats
    if plan.repeats, !repeats { tellHold(until: end) }
    let first = repeats || !isLatest ? tick + 1 : end
    // If a newer frame came within the first tick, the chosen one fills only that tick.
    try next(frame(missesBefore ? chosen.beginningShot : chosen, from: tick, to: first))
    var shown = isLatest || !missesBehind ? latest : latest.beginningShot
    if !isLatest, first == end {
      missesBefore = missesBehind || latest.beginsShot
    } else {
      missesBefore = false
    }
    missesBehind = false
    var tick = first
    while tick < end {
      let stop = repeats ? tick + 1 : end
      try next(frame(shown, from: tick, to: stop))
      shown = latest
      tick = stop
    }
    self.tick = end
  }

  private func tellHold(until end: Int64) {
    notices.append(
      .frameHeld(
        plan.track, from: (origin ?? .zero) + plan.time(ofTick: tick),
        lasting: plan.time(ofTick: end - tick)))
  }

  private func frame(_ frame: VideoFrame, from start: Int64, to end: Int64) -> VideoFrame {
    var frame = frame
    // Each time is computed from the tick, so rounding errors do not add up.
    let begin = (origin ?? .zero).converted(to: plan.timescale)
    frame.presentationTimeStamp = begin + plan.time(ofTick: start)
    frame.duration = plan.time(ofTick: end - start)
    return frame
  }
}

extension VideoFrame {
  /// Whether the frame begins a shot, according to its metadata.
  var beginsShot: Bool { metadata.beginsShot }

  /// The frame, marked as the first of its shot because earlier frames of the shot are left out.
  fileprivate var beginningShot: VideoFrame {
    var frame = self
    frame.metadata = metadata.map { $0.beginningShot }
    return frame
  }
}
