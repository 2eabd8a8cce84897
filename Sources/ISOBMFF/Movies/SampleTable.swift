// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Places of a track's samples in the file: `stsc`, `stsz` or `stz2`, `stco` or `co64`, `stss`
/// (ISO/IEC 14496-12, 8.6.2, 8.7).
package struct SampleTable: Sendable {
  /// The bytes of each chunk, in the order of the tables.
  package let chunks: [Range<UInt64>]
  let sizes: SampleSizes
  private let samplesPerChunk: [Int]
  /// The samples that the chunks have by `stsc`: perhaps not as many as there are sizes of.
  private let statedCount: UInt64

  /// The last byte that a sample may lie at.
  private static let farthest: UInt64 = 1 << 62
  /// The index of each chunk's sample entry.
  package let sampleEntryIndices: [Int]

  /// Reads the tables of a track.
  ///
  /// - Throws: ``ISOBMFFError`` where a table is missing, cut off, states more than the file can
  ///   hold, or contradicts another.
  package init(
    _ track: Movie.Track, checkpoint: Checkpoint = {}
  ) throws(ISOBMFFError) {
    try self.init(track.box, fileSize: track.fileSize, checkpoint: checkpoint)
  }

  init(
    _ trak: Box, fileSize: UInt64, checkpoint: Checkpoint = {}
  ) throws(ISOBMFFError) {
    guard let stbl = trak.first("mdia", "minf", "stbl") else {
      throw .missingBox("stbl", in: "minf")
    }
    sizes = try SampleSizes(
      stbl, limit: SampleLimit(trak, fileSize: fileSize), checkpoint: checkpoint)
    let offsets = try Self.offsets(stbl, checkpoint)
    (samplesPerChunk, sampleEntryIndices, statedCount) = try Self.samplesPerChunk(
      stbl, chunkCount: offsets.count, total: sizes.count, checkpoint)
    var chunks: [Range<UInt64>] = []
    var sample = 0
    for (offset, count) in zip(offsets, samplesPerChunk) {
      if chunks.count % checkpointInterval == 0 { try checkpoint() }
      let (end, overflow) = offset.addingReportingOverflow(sizes.sum(sample..<sample + count))
      // No file is that large; places in samples are counted from here.
      guard !overflow, end <= Self.farthest else {
        throw .missingSamples(end: overflow ? .max : end, fileSize: fileSize)
      }
      chunks.append(offset..<end)
      sample += count
    }
    self.chunks = chunks
  }

  /// Refuses tables that players read otherwise than they are meant: of other numbers of samples,
  /// and with durations beyond their bound.
  ///
  /// - Parameter track: the track that the tables are of.
  /// - Throws: ``ISOBMFFError/invalidField(_:field:observed:expected:)``.
  package func check(_ track: Movie.Track) throws(ISOBMFFError) {
    let timed = try SampleTimes.checkedCount(of: track.box)
    for (table, number) in [(FourCC("stsc"), statedCount), ("stts", timed)]
    where number != UInt64(sizes.count) {
      throw .invalidField(
        table, field: "sample_count", observed: Int64(clamping: number),
        expected: "\(sizes.count), of which there are sizes")
    }
  }

  /// The number of samples.
  package var count: Int { samplesPerChunk.reduce(0, +) }

  /// Number of samples of a chunk.
  package func sampleCount(inChunk chunk: Int) -> Int { samplesPerChunk[chunk] }

  /// The bytes of each sample, in the order of decoding.
  package var ranges: [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    ranges.reserveCapacity(count)
    for chunk in chunks.indices { ranges += self.ranges(inChunk: chunk, from: ranges.count) }
    return ranges
  }

  /// The bytes of the samples of a chunk.
  ///
  /// - Parameter first: the index of the chunk's first sample.
  package func ranges(inChunk chunk: Int, from first: Int) -> [Range<UInt64>] {
    var position = chunks[chunk].lowerBound
    return (first..<first + samplesPerChunk[chunk]).map { sample in
      defer { position += UInt64(sizes[sample]) }
      return position..<position + UInt64(sizes[sample])
    }
  }

  /// Number of samples in each chunk. A file that is cut off may have chunks with fewer samples
  /// than stated.
  private static func samplesPerChunk(
    _ stbl: Box, chunkCount: Int, total: Int, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> (counts: [Int], entries: [Int], stated: UInt64) {
    let runs = try numbers(stbl, "stsc", each: 3, checkpoint)
    var counts: [Int] = []
    var entries: [Int] = []
    var rest = total
    var stated: UInt64 = 0
    for run in stride(from: 0, to: runs.count, by: 3) {
      if run % (3 * checkpointInterval) == 0 { try checkpoint() }
      let first = max(Int(runs[run]), 1) - 1
      let next = run + 3 < runs.count ? max(Int(runs[run + 3]), 1) - 1 : chunkCount
      guard first == counts.count, first <= next, next <= chunkCount else {
        throw .shortPayload(
          "stsc", .endOfData(bitPosition: 0, wanted: next, available: chunkCount))
      }
      for _ in first..<next {
        let count = min(Int(runs[run + 1]), rest)
        counts.append(count)
        entries.append(Int(runs[run + 2]) - 1)
        rest -= count
        stated += UInt64(runs[run + 1])
      }
    }
    return (counts, entries, stated)
  }

  private static func offsets(
    _ stbl: Box, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [UInt64] {
    guard stbl.child("co64") != nil else {
      return try numbers(stbl, "stco", each: 1, checkpoint).map { UInt64($0) }
    }
    let words = try numbers(stbl, "co64", each: 2, checkpoint)
    return stride(from: 0, to: words.count, by: 2).map { index in
      UInt64(words[index]) << 32 | UInt64(words[index + 1])
    }
  }

  /// The numbers of a table: a count, then entries of `each` numbers of 32 bits.
  private static func numbers(
    _ stbl: Box, _ type: FourCC, each: Int, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [UInt32] {
    guard let box = stbl.child(type) else { throw .missingBox(type, in: "stbl") }
    var reader = ByteReader(box.fields)
    let count = try reader.entryCount(of: type, bitsEach: 32 * each) * each
    var numbers: [UInt32] = []
    numbers.reserveCapacity(count)
    for index in 0..<count {
      if index % checkpointInterval == 0 { try checkpoint() }
      do { numbers.append(try reader.integer()) } catch { throw .shortPayload(type, error) }
    }
    return numbers
  }
}
