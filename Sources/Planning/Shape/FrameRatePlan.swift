// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Settings

/// A grid of times that frames are brought to.
struct FrameRatePlan: Sendable {
  /// The ticks of the grid in a second.
  let rate: FrameRate
  /// True if a frame is repeated where no new one comes; false if it lasts longer.
  let repeats: Bool
  /// Ticks a second of the output's times: those of the grid are exact, those of the source where
  /// possible.
  let timescale: Int32
  /// Ticks of that from one tick of the grid to the next.
  let ticks: Int64
  /// The number of the track that the frames come from; nil for frames that a program makes.
  let track: Int?

  /// Timescales beyond are of no use to players.
  private static let largestTimescale: Int64 = 10_000_000

  /// - Returns: nil where frames stay at their own times.
  init?(_ setting: FrameRateSetting, of source: PictureSource, track: AssetTrack?) {
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

  /// The step, for people.
  var step: String {
    "\(repeats ? "repeat frames or leave them out" : "leave out frames") for \(rate.text) a second"
  }

  /// Largest number of repetitions of a frame. One that is shown for longer, as where a clock was
  /// set, is there once: otherwise a file could ask for any number of frames.
  var mostRepeats: Int64 { lastTick(before: MediaTime(value: 600, timescale: 1)) }

  /// Changes the description of frames to that of frames at the new rate.
  func change(_ pictures: inout PictureSource) {
    pictures.timescale = timescale
    pictures.frameRate = rate
    pictures.nominalFrameRate = rate.framesPerSecond
  }

  /// The tick of the grid that is nearest to a time after its beginning, the later one of two.
  func nearestTick(to time: MediaTime) -> Int64 { tick(time, addingHalf: true) }

  /// The last tick of the grid that is not after a time.
  func lastTick(before time: MediaTime) -> Int64 { tick(time, addingHalf: false) }

  private func tick(_ time: MediaTime, addingHalf: Bool) -> Int64 {
    let unit = Int128(time.timescale) * Int128(rate.denominator)
    let position = 2 * Int128(time.value) * Int128(rate.numerator) + (addingHalf ? unit : 0)
    // Rounded down, also below 0.
    let (quotient, remainder) = position.quotientAndRemainder(dividingBy: 2 * unit)
    let tick = remainder < 0 ? quotient - 1 : quotient
    let most = Int128(MediaTime.mostTicks / ticks)
    return Int64(min(max(tick, -most), most))
  }

  /// The time of a tick after the grid's beginning.
  func time(ofTick tick: Int64) -> MediaTime {
    MediaTime(value: tick * ticks, timescale: timescale)
  }
}

extension PictureSource {
  /// True if there is a second with more frames than a rate has; where no table tells, if there are
  /// more on average.
  fileprivate func exceeds(_ most: FrameRate, track: AssetTrack?) -> Bool {
    guard let box = track?.box, let times = SampleTimes(box)?.compositionTimes,
      let usual = track?.demuxed.averageFrameRate
    else { return isAbove(most) }
    // Bob doubles them.
    let factor = (frameRate.framesPerSecond / usual.framesPerSecond).rounded()
    let scale = Int64(max(box.mediaTimescale, 1))
    let limit = Int((most.framesPerSecond / max(factor, 1)).rounded(.up))
    var first = 0
    for (index, time) in times.enumerated() {
      while time - times[first] >= scale { first += 1 }
      // Times of cameras are not exact: one more may slip into a second.
      if index - first >= limit + 1 { return true }
    }
    return isAbove(most)
  }

  /// True if there are more frames on average. Clocks of cameras are not exact, but 30 are more
  /// than 29.97.
  private func isAbove(_ most: FrameRate) -> Bool {
    frameRate.framesPerSecond > most.framesPerSecond * 1.0008
  }
}
