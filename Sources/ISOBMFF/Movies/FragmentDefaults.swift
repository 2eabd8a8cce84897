// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The defaults for the samples of a fragment: `trex`, `tfhd` and `tfdt` (ISO/IEC 14496-12, 8.8.3,
/// 8.8.7 and 8.8.12).
struct FragmentDefaults {
  let trackID: UInt32
  private(set) var entry: UInt32 = 1
  private(set) var duration: UInt32 = 0
  private(set) var size: UInt32 = 0
  private(set) var flags: UInt32 = 0
  /// The position in the file from which data offsets count; `nil` if it depends on the runs of
  /// other tracks.
  private(set) var base: UInt64?
  /// The decode time of the first sample, in the media's timescale; `nil` if it is missing or out
  /// of bounds.
  private(set) var decodeTimeStamp: UInt64?

  private init(trackID: UInt32) { self.trackID = trackID }

  /// Reads a movie's defaults (`trex`).
  ///
  /// - Returns: the defaults by track ID.
  static func all(of movie: Movie) -> [UInt32: FragmentDefaults] {
    var all: [UInt32: FragmentDefaults] = [:]
    for box in movie.box.child("mvex")?.children("trex") ?? [] {
      var reader = ByteReader(box.fields, at: 4)
      guard let trackID = try? reader.integer(UInt32.self) else { continue }
      var usual = FragmentDefaults(trackID: trackID)
      usual.entry = (try? reader.integer()) ?? usual.entry
      usual.duration = (try? reader.integer()) ?? usual.duration
      usual.size = (try? reader.integer()) ?? usual.size
      usual.flags = (try? reader.integer()) ?? usual.flags
      all[trackID] = usual
    }
    return all
  }

  /// Reads the defaults of a track in a fragment, which override the movie's defaults.
  ///
  /// - Parameters:
  ///   - movieDefaults: the movie's defaults by track ID.
  ///   - moof: where the fragment begins in the file.
  ///   - isFirst: whether this is the first track in the fragment.
  init(
    _ piece: Box, _ movieDefaults: [UInt32: FragmentDefaults], moof: UInt64, isFirst: Bool
  ) throws(ISOBMFFError) {
    guard let header = piece.child("tfhd") else { throw .missingBox("tfhd", in: "traf") }
    do throws(BitstreamError) {
      var reader = ByteReader(header.fields)
      let stated = try reader.integer(UInt32.self)
      let trackID = try reader.integer(UInt32.self)
      self = movieDefaults[trackID] ?? FragmentDefaults(trackID: trackID)
      // With the flag `default-base-is-moof`, offsets count from the `moof`. The offsets of the
      // first track count from there in any case (8.8.7).
      base = isFirst || stated & 0x2_0000 != 0 ? moof : nil
      // An explicit base overrides these rules. The optional fields follow in the order of their
      // flags.
      if stated & 1 != 0 { base = try reader.integer(UInt64.self) }
      if stated & 2 != 0 { entry = try reader.integer() }
      if stated & 8 != 0 { duration = try reader.integer() }
      if stated & 0x10 != 0 { size = try reader.integer() }
      if stated & 0x20 != 0 { flags = try reader.integer() }
    } catch {
      throw .shortPayload("tfhd", error)
    }
    guard let box = piece.child("tfdt") else { return }
    let ticks: UInt64
    do throws(BitstreamError) {
      var reader = ByteReader(box.fields)
      let isLong = try reader.integer(UInt32.self) >> 24 != 0
      ticks = isLong ? try reader.integer(UInt64.self) : UInt64(try reader.integer(UInt32.self))
    } catch {
      throw .shortPayload("tfdt", error)
    }
    decodeTimeStamp = try NumberBound.decodeTimeStamp.checked(ticks).map { UInt64($0) }
  }
}

extension Movie {
  /// For each fragment of a track, in file order, returns the index of the sample entry that the
  /// fragment uses. The first entry has the index 0.
  ///
  /// - Throws: ``ISOBMFFError`` for damaged fragments.
  package func entriesInFragments(
    of track: Track, in source: any ByteSource
  ) throws(ISOBMFFError) -> [Int] {
    let movieDefaults = FragmentDefaults.all(of: self)
    var entries: [Int] = []
    try Self.forEachFragment(in: source) { (moof, position) throws(ISOBMFFError) in
      for (index, piece) in moof.children("traf").enumerated() {
        let header = try FragmentDefaults(
          piece, movieDefaults, moof: position, isFirst: index == 0)
        if header.trackID == track.header.trackID { entries.append(Int(header.entry) - 1) }
      }
    }
    return entries
  }
}
