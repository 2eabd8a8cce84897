// SPDX-License-Identifier: GPL-2.0-or-later
/// A span of time that includes its start and excludes its end: Core Media's `CMTimeRange`.
public struct MediaTimeRange: Hashable, Sendable {
  /// The first moment of the range.
  public var start: MediaTime
  /// How long the range lasts.
  public var duration: MediaTime

  /// Makes a range from its start and its duration.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// Makes a range that ends just before `end`.
  public init(start: MediaTime, end: MediaTime) { self.init(start: start, duration: end - start) }

  /// An empty range that begins at zero.
  public static let zero = MediaTimeRange(start: .zero, duration: .zero)

  /// No range (`kCMTimeRangeInvalid`).
  public static let invalid = MediaTimeRange(start: .invalid, duration: .invalid)

  /// The first moment after the range.
  public var end: MediaTime { start + duration }

  /// Whether start and duration are valid times, and the duration is not negative.
  public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }

  /// Whether the range contains no moment. An invalid range counts as empty.
  public var isEmpty: Bool { !isValid || duration == .zero }

  /// Returns whether a time is in the range.
  public func containsTime(_ time: MediaTime) -> Bool { isValid && start <= time && time < end }

  /// Returns whether another range is within this one.
  public func containsTimeRange(_ other: MediaTimeRange) -> Bool {
    isValid && other.isValid && start <= other.start && other.end <= end
  }

  /// Returns the part that two ranges share. It is empty if they do not overlap.
  public func intersection(_ other: MediaTimeRange) -> MediaTimeRange {
    guard isValid, other.isValid else { return .invalid }
    let start = max(start, other.start)
    // Without `max`, ranges that do not overlap would give a negative duration. That would be an
    // invalid range, not an empty one.
    return MediaTimeRange(start: start, end: max(start, min(end, other.end)))
  }

  /// Returns the smallest range that contains both ranges.
  public func union(_ other: MediaTimeRange) -> MediaTimeRange {
    guard isValid, other.isValid else { return .invalid }
    return MediaTimeRange(start: min(start, other.start), end: max(end, other.end))
  }
}
