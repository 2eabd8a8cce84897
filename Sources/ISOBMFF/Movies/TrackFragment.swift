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
    var defaults: [UInt32: UInt32]?
    try forEachFragment(in: source) { (moof, start) throws(ISOBMFFError) in
      // Read the movie only now, because most files have no fragments and do not need it.
      if defaults == nil { defaults = try Movie(source).defaultDurations }
      for piece in moof.children("traf") {
        let header = try FragmentHeader(piece)
        let isRepeated = fragments[header.trackID]?.last?.offset == start
        let duration = header.duration(of: piece, usually: defaults?[header.trackID] ?? 0)
        if let time = header.decodeTimeStamp, let duration, !isRepeated {
          fragments[header.trackID, default: []].append(
            TrackFragment(offset: start, decodeTimeStamp: time, duration: duration))
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

  /// The default sample durations for fragments, by track ID (`trex`; 8.8.3).
  private var defaultDurations: [UInt32: UInt32] {
    var durations: [UInt32: UInt32] = [:]
    for box in self.box.child("mvex")?.children("trex") ?? [] {
      var reader = ByteReader(box.fields, at: 4)
      guard let track = try? reader.integer(UInt32.self), (try? reader.skip(4)) != nil,
        let duration = try? reader.integer(UInt32.self)
      else { continue }
      durations[track] = duration
    }
    return durations
  }
}

/// `tfhd` and `tfdt` (ISO/IEC 14496-12, 8.8.7 and 8.8.12).
private struct FragmentHeader {
  let trackID: UInt32
  /// The default duration of a sample; `nil` if the movie's default applies.
  private let usualDuration: UInt32?
  /// The decode time of the first sample; `nil` if it is missing or out of bounds.
  let decodeTimeStamp: Int64?

  init(_ piece: Box) throws(ISOBMFFError) {
    guard let header = piece.child("tfhd") else { throw .missingBox("tfhd", in: "traf") }
    var reader = ByteReader(header.fields)
    let flags: UInt32
    do throws(BitstreamError) {
      flags = try reader.integer()
      trackID = try reader.integer()
    } catch {
      throw .shortPayload("tfhd", error)
    }
    // The optional fields come in the order of their flags (8.8.7), so the data offset and the
    // sample entry's index are before the duration.
    let before = (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
    let isStated = flags & 8 != 0 && (try? reader.skip(before)) != nil
    usualDuration = isStated ? try? reader.integer(UInt32.self) : nil
    decodeTimeStamp = try piece.child("tfdt").flatMap { (box) throws(ISOBMFFError) in
      try Self.decodeTime(box)
    }
  }

  private static func decodeTime(_ box: Box) throws(ISOBMFFError) -> Int64? {
    var reader = ByteReader(box.fields)
    guard let flags = try? reader.integer(UInt32.self) else { return nil }
    let time =
      flags >> 24 == 0
      ? (try? reader.integer(UInt32.self)).map(UInt64.init) : try? reader.integer(UInt64.self)
    return try time.flatMap { (time) throws(ISOBMFFError) in
      try NumberBound.decodeTimeStamp.checked(time)
    }
  }

  /// Adds up the durations of all runs (`trun`; 8.8.8). Returns `nil` if a run is cut off or the
  /// sum is out of bounds.
  func duration(of piece: Box, usually movieDefault: UInt32) -> Int64? {
    let usual = UInt64(usualDuration ?? movieDefault)
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
        // If all samples of a run have the default duration, the file needs no bytes for them, so
        // its size does not limit their count. Clip the product, so that the sum cannot overflow
        // before it is compared with its bound.
        sum += min(UInt64(count) * usual, 1 << 56)
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
