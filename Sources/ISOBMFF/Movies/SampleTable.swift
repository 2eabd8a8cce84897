// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Where the samples of a track are in the file: `stsc`, `stsz` or `stz2`, `stco` or `co64`
/// (ISO/IEC 14496-12, 8.7).
package struct SampleTable: Sendable {
  /// Where each chunk is in the file, in the order of the tables.
  package let chunks: [Range<UInt64>]
  let sizes: SampleSizes
  private let samplesPerChunk: [Int]
  /// How many samples `stsc` declares, which may differ from the number of sizes.
  private let statedCount: UInt64

  // Later code adds to positions of samples, sometimes as `Int64`. 2^62 leaves room for that.
  /// The last position at which a sample may end.
  private static let farthest: UInt64 = 1 << 62
  /// The index of each chunk's sample entry, from 0.
  package let sampleEntryIndices: [Int]

  /// Reads the tables of a track.
  ///
  /// - Throws: ``ISOBMFFError`` if a table is missing or cut off, contradicts another, or declares
  ///   more than the file can hold.
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
    sizes = try SampleSizes(stbl, of: trak, fileSize: fileSize, checkpoint: checkpoint)
    let offsets = try Self.offsets(stbl, checkpoint)
    (samplesPerChunk, sampleEntryIndices, statedCount) = try Self.samplesPerChunk(
      stbl, chunkCount: offsets.count, total: sizes.count, checkpoint)
    var chunks: [Range<UInt64>] = []
    var sample = 0
    for (offset, count) in zip(offsets, samplesPerChunk) {
      if chunks.count % checkpointInterval == 0 { try checkpoint() }
      let (end, overflow) = offset.addingReportingOverflow(sizes.sum(sample..<sample + count))
      // No file is that large, so the offset is damaged or hostile.
      guard !overflow, end <= Self.farthest else {
        throw .missingSamples(end: overflow ? .max : end, fileSize: fileSize)
      }
      chunks.append(offset..<end)
      sample += count
    }
    self.chunks = chunks
  }

  /// Throws if players could misread the tables: if the tables differ in how many samples they
  /// have, or a duration is out of bounds.
  ///
  /// - Parameter track: the track that the tables belong to.
  /// - Throws: ``ISOBMFFError/invalidField(_:field:observed:expected:)``.
  package func check(_ track: Movie.Track) throws(ISOBMFFError) {
    // Reading is lenient, because a file that was cut off is still worth playing. Copying is
    // strict, because players disagree on which of two tables counts.
    let timed = try SampleTimes.checkedCount(of: track.box)
    for (table, number) in [(FourCC("stsc"), statedCount), ("stts", timed)]
    where number != UInt64(sizes.count) {
      throw .invalidField(
        table, field: "sample_count", observed: Int64(clamping: number),
        expected: "\(sizes.count), the number of sample sizes")
    }
  }

  /// How many samples the chunks have.
  package var count: Int { samplesPerChunk.reduce(0, +) }

  /// Returns how many samples a chunk has.
  package func sampleCount(inChunk chunk: Int) -> Int { samplesPerChunk[chunk] }

  /// Where each sample is in the file, in decoding order.
  package var ranges: [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    ranges.reserveCapacity(count)
    for chunk in chunks.indices { ranges += self.ranges(inChunk: chunk, from: ranges.count) }
    return ranges
  }

  /// Returns where each sample of a chunk is in the file.
  ///
  /// - Parameter first: the index of the chunk's first sample.
  package func ranges(inChunk chunk: Int, from first: Int) -> [Range<UInt64>] {
    var position = chunks[chunk].lowerBound
    return (first..<first + samplesPerChunk[chunk]).map { sample in
      defer { position += UInt64(sizes[sample]) }
      return position..<position + UInt64(sizes[sample])
    }
  }

  /// Reads how many samples each chunk has, and which sample entry it uses.
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
      // `stsc` counts chunks from 1, and a run lasts until the next run's first chunk.
      let first = max(Int(runs[run]), 1) - 1
      let next = run + 3 < runs.count ? max(Int(runs[run + 3]), 1) - 1 : chunkCount
      guard first == counts.count, first <= next, next <= chunkCount else {
        throw .shortPayload(
          "stsc", .endOfData(bitPosition: 0, wanted: next, available: chunkCount))
      }
      for _ in first..<next {
        // If a file was cut off, `stsc` may declare more samples than there are sizes. Then the
        // last chunks get the samples that are left.
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

  /// Reads a table: a count, then entries of `each` 32-bit numbers.
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
