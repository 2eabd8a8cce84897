// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The range of values that a number in a box may have.
///
/// Fields have up to 64 bits, and damaged or hostile files use all of them. Every number is checked
/// where it is read, so that later sums cannot overflow.
package struct NumberBound: Hashable, Sendable {
  /// What happens to a number out of range.
  package enum Beyond: Hashable, Sendable {
    /// The file is refused.
    case refused
    /// The nearest number in range is used, because players stop at the end of the media anyway.
    case clipped
    /// The number counts as unknown.
    case unstated
  }

  /// The box that has the field.
  package let box: FourCC
  /// The field's name in the standard.
  package let field: String
  /// The smallest value.
  package let least: Int64
  /// The largest value.
  package let most: Int64
  /// What happens to a number out of range.
  package let beyond: Beyond

  // At ten million ticks a second, this is about a hundred years. In `tfdt`, live encoders may
  // count from 1970, and even these times stay below this number.
  /// More ticks than any file has.
  private static let ticks: Int64 = 1 << 55
  /// Longer than any presentation: 68 years, in seconds.
  private static let seconds: Int64 = 1 << 31

  /// `elst`: the duration of one edit.
  static let segmentDuration = NumberBound(
    box: "elst", field: "segment_duration", least: 0, most: ticks, beyond: .clipped)

  // An edit of the media can be clipped to the media, but nothing limits an empty edit. Only the
  // sum of all edits shows that an empty edit is absurdly long.
  /// `elst`: the duration of all edits together.
  static let presentation = NumberBound(
    box: "elst", field: "sum of segment_duration", least: 0, most: ticks, beyond: .refused)
  /// `elst`: where an edit starts in the media.
  static let mediaTime = NumberBound(
    box: "elst", field: "media_time", least: -1 << 31, most: ticks, beyond: .refused)
  /// `mvhd` and `mdhd`: ticks a second.
  static let movieTimescale = NumberBound(
    box: "mvhd", field: "timescale", least: 0, most: Int64(Int32.max), beyond: .refused)
  static let mediaTimescale = NumberBound(
    box: "mdhd", field: "timescale", least: 0, most: Int64(Int32.max), beyond: .refused)
  /// `mvhd`, `tkhd`, `mdhd`: durations.
  static let movieDuration = NumberBound(
    box: "mvhd", field: "duration", least: 0, most: ticks, beyond: .unstated)
  static let trackDuration = NumberBound(
    box: "tkhd", field: "duration", least: 0, most: ticks, beyond: .unstated)
  static let mediaDuration = NumberBound(
    box: "mdhd", field: "duration", least: 0, most: ticks, beyond: .unstated)
  /// `tfdt`: the time of a fragment.
  static let decodeTimeStamp = NumberBound(
    box: "tfdt", field: "baseMediaDecodeTime", least: 0, most: ticks - 1, beyond: .unstated)
  /// `trun`: the durations of a fragment's samples together.
  static let fragmentDuration = NumberBound(
    box: "trun", field: "sum of sample_duration", least: 0, most: ticks - 1, beyond: .unstated)

  // Players read the largest 32-bit durations as negative, and then compute times that differ from
  // ours. The table would be copied unchanged, so a file with such a duration is refused.
  /// `stts`: the duration of one sample.
  static let sampleDelta = NumberBound(
    box: "stts", field: "sample_delta", least: 0, most: Int64(UInt32.max) - 480_000,
    beyond: .refused)

  /// Every bound, for tests that try each one.
  package static let all = [
    segmentDuration, presentation, mediaTime, movieTimescale, mediaTimescale, movieDuration,
    trackDuration, mediaDuration, decodeTimeStamp, fragmentDuration, sampleDelta,
  ]

  /// Returns the bound for durations in a timescale. If the timescale is known, durations are also
  /// limited to 68 years.
  func inTicks(of timescale: UInt32?) -> NumberBound {
    guard let timescale, timescale > 0 else { return self }
    return NumberBound(
      box: box, field: field, least: least, most: min(most, Self.seconds * Int64(timescale)),
      beyond: beyond)
  }

  /// Returns the number, clipped if it has to be; `nil` if the number counts as unknown.
  ///
  /// - Throws: ``ISOBMFFError/invalidField(_:field:observed:expected:)`` if the number is refused.
  func checked(_ number: some BinaryInteger) throws(ISOBMFFError) -> Int64? {
    let value = Int64(clamping: number)
    guard !(least...most).contains(value) else { return value }
    switch beyond {
    case .clipped: return min(max(value, least), most)
    case .unstated: return nil
    case .refused:
      throw .invalidField(
        box, field: field, observed: value, expected: "a number from \(least) to \(most)")
    }
  }
}
