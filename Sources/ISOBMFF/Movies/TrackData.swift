extension Movie.Track {
  /// The bytes of all samples together; nil where no table tells, as in movies in fragments.
  package var dataSize: UInt64? {
    guard let chunks = try? SampleTable(self).chunks, !chunks.isEmpty else { return nil }
    return chunks.reduce(0) { $0 &+ ($1.upperBound - $1.lowerBound) }
  }
}
