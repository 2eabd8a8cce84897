// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The largest value that a number of a box may have. Fields have up to 64 bits, and damage and
/// malice fill all of them: with these bounds, kept where the fields are read, no sum of them that
/// is made later overflows.
package struct NumberBound: Hashable, Sendable {
  /// The fate of a larger number.
  package enum Beyond: Hashable, Sendable {
    /// The file is refused.
    case refused
    /// It becomes the largest that there may be, as players stop at the end of the media.
    case clipped
    /// It counts as not stated.
    case unstated
  }

  /// The box.
  package let box: FourCC
  /// The field, as the standard calls it.
  package let field: String
  /// The smallest value.
  package let least: Int64
  /// The largest value.
  package let most: Int64
  /// The fate of a number beyond these.
  package let beyond: Beyond

  /// Ticks that no file has: a hundred years at ten million a second. Clocks that count since 1970
  /// stay below.
  private static let ticks: Int64 = 1 << 55
  /// Seconds that no presentation lasts: 68 years.
  private static let seconds: Int64 = 1 << 31

  /// `elst`: the duration of an edit of the media.
  static let segmentDuration = NumberBound(
    box: "elst", field: "segment_duration", least: 0, most: ticks, beyond: .clipped)
  /// `elst`: the duration of all edits together, where an empty one cannot be clipped.
  static let presentation = NumberBound(
    box: "elst", field: "sum of segment_duration", least: 0, most: ticks, beyond: .refused)
  /// `elst`: the start of an edit in the media.
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
  /// `stts`: the duration of a sample that is copied with its table. Players take the largest
  /// numbers of 32 bits for negative ones, and find other times.
  static let sampleDelta = NumberBound(
    box: "stts", field: "sample_delta", least: 0, most: Int64(UInt32.max) - 480_000,
    beyond: .refused)

  /// All bounds.
  package static let all = [
    segmentDuration, presentation, mediaTime, movieTimescale, mediaTimescale, movieDuration,
    trackDuration, mediaDuration, decodeTimeStamp, fragmentDuration, sampleDelta,
  ]

  /// The bound of a sum of durations and of one of them, where a timescale is known.
  func inTicks(of timescale: UInt32?) -> NumberBound {
    guard let timescale, timescale > 0 else { return self }
    return NumberBound(
      box: box, field: field, least: least, most: min(most, Self.seconds * Int64(timescale)),
      beyond: beyond)
  }

  /// A number within the bounds; nil for one that counts as not stated.
  ///
  /// - Throws: ``ISOBMFFError/invalidField(_:field:observed:expected:)`` for one that is refused.
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
