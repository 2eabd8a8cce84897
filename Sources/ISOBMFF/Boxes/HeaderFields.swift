// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The fields that `mvhd`, `tkhd` and `mdhd` have in common: they come in a short version (0) and
/// a long one (1), and are read and changed in place, so that all others survive.
package struct HeaderFields: Hashable, Sendable {
  private enum Kind {
    case movie, track, media

    /// The bounds of the duration, and of the timescale.
    var bounds: (duration: NumberBound, timescale: NumberBound?) {
      switch self {
      case .movie: (.movieDuration, .movieTimescale)
      case .track: (.trackDuration, nil)
      case .media: (.mediaDuration, .mediaTimescale)
      }
    }
  }

  /// Seconds since 1904-01-01 UTC at which the thing was made.
  package var creationTime: UInt64
  /// Seconds since 1904-01-01 UTC at which it was changed last.
  package var modificationTime: UInt64
  /// Ticks a second; nil for `tkhd`, whose duration is in the movie's timescale.
  package let timescale: UInt32?
  /// The track's number; nil for others than `tkhd`.
  package var trackID: UInt32?
  /// The duration; the largest number if unknown.
  package var duration: UInt64

  private let kind: Kind
  /// The flags: those of `tkhd` say if a track is enabled, in the movie and in the preview.
  package var flags: UInt32
  private var rest: [UInt8]

  /// Reads the fields of a header box.
  package init(_ box: Box) throws(ISOBMFFError) {
    kind = box.type == "mvhd" ? .movie : box.type == "tkhd" ? .track : .media
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
      if kind == .track {
        timescale = nil
        trackID = try reader.integer(UInt32.self)
        try reader.skip(4)
      } else {
        timescale = try reader.integer(UInt32.self)
        trackID = nil
      }
      let stated = try number(&reader)
      duration = !isLong && stated == UInt64(UInt32.max) ? .max : stated
      rest = reader.rest()
    } catch {
      throw .shortPayload(box.type, error)
    }
    duration = try kind.bounds.duration.checked(duration).map { UInt64($0) } ?? .max
    if let timescale { _ = try kind.bounds.timescale?.checked(timescale) }
  }

  /// Adds to the duration; one that is unknown stays so.
  package mutating func lengthen(by ticks: UInt64) {
    let (sum, overflow) = duration.addingReportingOverflow(ticks)
    duration = overflow ? .max : sum
  }

  /// The box with these fields, in its short form where all values fit.
  package func box(_ original: Box) -> Box {
    let isUnknown = duration == .max
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
    if kind == .track { writer.append(UInt32(0)) }
    append(duration)
    writer.append(rest)
    var box = original
    box.fields = writer.bytes
    return box
  }

  // After the duration, `tkhd` has 16 bytes (reserved, layer, alternate group, volume), then the
  // matrix of nine numbers, then width and height.
  private static let matrixOffset = 16

  /// The transformation matrix of `tkhd`: nine numbers, 16.16 fixed point, the last column 2.30.
  package var matrix: [Int32]? {
    get {
      var reader = ByteReader(rest, at: Self.matrixOffset)
      guard kind == .track, reader.remaining >= 44 else { return nil }
      return (0..<9).compactMap { _ in
        (try? reader.integer(UInt32.self)).map { Int32(bitPattern: $0) }
      }
    }
    set {
      guard kind == .track, let newValue, newValue.count == 9, rest.count >= 60 else { return }
      var writer = ByteWriter()
      for value in newValue { writer.append(value) }
      rest.replaceSubrange(Self.matrixOffset..<Self.matrixOffset + 36, with: writer.bytes)
    }
  }

  /// Puts a number in the place of as many bytes behind the duration.
  private mutating func replace(_ value: some FixedWidthInteger, at offset: Int) {
    var writer = ByteWriter()
    writer.append(value)
    rest.replaceSubrange(offset..<offset + writer.bytes.count, with: writer.bytes)
  }

  /// The language as `mdhd` packs it: three letters of ISO 639-2 in 5 bits each, and below 0x400 a
  /// number of QuickTime's; nil for other boxes.
  package var language: UInt16? {
    get {
      var reader = ByteReader(rest, at: 0)
      return kind == .media ? try? reader.integer() : nil
    }
    set {
      guard kind == .media, rest.count >= 2, let newValue else { return }
      replace(newValue, at: 0)
    }
  }

  /// Takes over how players present a thing: layer, alternate group and volume of `tkhd`, rate and
  /// volume of `mvhd`.
  package mutating func takePresentation(from other: HeaderFields) {
    let bytes = kind == .track ? 8..<14 : 0..<6
    guard kind == other.kind, kind != .media, rest.count >= bytes.upperBound,
      other.rest.count >= bytes.upperBound
    else { return }
    rest.replaceSubrange(bytes, with: other.rest[bytes])
  }

  /// The number behind those of all tracks (`next_track_ID` of `mvhd`); nil for other boxes.
  package var nextTrackID: UInt32? {
    get {
      var reader = ByteReader(rest, at: rest.count - 4)
      return kind == .movie && rest.count >= 4 ? try? reader.integer() : nil
    }
    set {
      guard kind == .movie, rest.count >= 4, let newValue else { return }
      replace(newValue, at: rest.count - 4)
    }
  }

  /// The group of tracks of which a player chooses one (`alternate_group` of `tkhd`); 0 for none,
  /// nil for other boxes.
  package var alternateGroup: UInt16? {
    get {
      var reader = ByteReader(rest, at: 10)
      return kind == .track ? try? reader.integer() : nil
    }
    set {
      guard kind == .track, rest.count >= 12, let newValue else { return }
      replace(newValue, at: 10)
    }
  }

  /// The size of a track on the screen.
  package struct DisplaySize: Hashable, Sendable {
    /// Samples of the screen, 16.16 fixed point.
    package var width: UInt32
    /// Rows of the screen, 16.16 fixed point.
    package var height: UInt32

    /// A size from its sides.
    package init(width: UInt32, height: UInt32) {
      self.width = width
      self.height = height
    }
  }

  /// The size that `tkhd` states; nil for other boxes.
  package var displaySize: DisplaySize? {
    get {
      var reader = ByteReader(rest, at: Self.matrixOffset + 36)
      guard kind == .track, let width = try? reader.integer(UInt32.self),
        let height = try? reader.integer(UInt32.self)
      else { return nil }
      return DisplaySize(width: width, height: height)
    }
    set {
      guard kind == .track, let newValue, rest.count >= 60 else { return }
      var writer = ByteWriter()
      writer.append(newValue.width)
      writer.append(newValue.height)
      rest.replaceSubrange(
        Self.matrixOffset + 36..<Self.matrixOffset + 44, with: writer.bytes)
    }
  }
}
