// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The content of `elst` (ISO/IEC 14496-12, 8.6.6).
package struct EditList: Hashable, Sendable {
  /// Entry of the list.
  package struct Entry: Hashable, Sendable {
    /// Duration, in the movie's timescale; 0 in fragmented files for "to the end".
    package var segmentDuration: UInt64
    /// Time in the media at which it begins, in the media's timescale; −1 for an empty edit.
    package var mediaTime: Int64
    /// The rate as 16.16 fixed point: 0x10000, or 0 for a dwell.
    package var mediaRate: UInt32

    /// An entry from its fields.
    package init(segmentDuration: UInt64, mediaTime: Int64, mediaRate: UInt32 = 0x1_0000) {
      self.segmentDuration = segmentDuration
      self.mediaTime = mediaTime
      self.mediaRate = mediaRate
    }
  }

  /// The entries in the order of presentation.
  package var entries: [Entry]

  /// A list from its entries.
  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// Reads the fields of the box.
  package init(fields: [UInt8]) throws(ISOBMFFError) {
    entries = []
    var reader = ByteReader(fields)
    let isLong = fields.first == 1
    let count = try reader.entryCount(of: "elst", bitsEach: isLong ? 160 : 96)
    do throws(BitstreamError) {
      for _ in 0..<count {
        let duration =
          isLong ? try reader.integer(UInt64.self) : UInt64(try reader.integer(UInt32.self))
        let time =
          isLong
          ? Int64(bitPattern: try reader.integer(UInt64.self))
          : Int64(Int32(bitPattern: try reader.integer(UInt32.self)))
        entries.append(
          Entry(
            segmentDuration: duration, mediaTime: time, mediaRate: try reader.integer(UInt32.self)))
      }
    } catch {
      throw .shortPayload("elst", error)
    }
  }

  /// The box, in its short form where all values fit.
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
