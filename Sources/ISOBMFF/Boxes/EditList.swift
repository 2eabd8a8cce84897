// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The content of `elst` (ISO/IEC 14496-12, 8.6.6).
package struct EditList: Hashable, Sendable {
  /// One edit of the presentation.
  package struct Entry: Hashable, Sendable {
    /// The edit's duration, in the movie's timescale. In fragmented files 0 means "to the end".
    package var segmentDuration: UInt64
    /// Where the edit starts in the media, in the media's timescale; −1 for an empty edit.
    package var mediaTime: Int64
    /// The rate in 16.16 fixed point: 0x10000 for normal speed, 0 to hold one frame (a dwell).
    package var mediaRate: UInt32

    package init(segmentDuration: UInt64, mediaTime: Int64, mediaRate: UInt32 = 0x1_0000) {
      self.segmentDuration = segmentDuration
      self.mediaTime = mediaTime
      self.mediaRate = mediaRate
    }
  }

  /// The edits, in the order of presentation.
  package var entries: [Entry]

  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// Reads the fields of an `elst` box.
  ///
  /// - Parameter timescale: the movie's ticks a second, or `nil` if unknown.
  /// - Throws: ``ISOBMFFError`` if the box is cut off or has times that no presentation can have.
  package init(fields: [UInt8], timescale: UInt32? = nil) throws(ISOBMFFError) {
    entries = []
    var reader = ByteReader(fields)
    let isLong = fields.first == 1
    let count = try reader.entryCount(of: "elst", bitsEach: isLong ? 160 : 96)
    entries.reserveCapacity(count)
    var total: UInt64 = 0
    for _ in 0..<count {
      var entry: Entry
      do { entry = try Entry(&reader, isLong: isLong) } catch { throw .shortPayload("elst", error) }
      try entry.bound(timescale)
      let (sum, overflow) = total.addingReportingOverflow(entry.segmentDuration)
      total = overflow ? .max : sum
      entries.append(entry)
    }
    _ = try NumberBound.presentation.inTicks(of: timescale).checked(total)
  }

  /// The duration of all edits together, in the movie's timescale.
  package var duration: UInt64 {
    entries.reduce(0) { sum, entry in
      let (total, overflow) = sum.addingReportingOverflow(entry.segmentDuration)
      return overflow ? .max : total
    }
  }

  /// The `elst` box, in its short form if all values fit.
  package var box: Box {
    let isLong = entries.contains {
      $0.segmentDuration > UInt64(UInt32.max) || $0.mediaTime > Int64(Int32.max)
    }
    var writer = ByteWriter()
    writer.append(UInt32(isLong ? 0x0100_0000 : 0))
    writer.append(UInt32(entries.count))
    for entry in entries {
      if isLong {
        writer.append(entry.segmentDuration)
        writer.append(entry.mediaTime)
      } else {
        writer.append(UInt32(truncatingIfNeeded: entry.segmentDuration))
        writer.append(Int32(truncatingIfNeeded: entry.mediaTime))
      }
      writer.append(entry.mediaRate)
    }
    return Box("elst", fields: writer.bytes)
  }
}

extension EditList.Entry {
  fileprivate init(_ reader: inout ByteReader, isLong: Bool) throws(BitstreamError) {
    let duration =
      isLong ? try reader.integer(UInt64.self) : UInt64(try reader.integer(UInt32.self))
    let time =
      isLong
      ? Int64(bitPattern: try reader.integer(UInt64.self))
      : Int64(Int32(bitPattern: try reader.integer(UInt32.self)))
    self.init(
      segmentDuration: duration, mediaTime: time, mediaRate: try reader.integer(UInt32.self))
  }

  /// Checks the times and brings them within their bounds.
  fileprivate mutating func bound(_ timescale: UInt32?) throws(ISOBMFFError) {
    mediaTime = try NumberBound.mediaTime.checked(mediaTime) ?? 0
    // An edit of the media ends no later than the media, even if the entry states a longer
    // duration. So the duration can be clipped. An empty edit cannot be clipped, so the sum of all
    // edits is checked instead.
    guard mediaTime >= 0 else { return }
    let bound = NumberBound.segmentDuration.inTicks(of: timescale)
    segmentDuration = UInt64(try bound.checked(segmentDuration) ?? 0)
  }
}
