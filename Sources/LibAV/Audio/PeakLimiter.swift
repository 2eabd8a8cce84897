// SPDX-License-Identifier: GPL-2.0-or-later

/// Keeps sums of channels within full scale: before a peak that is above it, all channels become
/// quieter within some milliseconds, and after it as loud as they were. Where there is no such
/// peak, samples stay as they are.
///
/// A peak is seen before it comes, so that samples come out later than they go in.
struct PeakLimiter {
  /// The largest sample that is let through: −0.1 dB below full scale.
  private static let ceiling: Float = 0.98855
  /// Seconds in which it becomes quieter.
  private static let attack = 0.005
  /// Seconds in which most of it is as loud again.
  private static let release = 0.1

  private let window: Int
  private let recovery: Float
  /// Samples that are still to come out, each with the gain that its own peak needs.
  private var waiting: [[Float]]
  private var needed: [Float] = []
  /// Values of the samples before: the least gain that the window behind each needs, or what it has
  /// recovered to.
  private var least: [Float]
  private var last: Float = 1
  private var isStarted = false

  init(sampleRate: Int, channelCount: Int) {
    window = max(Int(Double(sampleRate) * Self.attack), 1)
    recovery = Float(1 / (Double(sampleRate) * Self.release))
    waiting = Array(repeating: [], count: channelCount)
    least = Array(repeating: 1, count: window)
  }

  /// The samples that can come out when these have come in, an array for each channel.
  mutating func limit(_ channels: [[Float]]) -> [[Float]] {
    take(channels)
    return give(needed.count - window + 1)
  }

  /// The samples that are still inside.
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
      // The first samples have nothing before them to become quieter in.
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

  /// The gain of a sample is the mean of the last values of ``least``, each of which sees it.
  private mutating func gains(_ count: Int) -> [Float] {
    // Most audio has no such peak: nothing is to be looked for.
    if needed.allSatisfy({ $0 == 1 }), last == 1, least.allSatisfy({ $0 == 1 }) {
      return Array(repeating: 1, count: count)
    }
    var gains: [Float] = []
    gains.reserveCapacity(count)
    var sum = least.reduce(0) { $0 + Double($1) }
    // The places of values that may be the least ahead, which rise from the first to the last.
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
      if last > 0.9999 && ahead == 1 { last = 1 }
      sum += Double(last) - Double(least[index])
      least.append(last)
      gains.append(Float(min(sum / Double(window), 1)))
    }
    least.removeFirst(count)
    return gains
  }
}
