// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The samples that one movie fragment has of a track (`moof`, `traf`; ISO/IEC 14496-12, 8.8):
/// their stated start, and their duration.
package struct TrackFragment: Hashable, Sendable {
  /// Position of its `moof` in the file; samples follow it.
  package let offset: UInt64
  /// Decode time of the first sample, in the media's timescale (`tfdt`).
  package let decodeTimeStamp: Int64
  /// Duration of all samples together, in the media's timescale (`trun`).
  package let duration: Int64

  /// A fragment from its parts.
  package init(offset: UInt64, decodeTimeStamp: Int64, duration: Int64) {
    self.offset = offset
    self.decodeTimeStamp = decodeTimeStamp
    self.duration = duration
  }
}

extension Movie {
  /// The most bytes of a `moof` that are read.
  private static let largest: UInt64 = 64 << 20
  /// The most fragments that are read: a week of one each second.
  private static let most = 604_800

  /// The fragments of the file's tracks, by the track's number, in the order of the file.
  ///
  /// - Returns: no track of which a fragment states no time, or that has two pieces in one
  ///   fragment; nothing for movies in one piece.
  /// - Throws: ``ISOBMFFError`` for damaged fragments.
  package static func fragments(
    in source: any ByteSource
  ) throws(ISOBMFFError) -> [UInt32: [TrackFragment]] {
    var fragments: [UInt32: [TrackFragment]] = [:]
    var unknown: Set<UInt32> = []
    var defaults: [UInt32: UInt32]?
    try forEachFragment(in: source) { (moof, start) throws(ISOBMFFError) in
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

  /// Calls a function with each `moof` and its place, in the order of the file.
  static func forEachFragment(
    in source: any ByteSource, _ body: (Box, UInt64) throws(ISOBMFFError) -> Void
  ) throws(ISOBMFFError) {
    let moofs = try TopLevelBoxes(source).entries.filter { $0.type == "moof" }
    guard moofs.count <= most else { return }
    for moof in moofs where UInt64(moof.range.count) <= largest {
      let start = moof.range.lowerBound
      let bytes = try source.read(at: start, count: moof.range.count)
      if let box = try Box.parse(bytes, base: start).first { try body(box, start) }
    }
  }

  /// Default durations of samples of fragments, by the track's number (`trex`; 8.8.3).
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
  /// Duration of samples that state none; nil for the movie's own default.
  private let usualDuration: UInt32?
  /// The time of the first sample; nil where none is stated, or one that no clock shows.
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

  /// The sum over the runs (`trun`; 8.8.8); nil where one is cut off, or the sum is beyond its
  /// bound.
  func duration(of piece: Box, usually movieDefault: UInt32) -> Int64? {
    let usual = UInt64(usualDuration ?? movieDefault)
    var sum: UInt64 = 0
    for run in piece.children("trun") {
      var reader = ByteReader(run.fields)
      guard let flags = try? reader.integer(UInt32.self),
        let count = try? reader.integer(UInt32.self),
        (try? reader.skip(4 * (flags & 0x5).nonzeroBitCount)) != nil
      else { return nil }
      let others = (flags & 0xE00).nonzeroBitCount * 4
      if flags & 0x100 == 0 {
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
