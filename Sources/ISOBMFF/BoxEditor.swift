internal import Bitstreams

/// Rewrites a finished movie file with an edited `moov`, which is put in front of the media data,
/// and with chunk offsets that fit.
public struct BoxEditor {
  private let source: any ByteSource
  private let list: TopLevelBoxes
  private var moov: Box

  /// Reads the movie of a file that is to be rewritten.
  ///
  /// - Throws: ``ISOBMFFError``; `fragmented` for a movie in fragments.
  public init(_ source: any ByteSource) throws(ISOBMFFError) {
    self.source = source
    list = try TopLevelBoxes(source)
    if let truncation = list.truncation { throw truncation }
    guard list.first("moof") == nil else { throw .fragmented }
    guard let entry = list.first("moov") else { throw .missingBox("moov", in: "the file") }
    let bytes = try source.read(at: entry.range.lowerBound, count: entry.range.count)
    guard let moov = try Box.parse(bytes, base: entry.range.lowerBound).first else {
      throw .missingBox("moov", in: "the file")
    }
    self.moov = moov
  }

  /// Edits the movie.
  public mutating func edit(
    _ change: (inout Box) throws(ISOBMFFError) -> Void
  ) throws(ISOBMFFError) {
    try change(&moov)
  }

  /// Writes the file: its type, the movie, then everything else in its order, without padding.
  public func write(to sink: inout some ByteSink) throws(ISOBMFFError) {
    let padding: Set<FourCC> = ["free", "skip", "wide", "moov"]
    let kept = list.entries.filter { !padding.contains($0.type) }
    let front = kept.prefix { $0.type == "ftyp" }
    let rest = kept.dropFirst(front.count)
    let frontSize = front.reduce(0) { $0 + UInt64($1.range.count) }
    let fixed = try ChunkOffsets.fix(moov, frontSize: frontSize, kept: Array(rest))
    for entry in front { try sink.copy(entry.range) }
    try sink.write(fixed.bytes)
    for entry in rest { try sink.copy(entry.range) }
  }
}

/// Moves the chunk offsets of a movie with the media data that they point into.
enum ChunkOffsets {
  /// The movie with offsets for a file of `frontSize` bytes, the movie, and then `kept`.
  ///
  /// Offsets that no longer fit into 32 bits make the movie larger, which moves the data again;
  /// the second try has all of them in 64 bits and is final.
  static func fix(
    _ moov: Box, frontSize: UInt64, kept: [TopLevelBoxes.Entry]
  ) throws(ISOBMFFError) -> Box {
    for isLong in [false, true] {
      var candidate = moov
      // The size does not depend on the offsets' values, so that any move will do to find it.
      try move(&candidate, isLong: isLong) { $0 }
      var position = frontSize + UInt64(candidate.size)
      var places: [(range: Range<UInt64>, start: UInt64)] = []
      for entry in kept {
        places.append((entry.range, position))
        position += UInt64(entry.range.count)
      }
      if !isLong && position > UInt64(UInt32.max) { continue }
      try move(&candidate, isLong: isLong) { offset in
        guard let place = places.first(where: { $0.range.contains(offset) }) else { return offset }
        return place.start + (offset - place.range.lowerBound)
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
