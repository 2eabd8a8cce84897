// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// A track that is cut to a run of its samples, in decoding order. Its tables describe only these
/// samples.
package struct TrimmedTrack: Sendable {
  /// The new `trak`. Its media time starts at 0 with the first sample that is kept.
  package private(set) var box: Box
  /// Where the kept part of each chunk is in the source file.
  package let chunks: [Range<UInt64>]
  /// Where the new media begins in the whole track's media, in the media's timescale.
  package let origin: Int64

  /// Keeps some samples of a track.
  ///
  /// - Parameters:
  ///   - samples: the samples to keep, from 0 in decoding order; at least one.
  ///   - part: when the first sample should begin and the last sample should end, in the media time
  ///     of the whole track. Both samples become shorter if needed.
  /// - Throws: ``ISOBMFFError`` if tables are damaged or of an unknown kind.
  package init(
    _ track: Movie.Track, samples: Range<Int>, part: Range<Int64>? = nil
  ) throws(ISOBMFFError) {
    let table = try SampleTable(track)
    guard let stbl = track.box.first("mdia", "minf", "stbl"), !samples.isEmpty else {
      throw .missingBox("stbl", in: "minf")
    }
    let all = try stbl.runs("stts")
    guard samples.upperBound <= min(table.count, all.count) else {
      let bytes = stbl.child("stts")?.fields.count ?? 0
      throw .excessiveCount("stts", UInt64(all.count), of: "samples", bytes: UInt64(bytes))
    }
    let begin = Int64(clamping: all.prefix(samples.lowerBound).reduce(0) { $0 + UInt64($1) })
    var durations = Array(all[samples])
    let end = begin + Int64(clamping: durations.reduce(0) { $0 + UInt64($1) })
    // A sample cannot be cut, but its duration can be shortened. This way, copied text and time
    // codes begin and end with the part that is kept.
    let earlier = part.map { max(min($0.lowerBound - begin, Int64(durations[0])), 0) } ?? 0
    durations[0] -= UInt32(earlier)
    let last = durations.count - 1
    let later = part.map { max(min(end - $0.upperBound, Int64(durations[last])), 0) } ?? 0
    durations[last] -= UInt32(later)
    origin = begin + earlier
    let chunks = Self.chunks(of: samples, in: table)
    self.chunks = chunks.map { $0.bytes }
    box = track.box
    let sizes = samples.map { table.sizes[$0] }
    try box.edit("mdia", "minf", "stbl") { (stbl) throws(ISOBMFFError) in
      try stbl.trim(to: samples, chunks: chunks, sizes: sizes, durations: durations)
    }
    try box.edit("mdia", "mdhd") { (mdhd) throws(ISOBMFFError) in
      var header = try HeaderFields(mdhd)
      header.duration = UInt64(max(end - begin - earlier - later, 0))
      mdhd = header.box(mdhd)
    }
  }

  /// Samples that follow each other in the file, and the index of their sample entry, from 0.
  fileprivate typealias Chunk = (bytes: Range<UInt64>, count: Int, entry: Int)

  private static func chunks(of samples: Range<Int>, in table: SampleTable) -> [Chunk] {
    var chunks: [Chunk] = []
    var first = 0
    for (index, entry) in zip(table.chunks.indices, table.sampleEntryIndices) {
      let ranges = table.ranges(inChunk: index, from: first)
      let kept = samples.clamped(to: first..<first + ranges.count)
      if !kept.isEmpty {
        let (start, end) = (ranges[kept.lowerBound - first], ranges[kept.upperBound - first - 1])
        chunks.append((start.lowerBound..<end.upperBound, kept.count, entry))
      }
      first += ranges.count
    }
    return chunks
  }
}

extension Box {
  /// Tables that need no change, because they fit any samples or get their values later.
  private static let kept: Set<FourCC> = ["stsd", "sgpd", "stco", "co64"]

