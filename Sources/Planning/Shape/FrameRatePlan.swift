// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Settings

/// A regular grid of times for frames.
struct FrameRatePlan: Sendable {
  /// The number of grid ticks per second.
  let rate: FrameRate
  /// Whether frames are repeated to fill the grid. If not, they last longer.
  let repeats: Bool
  /// The timescale of the output's times, in ticks a second.
  let timescale: Int32
  /// How many ticks of ``timescale`` make one tick of the grid.
  let ticks: Int64
  /// The ID of the track that frames come from, if any.
  let track: Int?

  /// The finest timescale to use. Players gain nothing from finer timescales.
  private static let largestTimescale: Int64 = 10_000_000

  /// - Returns: `nil` if frames keep their own times.
  init?(_ setting: FrameRateSetting, of source: FrameSource, track: AssetTrack?) {
    self.track = track?.demuxed.id
    switch setting {
    case .source: return nil
    case .exactly(let wanted): (rate, repeats) = (wanted.reduced, true)
    case .atMost(let most):
      guard source.exceeds(most, track: track) else { return nil }
      (rate, repeats) = (most.reduced, false)
    }
    guard let base = Int32(exactly: rate.numerator), Int32(exactly: rate.denominator) != nil else {
      return nil
    }
    // The timescale must express the grid's times exactly. Below 600 it would be too coarse for
    // audio and edits. The common multiple with the source's timescale also keeps edit times exact.
    var scale = Int64(base)
    while scale < 600 { scale *= 2 }
    let common = Self.leastCommonMultiple(Int64(base), Int64(source.timescale))
    if (600...Self.largestTimescale).contains(common) { scale = common }
    timescale = Int32(clamping: scale)
    ticks = scale / Int64(base) * Int64(rate.denominator)
  }

  private static func leastCommonMultiple(_ left: Int64, _ right: Int64) -> Int64 {
    var (a, b) = (left, right)
    while b != 0 { (a, b) = (b, a % b) }
    return left / a * right
  }

  /// The step as text.
  var step: String {
    "\(repeats ? "repeat or leave out frames" : "leave out frames") to get \(rate.text) a second"
  }

  // A long gap appears if a camera's clock was set while it recorded. Without a limit, a small file
  // could ask for any number of frames.
  /// The largest number of ticks that a frame fills by repetition, which is enough for ten minutes.
  /// A frame that would have to fill more ticks is written once and lasts longer.
  var mostRepeats: Int64 { lastTick(before: MediaTime(value: 600, timescale: 1)) }

  /// Changes a description of frames to describe frames at the new rate.
  func change(_ frameSource: inout FrameSource) {
    frameSource.timescale = timescale
    frameSource.frameRate = rate
    frameSource.nominalFrameRate = rate.framesPerSecond
  }

  /// Returns the grid tick nearest to a time. The time counts from the grid's start. Of two equally
  /// near ticks, returns the later one.
  func nearestTick(to time: MediaTime) -> Int64 { tick(time, addingHalf: true) }

  /// Returns the last grid tick that is not after a time. The time counts from the grid's start.
  func lastTick(before time: MediaTime) -> Int64 { tick(time, addingHalf: false) }

  private func tick(_ time: MediaTime, addingHalf: Bool) -> Int64 {
    // The product of a 32-bit timescale and a 64-bit time needs more than 64 bits.
    let unit = Int128(time.timescale) * Int128(rate.denominator)
    let position = 2 * Int128(time.value) * Int128(rate.numerator) + (addingHalf ? unit : 0)
    // Division truncates toward zero, but ticks are rounded down even below 0.
    let (quotient, remainder) = position.quotientAndRemainder(dividingBy: 2 * unit)
    let tick = remainder < 0 ? quotient - 1 : quotient
    let most = Int128(MediaTime.mostTicks / ticks)
    return Int64(min(max(tick, -most), most))
  }

  /// Returns the time of a tick, counted from the grid's start.
  func time(ofTick tick: Int64) -> MediaTime {
    MediaTime(value: tick * ticks, timescale: timescale)
  }
}

extension FrameSource {
  /// Returns whether the average rate, or the number of frames in any second, is above a rate.
  /// Without a sample table, only the average rate counts.
  fileprivate func exceeds(_ most: FrameRate, track: AssetTrack?) -> Bool {
    guard let box = track?.box, let times = SampleTimes(box)?.compositionTimes,
      let usual = track?.demuxed.averageFrameRate
    else { return isAbove(most) }
    // If bob deinterlacing has doubled the rate, the table still lists the source's frames.
    let factor = (frameRate.framesPerSecond / usual.framesPerSecond).rounded()
    let scale = Int64(max(box.mediaTimescale, 1))
    let limit = Int((most.framesPerSecond / max(factor, 1)).rounded(.up))
    var first = 0
    for (index, time) in times.enumerated() {
      while time - times[first] >= scale { first += 1 }
      // Cameras' clocks jitter, so one more frame may slip into a second.
      if index - first >= limit + 1 { return true }
    }
    return isAbove(most)
  }

  /// Returns whether the average frame rate is higher than a rate.
  private func isAbove(_ most: FrameRate) -> Bool {
    // 30 is 1.001 times 29.97 and has to count as higher. The jitter of cameras' clocks changes the
    // average by less than that, and must not count.
    frameRate.framesPerSecond > most.framesPerSecond * 1.0008
  }
}
