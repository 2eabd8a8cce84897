// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Moves the offsets in a movie along with the data that they point to: chunk offsets (`stco`,
/// `co64`; ISO/IEC 14496-12, 8.7.5) and offsets of auxiliary information (`saio`; 8.7.9).
extension Box {
  /// Returns every offset in the movie, in the order of its tables.
  func chunkOffsets(_ checkpoint: Checkpoint) throws(ISOBMFFError) -> [UInt64] {
    var offsets: [UInt64] = []
    var copy = self
    try copy.moveChunks(isLong: false) { (offset) throws(ISOBMFFError) in
      if offsets.count % checkpointInterval == 0 { try checkpoint() }
      offsets.append(offset)
      return offset
    }
    return offsets
  }

  /// Adjusts the movie's offsets to the file that it becomes part of. Returns the changed movie,
  /// and the layout of that file.
  ///
  /// - Parameter layout: returns the layout of the file for a movie of the given size.
  func withChunkOffsets(
    for layout: (UInt64) -> FileLayout, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> (movie: Box, layout: FileLayout) {
    var candidate = self
    // Offsets that no longer fit into 32 bits make the movie larger, which moves the data again.
    // The second pass writes all offsets in 64 bits, so the movie's size is final.
    for isLong in [false, true] {
      // The movie's size does not depend on the values of the offsets, so writing back the old
      // offsets is enough to find it.
      candidate = self
      if isLong { try candidate.moveChunks(isLong: true) { $0 } }
      let files = layout(UInt64(candidate.size))
      if !isLong && files.isUnmoved { return (self, files) }
      // Sort the boxes, so that a binary search finds the box that contains an offset. Files may
      // list a million chunks, in any order.
      let places = files.places.sorted {
        $0.box.entry.range.lowerBound < $1.box.entry.range.lowerBound
      }
      let end = places.last?.box.entry.range.upperBound ?? 0
      var (largest, count): (UInt64, Int) = (0, 0)
      candidate = self
      try candidate.moveChunks(isLong: isLong) { (offset) throws(ISOBMFFError) in
        if count % checkpointInterval == 0 { try checkpoint() }
        count += 1
        let next = places.partitioningIndex { $0.box.entry.range.lowerBound > offset }
        guard next > 0, places[next - 1].box.entry.range.contains(offset) else {
          // Some writers end a track with an empty chunk at the end of the file. It points at no
          // data, so it can keep its offset.
          guard offset >= end else { throw .strayOffset(offset) }
          return offset
        }
        let place = places[next - 1]
        let new = place.start + (try place.box.offset(of: offset))
        largest = max(largest, new)
        return new
      }
      if isLong || largest <= UInt64(UInt32.max) { return (candidate, files) }
    }
    return (candidate, layout(UInt64(candidate.size)))
  }

  private mutating func moveChunks(
    isLong: Bool, by newOffset: (UInt64) throws(ISOBMFFError) -> UInt64
  ) throws(ISOBMFFError) {
    for index in children.indices where children[index].isTrackOfThisFile {
      try children[index].edit("mdia", "minf", "stbl") { (stbl) throws(ISOBMFFError) in
        for child in stbl.children.indices {
          let box = stbl.children[child]
          switch box.type {
          // A table never goes back to 32 bits, because that would change its size once more.
          case "stco", "co64":
            let wasLong = box.type == "co64"
            stbl.children[child] = try box.moved(
              to: isLong || wasLong ? "co64" : "stco", before: 4, wasLong: wasLong,
              isLong: isLong || wasLong, by: newOffset)
          case "saio": stbl.children[child] = try box.movedAuxiliary(isLong, by: newOffset)
          default: break
          }
        }
      }
    }
  }

  /// Returns this `saio` box with moved offsets.
  private func movedAuxiliary(
    _ isLong: Bool, by newOffset: (UInt64) throws(ISOBMFFError) -> UInt64
  ) throws(ISOBMFFError) -> Box {
    var box = self
    guard box.fields.count >= 4 else {
      throw .shortPayload(
        "saio", .endOfData(bitPosition: 0, wanted: 32, available: box.fields.count * 8))
    }
    // Version 1 has 64-bit offsets. With flag 1, a type and its parameter (8 bytes) come before the
    // offsets.
    let wasLong = box.fields[0] == 1
    let hasType = box.fields[3] & 1 == 1
    if isLong { box.fields[0] = 1 }
    return try box.moved(
      to: "saio", before: hasType ? 12 : 4, wasLong: wasLong, isLong: isLong || wasLong,
      by: newOffset)
  }

  private func moved(
    to type: FourCC, before: Int, wasLong: Bool, isLong: Bool,
    by newOffset: (UInt64) throws(ISOBMFFError) -> UInt64
  ) throws(ISOBMFFError) -> Box {
    var reader = ByteReader(fields, at: before)
    var writer = ByteWriter()
    writer.append(Array(fields.prefix(before)))
    var offsets: [UInt64] = []
    let count = try reader.entryCount(of: self.type, bitsEach: wasLong ? 64 : 32)
    do throws(BitstreamError) {
      for _ in 0..<count {
        offsets.append(wasLong ? try reader.integer() : UInt64(try reader.integer(UInt32.self)))
      }
    } catch {
      throw .shortPayload(self.type, error)
    }
    writer.append(UInt32(offsets.count))
    for offset in offsets {
      let new = try newOffset(offset)
      if isLong {
        writer.append(new)
      } else {
        writer.append(UInt32(truncatingIfNeeded: new))
      }
    }
    return Box(type, fields: writer.bytes)
  }
}

extension Box {
  /// Whether this is a track whose samples are in the same file, because its data reference
  /// (ISO/IEC 14496-12, 8.7.2) names no other file.
  package var isTrackOfThisFile: Bool {
    let references = first("mdia", "minf", "dinf", "dref")?.children ?? []
    // Flag 1 means "this file". Writers that forget the flag leave the name empty, so an entry
    // without a name counts too.
    return type == "trak"
      && references.allSatisfy { $0.fields.count <= 5 || $0.fields[3] & 1 == 1 }
  }
}

extension Box {
  /// Sets where the chunks of a `trak` begin. Writes `stco`, or `co64` if 32 bits are too few.
  package mutating func setChunkOffsets(_ offsets: [UInt64]) {
    let isLong = offsets.contains { $0 > UInt64(UInt32.max) }
    var writer = ByteWriter()
    writer.append(UInt32(0))
    writer.append(UInt32(clamping: offsets.count))
    for offset in offsets {
      if isLong { writer.append(offset) } else { writer.append(UInt32(clamping: offset)) }
    }
    let table = Box(isLong ? "co64" : "stco", fields: writer.bytes)
    edit("mdia", "minf", "stbl") { stbl in
      // Only one of `stco` and `co64` may exist (8.7.5). If there are both, our own reader takes
      // `co64`.
      stbl.remove(isLong ? "stco" : "co64")
      stbl.set(table)
    }
  }
}
