// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// Differences of presentation times of an output from those of its source. Differences are exact,
/// in ticks; positive where the output is later.
package struct TimeComparison: Sendable, Encodable {
  /// A span of time, exactly.
  package struct Ticks: Sendable, Encodable {
    /// The ticks.
    package let ticks: Int64
    /// Ticks a second.
    package let timescale: Int32
    /// The span in seconds, rounded.
    package let seconds: Double

    init(_ time: MediaTime) {
      (ticks, timescale, seconds) = (time.value, time.timescale, time.seconds)
    }

    /// The span, whatever its sign.
    fileprivate var length: MediaTime {
      let time = MediaTime(value: ticks, timescale: timescale)
      return max(time, .zero - time)
    }

    var text: String { ticks == 0 ? "0" : "\(ticks)/\(timescale) s" }
  }

  /// The number of times that were compared.
  package private(set) var count = 0
  /// The difference of the first two times; nil for none.
  package private(set) var first: Ticks?
  /// The difference of the last two.
  package private(set) var last: Ticks?
  /// The largest difference, earlier or later.
  package private(set) var largest: Ticks?

  /// Compares two times.
  mutating func add(source: MediaTime, output: MediaTime) {
    let difference = Ticks(output - source)
    count += 1
    first = first ?? difference
    last = difference
    if largest.map({ $0.length < difference.length }) ?? true { largest = difference }
  }

  /// Compares samples one by one.
  init(_ source: [TrackSurvey.Sample] = [], _ output: [TrackSurvey.Sample] = []) {
    for (one, other) in zip(source, output) {
      if let time = one.time, let otherTime = other.time { add(source: time, output: otherTime) }
    }
  }

  /// Text of the comparison, for people.
  var text: String {
    guard let first, let last, let largest else { return "none" }
    return "differ by \(first.text) at the start, \(last.text) at the end, \(largest.text) at most"
  }
}

extension MediaTime {
  /// Seconds as a fraction in lowest terms, which is the same for equal times: `1001/30000 s`.
  var fraction: String {
    var (a, b) = (value.magnitude, UInt64(timescale))
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int64(clamping: max(a, 1))
    let (top, bottom) = (value / divisor, Int64(timescale) / divisor)
    return bottom == 1 ? "\(top) s" : "\(top)/\(bottom) s"
  }
}
