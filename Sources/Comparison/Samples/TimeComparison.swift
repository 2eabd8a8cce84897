// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Differences in presentation time between an output and its source, exact in ticks. Positive
/// means that the output is later.
package struct TimeComparison: Sendable {
  /// How many pairs of times were compared.
  package private(set) var count = 0
  /// The difference in the first pair of times.
  package private(set) var first: MediaTime?
  /// The difference in the last pair of times.
  package private(set) var last: MediaTime?
  /// The largest difference in either direction.
  package private(set) var largest: MediaTime?

  /// Adds a pair of times.
  mutating func add(source: MediaTime, output: MediaTime) {
    let difference = output - source
    count += 1
    first = first ?? difference
    last = difference
    if largest.map({ Self.length($0) < Self.length(difference) }) ?? true { largest = difference }
  }

  private static func length(_ time: MediaTime) -> MediaTime { max(time, .zero - time) }

  /// Compares two lists of samples, pair by pair.
  init(_ source: [TrackSurvey.Sample] = [], _ output: [TrackSurvey.Sample] = []) {
    for (one, other) in zip(source, output) {
      if let time = one.time, let otherTime = other.time { add(source: time, output: otherTime) }
    }
  }
}
