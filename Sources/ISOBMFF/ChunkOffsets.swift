internal import Bitstreams

/// Moves the chunk offsets of a movie with the media data that they point into.
enum ChunkOffsets {
  /// The movie with offsets for a file of `frontSize` bytes, the movie, and then `kept`.
  ///
  /// Offsets that no longer fit into 32 bits make the movie larger, which moves the data again;
  /// the second try has all of them in 64 bits and is final.
  static func fix(
    _ moov: Box, frontSize: UInt64, kept: [KeptBox]
  ) throws(ISOBMFFError) -> Box {
    for isLong in [false, true] {
      var candidate = moov
      // The size does not depend on the offsets' values, so that any move will do to find it.
      try move(&candidate, isLong: isLong) { $0 }
      var position = frontSize + UInt64(candidate.size)
      var places: [(box: KeptBox, start: UInt64)] = []
      for box in kept {
        places.append((box, position))
        position += box.size
      }
      if !isLong && position > UInt64(UInt32.max) { continue }
      try move(&candidate, isLong: isLong) { offset in
        guard let place = places.first(where: { $0.box.entry.range.contains(offset) }) else {
          return offset
        }
        return place.start + place.box.offset(of: offset)
      }
      return candidate
    }
    return moov
  }

  private static func move(
    _ moov: inout Box, isLong: Bool, by newOffset: (UInt64) -> UInt64
  ) throws(ISOBMFFError) {
    for index in moov.children.indices where moov.children[index].type == "trak" {
      try moov.children[index].edit("mdia", "minf", "stbl") { (stbl) throws(ISOBMFFError) in
        for child in stbl.children.indices {
          let type = stbl.children[child].type
          guard type == "stco" || type == "co64" else { continue }
          stbl.children[child] = try moved(stbl.children[child], isLong: isLong, by: newOffset)
        }
      }
    }
  }

  private static func moved(
    _ box: Box, isLong: Bool, by newOffset: (UInt64) -> UInt64
  ) throws(ISOBMFFError) -> Box {
    var reader = ByteReader(box.fields)
    var writer = ByteWriter()
    let wasLong = box.type == "co64"
    do {
      writer.append(try reader.integer(UInt32.self))
      let count = try reader.integer(UInt32.self)
      writer.append(count)
      for _ in 0..<count {
        let old =
          wasLong ? try reader.integer(UInt64.self) : UInt64(try reader.integer(UInt32.self))
        let new = newOffset(old)
        if isLong || wasLong {
          writer.append(new)
        } else {
          writer.append(UInt32(truncatingIfNeeded: new))
        }
      }
    } catch {
      throw .shortPayload(box.type, error)
    }
    return Box(isLong || wasLong ? "co64" : "stco", fields: writer.bytes)
  }
}
