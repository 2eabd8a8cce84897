// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import MediaCore

/// A requested part of a presentation. It is half-open, and includes every frame that intersects
/// it.
package struct TimeRange: Hashable, Sendable {
  /// A start or an end, as a user gives it.
  package enum Bound: Hashable, Sendable {
    /// A time of the presentation.
    case time(MediaTime)
    /// A time of the presentation, in ticks of the video track.
    case ticks(Int64)
    /// The start of a presented frame, counted from 0.
    case frame(Int)
    /// The start of the frame that has this time code.
    case timeCode(TimeCodeLabel)
  }

  /// Where the part begins, or `nil` for the start of the presentation.
  package var start: Bound?
  /// Where the part ends, or `nil` for the end of the presentation.
  package var end: Bound?

  package init(start: Bound? = nil, end: Bound? = nil) {
    self.start = start
    self.end = end
  }

  /// Whether the range is empty in every file, because its end is not later than its start.
  package var isEmpty: Bool {
    switch (start, end) {
    case (.time(let start)?, .time(let end)?): end <= start
    case (.ticks(let start)?, .ticks(let end)?): end <= start
    case (.frame(let start)?, .frame(let end)?): end <= start
    // Bounds of different kinds can only be compared to each other once the file is known.
    default: false
    }
  }
}

extension TimeRange.Bound {
  /// The spellings of bounds, as text for a message.
  package static let spellings =
    "seconds (12.5), h:mm:ss.fff (0:00:12.500), @7500 for ticks of the video track, 375f for "
    + "presented frame 375, counted from 0, or the file's time code (10:00:12:12, drop frame "
    + "10:00:12;12)"

  /// The bound as `init(spelling:)` reads it, to the nanosecond.
  package var spelling: String {
    switch self {
    case .time(let time):
      // The number 1, put in front of the nine digits, keeps their leading zeros.
      let (seconds, rest) = time.converted(to: 1_000_000_000).value
        .quotientAndRemainder(dividingBy: 1_000_000_000)
      return "\(seconds).\(String("\(1_000_000_000 + rest)".dropFirst()))"
    case .ticks(let ticks): return "@\(ticks)"
    case .frame(let number): return "\(number)f"
    case .timeCode(let label): return "\(label)"
    }
  }

  /// Reads a bound as typed on the command line. Returns `nil` for other text.
  package init?(spelling text: String) {
    if text.hasPrefix("@") {
      guard let ticks = Self.number(text.dropFirst()) else { return nil }
      self = .ticks(ticks)
    } else if text.hasSuffix("f") {
      guard let number = Self.number(text.dropLast()), let frame = Int(exactly: number) else {
        return nil
      }
      self = .frame(frame)
    } else if let label = TimeCodeLabel(text) {
      self = .timeCode(label)
    } else {
      guard let time = Self.time(text) else { return nil }
      self = .time(time)
    }
  }

  /// Reads up to 15 digits without a sign.
  private static func number(_ text: Substring) -> Int64? {
    // `Int64` would accept a sign. Fifteen digits are more than any file needs.
    guard (1...15).contains(text.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }

  /// Reads seconds, m:ss or h:mm:ss. Only the first part may be 60 or more.
  private static func time(_ text: String) -> MediaTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let last = parts.last.flatMap(decimal) else { return nil }
    let numbers = parts.dropLast().compactMap { number($0) } + [last.whole]
    guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 }),
      // A billion hours, minutes or seconds can only be a typing error. Smaller numbers still fit
      // into `Int64` after they are multiplied by 60 × 60.
      numbers.allSatisfy({ $0 < 1_000_000_000 })
    else { return nil }
    return MediaTime(value: numbers.reduce(0) { $0 * 60 + $1 }, timescale: 1) + last.fraction
  }

  /// Reads a decimal number. Digits beyond the ninth after the point are ignored.
  private static func decimal(_ text: Substring) -> (whole: Int64, fraction: MediaTime)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts[0].isEmpty && parts.count == 2 ? 0 : number(parts[0]) else {
      return nil
    }
    guard parts.count == 2 else { return (whole, .zero) }
    guard number(parts[1]) != nil, let value = number(parts[1].prefix(9)) else { return nil }
    // Read nine digits, because a billion is the largest power of ten that fits into an `Int32`.
    let scale = parts[1].prefix(9).reduce(Int32(1)) { scale, _ in scale * 10 }
    return (whole, MediaTime(value: value, timescale: scale))
  }
}
