internal import Bitstreams

extension Movie.Track {
  /// The bytes of all samples together (`stsz`, `stz2`; ISO/IEC 14496-12, 8.7.3); nil where no table
  /// tells, as in movies in fragments.
  public var dataSize: UInt64? {
    guard let stbl = box.first("mdia", "minf", "stbl"), let sizes = try? SampleSizes(stbl),
      sizes.count > 0
    else { return nil }
    return sizes.sum(0..<sizes.count)
  }
}