  /// Trims the tables of a `stbl` box. Chunk offsets are not known yet.
  fileprivate mutating func trim(
    to samples: Range<Int>, chunks: [TrimmedTrack.Chunk], sizes: [UInt32], durations: [UInt32]
  ) throws(ISOBMFFError) {
    var tables: [Box] = []
    // `cslg` states the range of all samples' offsets and times (8.6.1.4), so it is wrong if only
    // some samples are kept. It is optional, and leaving it out is always correct.
    for table in children where !["cslg", "free", "skip"].contains(table.type) {
      var table = table
      switch table.type {
      case "stts": table.fields = table.fields.prefix(4) + durations[...].table
      case "ctts":
        let all = try runs("ctts")
        table.fields = table.fields.prefix(4) + all[samples.clamped(to: 0..<all.count)].table
      case "stss", "stps":
        let numbers = try table.numbers().filter { samples.contains(Int($0) - 1) }
        table.fields =
          table.fields.prefix(4)
          + Self.counted(numbers.map { $0 - UInt32(clamping: samples.lowerBound) }, each: 1)
      case "sdtp":
        let flags = table.fields.dropFirst(4 + samples.lowerBound).prefix(samples.count)
        table.fields = table.fields.prefix(4) + Array(flags)
      case "sbgp": table.fields = try table.trimmedGroups(samples)
      // `stsz` can store any size. A compact `stz2` would need a width that fits.
      case "stsz", "stz2":
        table = Box("stsz", fields: [0, 0, 0, 0, 0, 0, 0, 0] + Self.counted(sizes, each: 1))
      case "stsc":
        table.fields = table.fields.prefix(4) + Self.counted(Self.places(of: chunks), each: 3)
      default:
        // An unknown table may have an entry for each sample. An unchanged copy would describe the
        // wrong samples.
        guard Self.kept.contains(table.type) else { throw .unmovable(table.type) }
      }
      tables.append(table)
    }
    children = tables
  }

  /// Makes the entries of `stsc`: runs of chunks with the same number of samples and the same
  /// sample entry.
  private static func places(of chunks: [TrimmedTrack.Chunk]) -> [UInt32] {
    var numbers: [UInt32] = []
    var before: TrimmedTrack.Chunk?
    for (index, chunk) in chunks.enumerated() {
      if before.map({ $0.count != chunk.count || $0.entry != chunk.entry }) ?? true {
        numbers += [index + 1, chunk.count, chunk.entry + 1].map { UInt32(clamping: $0) }
      }
      before = chunk
    }
    return numbers
  }

  /// Trims `sbgp` (8.9.2), which gives the group of each sample in runs.
  private func trimmedGroups(_ samples: Range<Int>) throws(ISOBMFFError) -> [UInt8] {
    // Version, flags and the grouping type; version 1 adds a parameter.
    let front = Array(fields.prefix(fields.first == 1 ? 12 : 8))
    let all = try Self.runs(ByteReader(fields, at: front.count), of: type)
    // The runs may end early. Samples after them are in no group.
    return front + all[samples.clamped(to: 0..<all.count)].table
  }

  /// Returns a table's bytes: the number of entries, then the entries. An entry has `each` numbers.
  fileprivate static func counted(_ numbers: [UInt32], each: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(clamping: numbers.count / each))
    for number in numbers { writer.append(number) }
    return writer.bytes
  }

  private func numbers() throws(ISOBMFFError) -> [UInt32] {
    var reader = ByteReader(fields)
    let count = try reader.entryCount(of: type, bitsEach: 32)
    return (0..<count).compactMap { _ in try? reader.integer(UInt32.self) }
  }

  /// Expands a run-length table of this `stbl` box to one value for each sample.
  fileprivate func runs(_ table: FourCC) throws(ISOBMFFError) -> [UInt32] {
    guard let box = child(table) else { throw .missingBox(table, in: "stbl") }
    return try Self.runs(ByteReader(box.fields, at: 4), of: table)
  }

  // Eight bytes can describe a run of four billion samples, so the size of the box is not a limit.
  /// How many samples a track may have: enough for a day at 120 frames a second.
  private static let longest = 12_000_000

  private static func runs(_ reader: ByteReader, of type: FourCC) throws(ISOBMFFError) -> [UInt32] {
    var reader = reader
    let count = try reader.entryCount(of: type, bitsEach: 64)
    var values: [UInt32] = []
    for _ in 0..<count {
      guard let run = try? reader.integer(UInt32.self), let value = try? reader.integer(UInt32.self)
      else { break }
      guard values.count + Int(run) <= longest else {
        throw .excessiveCount(type, UInt64(run), of: "samples", bytes: UInt64(reader.position))
      }
      values += repeatElement(value, count: Int(run))
    }
    return values
  }
}

extension ArraySlice<UInt32> {
  /// These values as a run-length table.
  fileprivate var table: [UInt8] {
    var runs: [(count: UInt32, value: UInt32)] = []
    for value in self {
      if runs.last?.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, value))
      }
    }
    return Box.counted(runs.flatMap { [$0.count, $0.value] }, each: 2)
  }
}
