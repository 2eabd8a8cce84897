// SPDX-License-Identifier: GPL-2.0-or-later

/// Keeps sums of channels within full scale. In the milliseconds before a peak, all channels become
/// quieter, and after the peak they return to their own loudness. Samples far from any peak do not
/// change.
///
/// The limiter looks ahead, so samples come out later than they go in.
struct PeakLimiter {
  /// The largest sample that passes, 0.1 dB below full scale.
  private static let ceiling: Float = 0.98855
  /// Seconds to become quieter before a peak.
  private static let attack = 0.005
  /// Seconds to recover most of the loudness after a peak.
  private static let release = 0.1

  private let window: Int
  private let recovery: Float
  /// The samples of each channel that are waiting to come out. For each moment, `needed` has the
  /// gain that the loudest channel allows.
  private var waiting: [[Float]]
  private var needed: [Float] = []
  /// A gain for each of the last `window` samples that came out: the smallest value of `needed` in
  /// the window that begins at the sample, or less while the limiter recovers from a peak.
  private var least: [Float]
  private var last: Float = 1
  private var isStarted = false

  init(sampleRate: Int, channelCount: Int) {
    window = max(Int(Double(sampleRate) * Self.attack), 1)
    recovery = Float(1 / (Double(sampleRate) * Self.release))
    waiting = Array(repeating: [], count: channelCount)
    least = Array(repeating: 1, count: window)
  }

  /// Takes samples, an array for each channel, and returns those that can come out.
  mutating func limit(_ channels: [[Float]]) -> [[Float]] {
    take(channels)
    return give(needed.count - window + 1)
  }

  /// Returns the samples that are still waiting.
  mutating func finish() -> [[Float]] { give(needed.count) }

  private mutating func take(_ channels: [[Float]]) {
    for index in channels.indices { waiting[index] += channels[index] }
    for index in 0..<(channels.first?.count ?? 0) {
      var peak: Float = 0
      for channel in channels { peak = max(peak, abs(channel[index])) }
      needed.append(peak > Self.ceiling ? Self.ceiling / peak : 1)
    }
  }

  private mutating func give(_ count: Int) -> [[Float]] {
    guard count > 0 else { return waiting.map { _ in [] } }
    if !isStarted {
      // Nothing comes before the first samples, so there is no time to become quieter. Begin with
      // the gain that the first window needs.
      isStarted = true
      last = needed.prefix(window).min() ?? 1
      least = Array(repeating: last, count: window)
    }
    let gains = gains(count)
    let limited = waiting.map { channel in
      zip(channel, gains).map { sample, gain in gain == 1 ? sample : sample * gain }
    }
    for index in waiting.indices { waiting[index].removeFirst(count) }
    needed.removeFirst(count)
    return limited
  }

  /// Returns the gain of each sample: the mean of `window` values of ``least``, the last of which
  /// is the sample's own.
  private mutating func gains(_ count: Int) -> [Float] {
    // Most audio has no peak above the ceiling, and then there is nothing to search.
    if needed.allSatisfy({ $0 == 1 }), last == 1, least.allSatisfy({ $0 == 1 }) {
      return Array(repeating: 1, count: count)
    }
    var gains: [Float] = []
    gains.reserveCapacity(count)
    // A running sum of `Float` would drift. In `Double` the gain comes back to exactly 1.
    var sum = least.reduce(0) { $0 + Double($1) }
    // The indices, in rising order, of the values that can still become the smallest of a window. A
    // new value removes all earlier values that are not smaller than itself. So each index is added
    // and removed at most once, even if the window is long.
    var candidates: [Int] = []
    var (first, next) = (0, 0)
    for index in 0..<count {
      while next < min(index + window, needed.count) {
        while candidates.count > first, needed[candidates[candidates.count - 1]] >= needed[next] {
          candidates.removeLast()
        }
        candidates.append(next)
        next += 1
      }
      if candidates[first] < index { first += 1 }
      let ahead = needed[candidates[first]]
      last = min(ahead, last + (1 - last) * recovery)
      // Recovery only approaches 1. Without this jump, all later samples would change a little.
      if last > 0.9999 && ahead == 1 { last = 1 }
      sum += Double(last) - Double(least[index])
      least.append(last)
      gains.append(Float(min(sum / Double(window), 1)))
    }
    least.removeFirst(count)
    return gains
  }
}
