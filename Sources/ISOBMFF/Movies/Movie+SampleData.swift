// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension Movie.Track {
  /// Position in the file at which the data of the last chunk ends (`stsc`, `stsz`, `stco`; ISO/IEC
  /// 14496-12, 8.7); nil where the tables do not state it, as in movies in fragments.
  package var dataEnd: UInt64? {
    guard let stbl = box.first("mdia", "minf", "stbl"),
      let start = Self.lastChunkOffset(stbl), let count = Self.lastChunkSampleCount(stbl),
      let size = Self.sizeOfLastSamples(count, stbl)
    else { return nil }
    let (end, overflow) = start.addingReportingOverflow(size)
    return overflow ? .max : end
  }

  /// The bytes of all samples together; nil where no table tells, as in movies in fragments.
  package var dataSize: UInt64? {
    guard let chunks = try? SampleTable(self).chunks, !chunks.isEmpty else { return nil }
    return chunks.reduce(0) { $0 &+ ($1.upperBound - $1.lowerBound) }
  }

  /// For each of the first samples, true if decoding can start there (`stss`; ISO/IEC 14496-12,
  /// 8.6.2): true for all where there is no box; nil where it is damaged.
  ///
  /// - Parameter count: the number of samples.
  package func syncSamples(_ count: Int) -> [Bool]? {
    guard let stss = box.first("mdia", "minf", "stbl", "stss") else {
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
    // Entries of three numbers: the first chunk, samples in each chunk, the description.
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
  /// Error for samples' data that lies behind the end of the file; nil where all of it is there.
  package var missingData: ISOBMFFError? {
    let ends = tracks.map(\.dataEnd)
    if let end = ends.compactMap({ $0 }).max(), end > fileSize {
      return .missingSamples(end: end, fileSize: fileSize)
    }
    return isFragmented || ends.allSatisfy { $0 == nil } ? truncation : nil
  }
}
