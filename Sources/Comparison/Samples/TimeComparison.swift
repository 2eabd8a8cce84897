// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// Differences in presentation time between an output and its source, exact in ticks. Positive
/// means that the output is later.
package struct TimeComparison: Sendable {
  /// An exact span of time.
  package struct Ticks: Sendable {
    /// The number of ticks.
    package let ticks: Int64
    /// The number of ticks per second.
    package let timescale: Int32
    /// The same span in seconds, rounded.
    package let seconds: Double

    init(_ time: MediaTime) {
      (ticks, timescale, seconds) = (time.value, time.timescale, time.seconds)
    }

    /// The absolute value of the span.
    fileprivate var length: MediaTime {
      let time = MediaTime(value: ticks, timescale: timescale)
      return max(time, .zero - time)
    }
  }

  /// How many pairs of times were compared.
  package private(set) var count = 0
  /// The difference in the first pair of times.
  package private(set) var first: Ticks?
  /// The difference in the last pair of times.
  package private(set) var last: Ticks?
  /// The largest difference in either direction.
  package private(set) var largest: Ticks?

  /// Adds a pair of times.
  mutating func add(source: MediaTime, output: MediaTime) {
    let difference = Ticks(output - source)
    count += 1
    first = first ?? difference
    last = difference
    if largest.map({ $0.length < difference.length }) ?? true { largest = difference }
  }

  /// Compares two lists of samples, pair by pair.
  init(_ source: [TrackSurvey.Sample] = [], _ output: [TrackSurvey.Sample] = []) {
    for (one, other) in zip(source, output) {
      if let time = one.time, let otherTime = other.time { add(source: time, output: otherTime) }
    }
  }
}
