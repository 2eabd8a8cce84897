internal import ISOBMFF

extension Movie.Track {
  /// The bytes of the track's first sample; none where there is no sample or it is not in the file.
  func firstSample(in source: FileByteSource) throws -> [UInt8] {
    let table = try SampleTable(box)
    // Chunks may be empty.
    let first = table.chunks.indices.lazy.compactMap { table.ranges(inChunk: $0, from: 0).first }
      .first
    return try first.map { try source.read(at: $0.lowerBound, count: $0.count) } ?? []
  }
}
