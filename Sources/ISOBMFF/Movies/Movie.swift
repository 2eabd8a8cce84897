// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The content of a movie file's `moov`, read-only.
package struct Movie: Sendable {
  /// One track of the movie.
  package struct Track: Sendable {
    /// The track's `tkhd`.
    package let header: HeaderFields
    /// The timescale of the media's own timeline, in ticks a second.
    package let mediaTimescale: UInt32
    /// The media's duration, in its timescale.
    package let mediaDuration: UInt64
    /// The kind of media: `vide`, `soun`, `meta`, …
    package let handler: FourCC
    package let editList: EditList?
    package let sampleEntries: [SampleEntry]
    /// The track's `trak`.
    package let box: Box
    /// The index of the box among the children of `moov`.
    package let childIndex: Int
    /// Whether the movie continues in fragments, which have samples of their own.
    package let isFragmented: Bool
    /// The size of the file in bytes, which limits how many samples there can be.
    package let fileSize: UInt64
  }

  /// The movie header.
  package let header: HeaderFields
  /// The tracks, in the order of their boxes.
  package let tracks: [Track]
  /// Whether the movie continues in fragments (`mvex`).
  package let isFragmented: Bool
  /// The `moov` box.
  package let box: Box
  /// The major brand of `ftyp`; old QuickTime files have none.
  package let majorBrand: FourCC?
  /// The size of the file in bytes.
  package let fileSize: UInt64
  /// The error if the last top-level box is cut off.
  package let truncation: ISOBMFFError?

  /// Reads the movie of a file.
  ///
  /// - Throws: ``ISOBMFFError``; `notISOBaseMedia` for files of other kinds.
  package init(_ source: any ByteSource) throws(ISOBMFFError) {
    let list = try TopLevelBoxes(source)
    guard let entry = list.first("moov") else {
      // A recording that was cut off usually lost its `moov`, which cameras write last. Then the
      // truncation is the error to report.
      throw list.truncation ?? .missingBox("moov", in: "the file")
    }
    let bytes = try source.read(at: entry.range.lowerBound, count: entry.range.count)
    guard let moov = try Box.parse(bytes, base: entry.range.lowerBound).first else {
      throw .missingBox("moov", in: "the file")
    }
    try self.init(
      moov, majorBrand: try list.majorBrand(source), truncation: list.truncation,
      fileSize: source.size)
  }

  init(
    _ moov: Box, majorBrand: FourCC?, truncation: ISOBMFFError?, fileSize: UInt64
  ) throws(ISOBMFFError) {
    try moov.checkPlaces()
    guard let mvhd = moov.child("mvhd") else { throw .missingBox("mvhd", in: "moov") }
    header = try HeaderFields(mvhd)
    isFragmented = moov.child("mvex") != nil
    var tracks: [Track] = []
    for (index, box) in moov.children.enumerated() where box.type == "trak" {
      tracks.append(
        try Track(
          box, childIndex: index, fileSize: fileSize, movieTimescale: header.timescale,
          isFragmented: isFragmented))
    }
    self.tracks = tracks
    box = moov
    self.majorBrand = majorBrand
    self.truncation = truncation
    self.fileSize = fileSize
  }

  /// Returns the track with the given ID.
  package func track(id: UInt32) -> Track? { tracks.first { $0.header.trackID == id } }
}

extension Movie.Track {
  /// Reads the boxes of a track.
  ///
  /// - Parameters:
  ///   - fileSize: the size in bytes of the file that has the samples.
  ///   - movieTimescale: the movie's ticks a second, in which edits are counted, or `nil` if
  ///     unknown.
  ///   - isFragmented: whether the movie continues in fragments.
  package init(
    _ box: Box, childIndex: Int, fileSize: UInt64, movieTimescale: UInt32? = nil,
    isFragmented: Bool = false
  ) throws(ISOBMFFError) {
    guard let tkhd = box.child("tkhd") else { throw .missingBox("tkhd", in: "trak") }
    guard let mdhd = box.first("mdia", "mdhd") else { throw .missingBox("mdhd", in: "mdia") }
    header = try HeaderFields(tkhd)
    let media = try HeaderFields(mdhd)
    mediaTimescale = media.timescale ?? 0
    mediaDuration = media.duration
    handler = Self.handler(box.first("mdia", "hdlr"))
    editList = try box.first("edts", "elst").map { (elst) throws(ISOBMFFError) in
      try EditList(fields: elst.fields, timescale: movieTimescale)
    }
    let entries = box.first("mdia", "minf", "stbl", "stsd")?.children ?? []
    sampleEntries = entries.map(SampleEntry.init)
    self.box = box
    self.childIndex = childIndex
    self.fileSize = fileSize
    self.isFragmented = isFragmented
  }

  private static func handler(_ box: Box?) -> FourCC {
    var reader = ByteReader(box?.fields ?? [], at: 8)
    return FourCC(rawValue: (try? reader.integer(UInt32.self)) ?? 0)
  }
}

extension Movie {
  // `ftyp` came with MP4, so a movie file without one is an old QuickTime file.
  /// Whether the file is a QuickTime movie, whose `colr` boxes are `nclc`.
  package var isQuickTime: Bool { majorBrand == "qt  " || majorBrand == nil }

  /// The video tracks, except for tracks of chapter images.
  package var pictureTracks: [Track] {
    let chapters = chapterTracks
    return tracks.filter { $0.handler == "vide" && !chapters.contains($0.header.trackID ?? 0) }
  }

  /// Whether all track IDs differ, as ISO/IEC 14496-12, 8.3.2, demands.
  package var hasTrackIDsOnce: Bool {
    Set(tracks.map(\.header.trackID)).count == tracks.count
  }

  /// Whether the movie's user data has chapters (Nero's `chpl`).
  package var hasChapterList: Bool { box.first("udta", "chpl") != nil }

  /// The IDs of the tracks that others refer to as their chapters (`tref`, `chap`).
  package var chapterTracks: Set<UInt32> {
    func numbers(of handler: FourCC) -> Set<UInt32> {
      Set(tracks.filter { $0.handler == handler }.compactMap(\.header.trackID))
    }
    var chapters: Set<UInt32> = []
    for track in tracks {
      var reader = ByteReader(track.box.first("tref", "chap")?.fields ?? [])
      while let id = try? reader.integer(UInt32.self) {
        // Some files have tracks that refer to themselves as chapters, but a track cannot contain
        // its own chapters.
        if id != track.header.trackID { chapters.insert(id) }
      }
    }
    // Audio is never a chapter track, whatever refers to it. If other tracks refer to every video
    // track as chapters, the movie would have no video left. In that case, only tracks of still
    // images count as chapters, as in podcasts.
    chapters.subtract(numbers(of: "soun"))
    let pictures = numbers(of: "vide")
    return pictures.isSubset(of: chapters)
      ? chapters.subtracting(pictures.subtracting(stillTracks)) : chapters
  }

  private var stillTracks: Set<UInt32> {
    let stills = tracks.filter { track in
      !track.sampleEntries.isEmpty
        && track.sampleEntries.allSatisfy { ["jpeg", "png "].contains($0.format) }
    }
    return Set(stills.compactMap(\.header.trackID))
  }
}
