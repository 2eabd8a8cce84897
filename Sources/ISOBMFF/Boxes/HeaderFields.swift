// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The fields that `mvhd`, `tkhd` and `mdhd` share, in the short form (version 0) and in the long
/// form (version 1).
package struct HeaderFields: Hashable, Sendable {
  /// When the movie, track or media was made, in seconds since 1904-01-01 UTC.
  package var creationTime: UInt64
  /// When the movie, track or media was last changed, in seconds since 1904-01-01 UTC.
  package var modificationTime: UInt64
  /// The timescale, in ticks a second; `nil` for `tkhd`, whose duration is in the movie's
  /// timescale.
  package let timescale: UInt32?
  /// The track's ID; `nil` for boxes other than `tkhd`.
  package var trackID: UInt32?
  /// The duration; `UInt64.max` if unknown.
  package var duration: UInt64

  /// The type of the box.
  private let type: FourCC
  /// The flags. In `tkhd` they say whether a track is enabled, and whether the movie and the
  /// preview use it.
  package var flags: UInt32
  // Everything after the duration is kept as bytes, so that changing a date or a duration loses
  // nothing.
  private var rest: [UInt8]

  /// Reads the fields of a header box.
  package init(_ box: Box) throws(ISOBMFFError) {
    type = box.type
    var reader = ByteReader(box.fields)
    do {
      let word = try reader.integer(UInt32.self)
      let isLong = word >> 24 == 1
      flags = word & 0xFF_FFFF
      func number(_ reader: inout ByteReader) throws(BitstreamError) -> UInt64 {
        isLong ? try reader.integer(UInt64.self) : UInt64(try reader.integer(UInt32.self))
      }
      creationTime = try number(&reader)
      modificationTime = try number(&reader)
      if type == "tkhd" {
        timescale = nil
        trackID = try reader.integer(UInt32.self)
        try reader.skip(4)
      } else {
        timescale = try reader.integer(UInt32.self)
        trackID = nil
      }
      let stated = try number(&reader)
      // A duration whose 32 or 64 bits are all 1 means "unknown" (8.2.2.3).
      duration = !isLong && stated == UInt64(UInt32.max) ? .max : stated
      rest = reader.rest()
    } catch {
      throw .shortPayload(box.type, error)
    }
    let bounds = Self.bounds(of: type)
    duration = try bounds.duration.checked(duration).map { UInt64($0) } ?? .max
    if let timescale { _ = try bounds.timescale?.checked(timescale) }
  }

  /// Returns the bounds of the duration and the timescale in a box.
  private static func bounds(
    of type: FourCC
  ) -> (duration: NumberBound, timescale: NumberBound?) {
    switch type {
    case "mvhd": (.movieDuration, .movieTimescale)
    case "tkhd": (.trackDuration, nil)
    default: (.mediaDuration, .mediaTimescale)
    }
  }

  /// Adds to the duration. An unknown duration stays unknown.
  package mutating func lengthen(by ticks: UInt64) {
    let (sum, overflow) = duration.addingReportingOverflow(ticks)
    duration = overflow ? .max : sum
  }

  /// Returns the box with these fields, in its short form if all values fit.
  package func box(_ original: Box) -> Box {
    let isUnknown = duration == .max
    // A known duration of 2^32 − 1 needs the long form, because the short form would say "unknown".
    let isLong =
      max(creationTime, modificationTime) > UInt64(UInt32.max)
      || (!isUnknown && duration >= UInt64(UInt32.max))
    var writer = ByteWriter()
    func append(_ value: UInt64) {
      if isLong {
        writer.append(value)
      } else {
        writer.append(UInt32(truncatingIfNeeded: value))
      }
    }
    writer.append((isLong ? 0x0100_0000 : 0) | flags)
    append(creationTime)
    append(modificationTime)
    writer.append(trackID ?? timescale ?? 0)
    if type == "tkhd" { writer.append(UInt32(0)) }
    append(duration)
    writer.append(rest)
    var box = original
    box.fields = writer.bytes
    return box
  }

  // After the duration, `tkhd` has 16 bytes (reserved, layer, alternate group, volume), then a
  // matrix of nine numbers, then width and height (8.3.2.2).
  private static let matrixOffset = 16

  /// The transformation matrix of `tkhd`: nine numbers in 16.16 fixed point, except for the last
  /// column, which is in 2.30.
  package var matrix: [Int32]? {
    get {
      var reader = ByteReader(rest, at: Self.matrixOffset)
      guard type == "tkhd", reader.remaining >= 44 else { return nil }
      return (0..<9).compactMap { _ in
        (try? reader.integer(UInt32.self)).map { Int32(bitPattern: $0) }
      }
    }
    set {
      guard type == "tkhd", let newValue, newValue.count == 9, rest.count >= 60 else { return }
      var writer = ByteWriter()
      for value in newValue { writer.append(value) }
      rest.replaceSubrange(Self.matrixOffset..<Self.matrixOffset + 36, with: writer.bytes)
    }
  }

  /// Overwrites a number in the fields after the duration.
  private mutating func replace(_ value: some FixedWidthInteger, at offset: Int) {
    var writer = ByteWriter()
    writer.append(value)
    rest.replaceSubrange(offset..<offset + writer.bytes.count, with: writer.bytes)
  }

  // A language has three letters of ISO 639-2, in 5 bits each (8.4.2.3). Three letters never give a
  // value below 0x400, so a value below that is one of QuickTime's language codes.
  /// The packed language of `mdhd`; `nil` for other boxes.
  package var language: UInt16? {
    get {
      var reader = ByteReader(rest, at: 0)
      return type == "mdhd" ? try? reader.integer() : nil
    }
    set {
      guard type == "mdhd", rest.count >= 2, let newValue else { return }
      replace(newValue, at: 0)
    }
  }

  /// Copies the fields that say how players present a track or movie: layer, alternate group and
  /// volume of `tkhd`, or rate and volume of `mvhd`.
  package mutating func takePresentation(from other: HeaderFields) {
    let bytes = type == "tkhd" ? 8..<14 : 0..<6
    guard type == other.type, type != "mdhd", rest.count >= bytes.upperBound,
      other.rest.count >= bytes.upperBound
    else { return }
    rest.replaceSubrange(bytes, with: other.rest[bytes])
  }

  /// `next_track_ID` of `mvhd`, which is above all track IDs; `nil` for other boxes.
  package var nextTrackID: UInt32? {
    get {
      var reader = ByteReader(rest, at: rest.count - 4)
      return type == "mvhd" && rest.count >= 4 ? try? reader.integer() : nil
    }
    set {
      guard type == "mvhd", rest.count >= 4, let newValue else { return }
      replace(newValue, at: rest.count - 4)
    }
  }

  /// `alternate_group` of `tkhd`: a player chooses one track of the group. 0 if the track is in no
  /// group, `nil` for other boxes.
  package var alternateGroup: UInt16? {
    get {
      var reader = ByteReader(rest, at: 10)
      return type == "tkhd" ? try? reader.integer() : nil
    }
    set {
      guard type == "tkhd", rest.count >= 12, let newValue else { return }
      replace(newValue, at: 10)
    }
  }

  /// A track's size on the screen.
  package struct DisplaySize: Hashable, Sendable {
    /// The width in pixels, 16.16 fixed point.
    package var width: UInt32
    /// The height in pixels, 16.16 fixed point.
    package var height: UInt32

    package init(width: UInt32, height: UInt32) {
      self.width = width
      self.height = height
    }
  }

  /// The display size in `tkhd`; `nil` for other boxes.
  package var displaySize: DisplaySize? {
    get {
      var reader = ByteReader(rest, at: Self.matrixOffset + 36)
      guard type == "tkhd", let width = try? reader.integer(UInt32.self),
        let height = try? reader.integer(UInt32.self)
      else { return nil }
      return DisplaySize(width: width, height: height)
    }
    set {
      guard type == "tkhd", let newValue, rest.count >= 60 else { return }
      var writer = ByteWriter()
      writer.append(newValue.width)
      writer.append(newValue.height)
      rest.replaceSubrange(
        Self.matrixOffset + 36..<Self.matrixOffset + 44, with: writer.bytes)
    }
  }
}
