// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

/// The frames of a presentation that the options select.
struct RequestedFrames {
  /// Their places in the presentation, in the order of time. A place can occur more than once.
  let places: [Int]
  /// Whether the requested time is at or after the end of the last existing frame.
  private(set) var isBeyondEnd = false
  /// How many stills were asked for, if there are fewer frames; otherwise `nil`.
  private(set) var unreachedCount: Int?

  /// How much of the beginning is searched for a frame that is not black.
  private static let search = MediaTime(value: 5, timescale: 1)
  /// The maximum number of stills at a fixed interval. A selection that needs more is refused.
  private static let most = 10_000.0

  /// - Throws: ``TranscodingError`` for a frame that does not exist, for an impossible interval
  ///   between stills, and for too many stills.
  init(_ options: StillOptions, in seeker: FrameSeeker) throws {
    let end = seeker.frames[seeker.frames.count - 1].upperBound
    switch options.selection {
    case .single(let bound):
      let time = try seeker.time(of: bound)
      places = [seeker.place(at: time)]
      isBeyondEnd = time >= end
    case .automatic:
      if let count = options.layout.usualCount {
        (places, unreachedCount) = Self.even(count, in: seeker, to: end)
      } else {
        places = [try seeker.firstLit(within: Self.search)]
      }
    case .count(let count):
      (places, unreachedCount) = Self.even(count, in: seeker, to: end)
    case .every(let step):
      places = try Self.multiples(of: step, to: end, in: seeker.path).map(seeker.place)
    }
  }

  /// Returns `count` frames at equal distances in time, or all frames if there are fewer.
  private static func even(
    _ count: Int, in seeker: FrameSeeker, to end: MediaTime
  ) -> (places: [Int], unreachedCount: Int?) {
    let all = seeker.frames.indices
    guard count <= all.count else { return (Array(all), count) }
    return (even(count, to: end).map(seeker.place), nil)
  }

  /// Returns `count` times at equal distances.
  private static func even(_ count: Int, to end: MediaTime) -> [MediaTime] {
    (0..<count).map { index in
      MediaTime(nearest: end.seconds * (Double(index) + 0.5) / Double(count))
    }
  }

  private static func multiples(
    of step: MediaTime, to end: MediaTime, in path: String
  ) throws -> [MediaTime] {
    guard step > .zero else {
      throw TranscodingError(.invalidSettings, "the time between stills has to be more than 0")
    }
    // Only multiples before the end count. A multiple that equals the end does not count, even if
    // rounding makes it a little smaller.
    let count = (end.seconds / step.seconds - 1e-6).rounded(.up)
    guard count <= most else {
      throw TranscodingError(
        .invalidSettings,
        "\(path): one still every \(step.seconds) s would make \(Int(min(count, 1e15))) stills; "
          + "the limit is \(Int(most))")
    }
    return (0..<max(Int(count), 1)).map { index in
      let (value, overflows) = step.value.multipliedReportingOverflow(by: Int64(index))
      return overflows
        ? MediaTime(nearest: step.seconds * Double(index))
        : MediaTime(value: value, timescale: step.timescale)
    }
  }
}

extension MediaTime {
  /// Rounds a time to the nanosecond or, if it is too long for that, to the second.
  fileprivate init(nearest seconds: Double) {
    // 64 bits can count the nanoseconds of 292 years. The limit here, 9e9 s, is 285 years.
    let scale: Int32 = abs(seconds) < 9e9 ? 1_000_000_000 : 1
    let value = (seconds * Double(scale)).rounded()
    self.init(value: Int64(exactly: value) ?? .max, timescale: scale)
  }
}
