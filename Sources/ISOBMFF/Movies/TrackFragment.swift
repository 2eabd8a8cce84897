// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// When the samples of one track start in one movie fragment, and how long they last (`moof`,
/// `traf`; ISO/IEC 14496-12, 8.8).
package struct TrackFragment: Hashable, Sendable {
  /// Where the fragment's `moof` begins in the file. Its samples follow it.
  package let offset: UInt64
  /// The decode time of the first sample (`tfdt`), in the media's timescale.
  package let decodeTimeStamp: Int64
  /// The duration of all samples together (`trun`), in the media's timescale.
  package let duration: Int64

  package init(offset: UInt64, decodeTimeStamp: Int64, duration: Int64) {
    self.offset = offset
    self.decodeTimeStamp = decodeTimeStamp
    self.duration = duration
  }
}

extension Movie {
  /// The largest `moof` that is read, in bytes. Larger ones are an error.
  private static let largest: UInt64 = 64 << 20

  // A file can list millions of empty fragments, each of which costs a read.
  /// How many fragments a file may have: enough for a week with one fragment a second. More are an
  /// error.
  private static let most = 604_800

  /// Reads the fragments of every track, in file order, by track ID.
  ///
  /// - Returns: an empty dictionary for a movie in one piece. A track is left out if a fragment
  ///   has no valid time or duration for it, or contains it twice.
  /// - Throws: ``ISOBMFFError`` for damaged fragments.
  package static func fragments(
    in source: any ByteSource
  ) throws(ISOBMFFError) -> [UInt32: [TrackFragment]] {
    var fragments: [UInt32: [TrackFragment]] = [:]
    var unknown: Set<UInt32> = []
    var movieDefaults: [UInt32: FragmentDefaults]?
    try forEachFragment(in: source) { (moof, start) throws(ISOBMFFError) in
      // Read the movie only now, because most files have no fragments and do not need it.
      if movieDefaults == nil { movieDefaults = FragmentDefaults.all(of: try Movie(source)) }
      for (index, piece) in moof.children("traf").enumerated() {
        let header = try FragmentDefaults(
          piece, movieDefaults ?? [:], moof: start, isFirst: index == 0)
        let isRepeated = fragments[header.trackID]?.last?.offset == start
        if let time = header.decodeTimeStamp, !isRepeated,
          let duration = duration(of: piece, usually: header.duration)
        {
          fragments[header.trackID, default: []].append(
            TrackFragment(offset: start, decodeTimeStamp: Int64(time), duration: duration))
        } else {
          unknown.insert(header.trackID)
        }
      }
    }
    return fragments.filter { !unknown.contains($0.key) }
  }

  /// Calls `body` with each `moof` and its place in the file, in file order.
  static func forEachFragment(
    in source: any ByteSource, _ body: (Box, UInt64) throws(ISOBMFFError) -> Void
  ) throws(ISOBMFFError) {
    let moofs = try TopLevelBoxes(source).entries.filter { $0.type == "moof" }
    guard moofs.count <= most else {
      throw .excessiveCount("moof", UInt64(moofs.count), of: "fragments", bytes: source.size)
    }
    for moof in moofs {
      let (start, size) = (moof.range.lowerBound, moof.range.upperBound - moof.range.lowerBound)
      guard size <= largest else { throw .invalidSize("moof", offset: start, size: size) }
      let bytes = try source.read(at: start, count: moof.range.count)
      if let box = try Box.parse(bytes, base: start).first { try body(box, start) }
    }
  }

  /// Adds up the durations of all runs (`trun`; 8.8.8). Returns `nil` if a run is cut off or the
  /// sum is out of bounds.
  private static func duration(of piece: Box, usually usual: UInt32) -> Int64? {
    var sum: UInt64 = 0
    for run in piece.children("trun") {
      var reader = ByteReader(run.fields)
      guard let flags = try? reader.integer(UInt32.self),
        let count = try? reader.integer(UInt32.self),
        // Flags 1 and 4: the data offset and the flags of the first sample.
        (try? reader.skip(4 * (flags & 0x5).nonzeroBitCount)) != nil
      else { return nil }
      let others = (flags & 0xE00).nonzeroBitCount * 4
      if flags & 0x100 == 0 {
        // A run of samples with default values has no bytes for each sample, so the size of the
        // file does not limit their count. Clip the product, so that the sum cannot overflow before
        // it is compared with its bound.
        sum += min(UInt64(count) * UInt64(usual), 1 << 56)
      } else {
        guard Int(count) * (4 + others) <= reader.remaining else { return nil }
        for _ in 0..<count {
          guard let duration = try? reader.integer(UInt32.self),
            (try? reader.skip(others)) != nil
          else { return nil }
          sum += UInt64(duration)
        }
      }
      guard sum <= NumberBound.fragmentDuration.most else { return nil }
    }
    return Int64(sum)
  }
}
