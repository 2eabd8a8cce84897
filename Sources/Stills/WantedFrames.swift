// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

/// The frames of a presentation that a selection means.
struct WantedFrames {
  /// Their places in the presentation, in the order of time; one may be there several times.
  let places: [Int]
  /// True if the time that was named is behind all frames that are there.
  private(set) var isBehindEnd = false
  /// The number of stills that was asked for, where there are fewer frames; nil where there are
  /// enough.
  private(set) var unreachedCount: Int?

  /// Time at the beginning in which a frame is looked for that is not black.
  private static let search = MediaTime(value: 5, timescale: 1)
  /// The most stills of a run.
  private static let most = 10_000.0

  /// - Throws: ``TranscodingError`` for a frame that is not there, for a time between stills that
  ///   is none, and for too many of them.
  init(_ options: StillOptions, in seeker: FrameSeeker) throws {
    let end = seeker.frames[seeker.frames.count - 1].upperBound
    switch options.selection {
    case .single(let bound):
      let time = try seeker.time(of: bound)
      places = [seeker.place(at: time)]
      isBehindEnd = time >= end
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

  /// So many frames at equal distances in time, or all where there are no more.
  private static func even(
    _ count: Int, in seeker: FrameSeeker, to end: MediaTime
  ) -> (places: [Int], unreachedCount: Int?) {
    let all = seeker.frames.indices
    guard count <= all.count else { return (Array(all), count) }
    return (even(count, to: end).map(seeker.place), nil)
  }

  /// So many times at equal distances, in the middles of equal parts.
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
    // A multiple that is the end by rounding is none.
    let count = (end.seconds / step.seconds - 1e-6).rounded(.up)
    guard count <= most else {
      throw TranscodingError(
        .invalidSettings,
        "\(path): one every \(step.seconds) s would be \(Int(min(count, 1e15))) stills, "
          + "\(Int(most)) at most are made")
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
  /// A time to the nanosecond, or to the second where that is too far away for nanoseconds.
  fileprivate init(nearest seconds: Double) {
    let scale: Int32 = abs(seconds) < 9e9 ? 1_000_000_000 : 1
    let value = (seconds * Double(scale)).rounded()
    self.init(value: Int64(exactly: value) ?? .max, timescale: scale)
  }
}
