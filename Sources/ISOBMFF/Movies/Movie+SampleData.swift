// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension Movie.Track {
  /// Where the data of the last chunk ends in the file (`stsc`, `stsz`, `stco`; ISO/IEC 14496-12,
  /// 8.7); `nil` if the tables do not say, as in movies in fragments.
  package var dataEnd: UInt64? {
    // Look only at the last entries. Reading the whole table of a long movie takes far longer, and
    // every file that is opened needs this number.
    guard let stbl = box.first("mdia", "minf", "stbl"),
      let start = Self.lastChunkOffset(stbl), let count = Self.lastChunkSampleCount(stbl),
      let size = Self.sizeOfLastSamples(count, stbl)
    else { return nil }
    let (end, overflow) = start.addingReportingOverflow(size)
    return overflow ? .max : end
  }

  /// The size of all samples together in bytes; `nil` if there are no tables, as in movies in
  /// fragments.
  package var dataSize: UInt64? {
    guard let chunks = try? SampleTable(self).chunks, !chunks.isEmpty else { return nil }
    return chunks.reduce(0) { $0 &+ ($1.upperBound - $1.lowerBound) }
  }

  /// Returns, for each of the first samples, whether decoding can start there (`stss`; ISO/IEC
  /// 14496-12, 8.6.2). Returns `nil` if the box is damaged.
  ///
  /// - Parameter count: how many samples to return.
  package func syncSamples(_ count: Int) -> [Bool]? {
    guard let stss = box.first("mdia", "minf", "stbl", "stss") else {
      // Without the box, every sample is a sync sample (8.6.2.1).
      return [Bool](repeating: true, count: count)
    }
    var reader = ByteReader(stss.fields)
    guard let entries = try? reader.entryCount(of: "stss", bitsEach: 32) else { return nil }
    var isSync = [Bool](repeating: false, count: count)
    for _ in 0..<entries {
      guard let number = try? reader.integer(UInt32.self) else { return nil }
      if isSync.indices.contains(Int(number) - 1) { isSync[Int(number) - 1] = true }
    }
    return isSync
  }

  private static func lastChunkOffset(_ stbl: Box) -> UInt64? {
    if let fields = stbl.child("co64")?.fields, fields.count >= 16 {
      var reader = ByteReader(fields, at: fields.count - 8)
      return try? reader.integer(UInt64.self)
    }
    guard let fields = stbl.child("stco")?.fields, fields.count >= 12 else { return nil }
    var reader = ByteReader(fields, at: fields.count - 4)
    return (try? reader.integer(UInt32.self)).map(UInt64.init)
  }

  private static func lastChunkSampleCount(_ stbl: Box) -> UInt32? {
    // An entry is three numbers: first chunk, samples in each chunk, sample entry. The last run
    // reaches to the last chunk.
    guard let fields = stbl.child("stsc")?.fields, fields.count >= 20 else { return nil }
    var reader = ByteReader(fields, at: fields.count - 8)
    return try? reader.integer(UInt32.self)
  }

  private static func sizeOfLastSamples(_ count: UInt32, _ stbl: Box) -> UInt64? {
    guard let fields = stbl.child("stsz")?.fields else { return nil }
    var reader = ByteReader(fields, at: 4)
    guard let common = try? reader.integer(UInt32.self),
      let total = try? reader.integer(UInt32.self)
    else { return nil }
    let wanted = min(count, total)
    if common > 0 { return UInt64(common) * UInt64(wanted) }
    let first = 12 + Int(total - wanted) * 4
    guard fields.count >= first + Int(wanted) * 4 else { return nil }
    var sizes = ByteReader(fields, at: first)
    return (0..<wanted).reduce(0) { sum, _ in
      sum + UInt64((try? sizes.integer(UInt32.self)) ?? 0)
    }
  }
}

extension Movie {
  /// The error if sample data is past the end of the file; `nil` if all of it is there.
  package var missingData: ISOBMFFError? {
    let ends = tracks.map(\.dataEnd)
    if let end = ends.compactMap({ $0 }).max(), end > fileSize {
      return .missingSamples(end: end, fileSize: fileSize)
    }
    // A box that is cut off matters only if the tables cannot say whether samples are missing. If
    // the tables show that all samples are there, the box is only padding or user data, which may
    // be lost without harm.
    return isFragmented || ends.allSatisfy { $0 == nil } ? truncation : nil
  }
}
