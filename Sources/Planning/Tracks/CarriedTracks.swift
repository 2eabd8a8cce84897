// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import Host
package import ISOBMFF
internal import LibAV
internal import MediaCore
package import Settings

/// The tracks of an output besides its video and audio: timed metadata, time code, chapters, text,
/// more video, audio of unknown codecs. Most of them are copied sample by sample.
package struct CarriedTracks: Sendable {
  /// The tracks, in the source's order. New tracks come last.
  package private(set) var tracks: [CarriedTrack] = []
  /// The index of a new chapter track, if there is one.
  private var chapterTrack: Int?
  /// The index of a new time code track, if there is one.
  private var timeCodeTrack: Int?
  /// Whether dates and user data of tracks are kept.
  let keepsMetadata: Bool
  /// IDs of the source's chapter tracks.
  private let sourceChapters: Set<UInt32>

  /// An empty list.
  package static let none = CarriedTracks(keepsMetadata: true)

  private init(keepsMetadata: Bool) {
    (self.keepsMetadata, sourceChapters) = (keepsMetadata, [])
  }

  /// Chooses the tracks to carry over.
  ///
  /// - Parameters:
  ///   - written: the source's tracks that the muxer writes.
  ///   - copiesVideo: whether the source's frames are copied, with the RPUs that a separate
  ///     enhancement layer needs.
  ///   - isUntrue: returns whether user data in a separate track would be false for the output's
  ///     frames. Its argument is the beginning of the user data.
  ///   - movieType: the kind of movie that is written.
  ///   - container: the kind of file that is made from that movie. It may store only some of the
  ///     tracks.
  init(
    of asset: MediaAsset, beside written: [AssetTrack], copiesVideo: Bool,
    leavingOut isUntrue: ([UInt8]) -> Bool,
    settings: TranscodeSettings, movieType: FileType, container: FileType, movieTimescale: Int32
  ) {
    let isMovie = container.isMovie
    keepsMetadata = settings.metadata == .preserve
    sourceChapters = asset.movie?.chapterTracks ?? []
    // If two tracks share an ID, references to it are ambiguous, so no track is copied.
    if let movie = asset.movie, movie.hasTrackIDsOnce {
      let known = Dictionary(
        asset.tracks.compactMap { track in track.box?.header.trackID.map { ($0, track) } },
        uniquingKeysWith: { first, _ in first })
      let writtenIDs = Set(written.compactMap { $0.box?.header.trackID })
      let wanted = movie.tracks.filter { track in
        guard let id = track.header.trackID, !writtenIDs.contains(id) else { return false }
        // A Dolby Vision enhancement layer is useless unless its base layer and its RPUs are
        // copied.
        let isLayer = known[id]?.isEnhancementLayer == true && !copiesVideo
        let isTaken =
          isMovie || movie.chapterTracks.contains(id) || known[id]?.comes(into: container) == true
        if let beginning = track.userDataBeginning, isUntrue(beginning) { return false }
        return !isLayer && isTaken && settings.carries(track, known: known[id])
      }
      let copies = movie.copies(
        of: wanted, in: asset.path, into: movieType, movieTimescale: movieTimescale)
      tracks =
        asset.isPart
        ? movie.clipped(copies, to: known, in: asset.path, movieTimescale: movieTimescale) : copies
    }
    let takesChapters =
      switch settings.tracks.other {
      case .all: true
      case .none: false
      // Chapters without a track have no ID that the settings could name, so take them.
      case .some: asset.movie?.chapterTracks.isEmpty ?? true
      }
    if takesChapters { addChapters(of: asset, movieTimescale: movieTimescale) }
    if isMovie, settings.tracks.other == .all {
      addTimeCode(of: asset, movieTimescale: movieTimescale)
    }
  }

  /// Adds a new track with the source's chapters, unless a chapter track is carried. The video will
  /// refer to the new track.
  private mutating func addChapters(of asset: MediaAsset, movieTimescale: Int32) {
    let hasChapterTrack = asset.movie.map { movie in
      tracks.contains { $0.sourceID.map(movie.chapterTracks.contains) ?? false }
    }
    guard hasChapterTrack != true else { return }
    let chapters = Chapter.inSequence(asset.chapters, until: asset.duration)
    let language = asset.chapterTrack?.label.packedLanguage
    chapterTrack = CarriedTrack(
      chapters, language: language, movieTimescale: movieTimescale
    ).map { track in
      tracks.append(track)
      return tracks.count - 1
    }
  }

  /// Adds a new track with the source's time code, unless a time code track is carried. The video
  /// will refer to the new track.
  private mutating func addTimeCode(of asset: MediaAsset, movieTimescale: Int32) {
    guard !hasTimeCode, let timeCode = asset.timeCode,
      let duration = asset.duration ?? asset.statedDuration, asset.videoTrack != nil
    else { return }
    timeCodeTrack = tracks.count
    tracks.append(
      CarriedTrack(
        NewTrack(timeCode, lasting: duration), kind: CarriedTrack.timeCodeKind,
        movieTimescale: movieTimescale))
  }

  /// Whether one of the tracks has time code.
  var hasTimeCode: Bool { tracks.contains { $0.kind == CarriedTrack.timeCodeKind } }

  /// Returns whether one of the tracks has the source's chapters.
  func hasChapters(of asset: MediaAsset) -> Bool {
    let numbers = asset.movie?.chapterTracks ?? []
    return chapterTrack != nil
      || tracks.contains { $0.sourceID.map(numbers.contains) ?? false }
  }

  /// Returns whether a new track replaces this chapter track of the source.
  func hasContent(of track: AssetTrack, in asset: MediaAsset) -> Bool {
    chapterTrack != nil && asset.chapterTrack?.demuxed.index == track.demuxed.index
  }

  /// Returns the tracks together with subtitles that were collected while reading.
  package func adding(_ subtitles: [NewTrack], movieTimescale: Int32) -> CarriedTracks {
    var copy = self
    copy.tracks += subtitles.map {
      CarriedTrack($0, kind: "\($0.sampleEntry.type)", movieTimescale: movieTimescale)
    }
    return copy
  }

  /// Returns the tracks without the given tracks of the source.
  package func leavingOut(_ left: [AssetTrack]) -> CarriedTracks {
    let numbers = Set(left.compactMap { $0.box?.header.trackID })
    var copy = self
    copy.tracks.removeAll { track in track.sourceID.map(numbers.contains) ?? false }
    // New tracks come after the source's, so their indices shift.
    let leftCount = tracks.count - copy.tracks.count
    copy.chapterTrack = chapterTrack.map { $0 - leftCount }
    copy.timeCodeTrack = timeCodeTrack.map { $0 - leftCount }
    return copy
  }

  /// Returns whether a track of the source is among the carried tracks.
  package func contain(_ track: AssetTrack) -> Bool {
    track.box.map { box in tracks.contains { $0.sourceID == box.header.trackID } } ?? false
  }

  /// The size of all samples together, in bytes.
  var dataSize: UInt64 { tracks.reduce(0) { $0 + $1.dataSize } }

  /// Adds the samples to a file in a separate `mdat` box.
  ///
  /// - Returns: the tracks' boxes with their chunk offsets.
  package func add(to file: inout JoinedByteSource, from source: FileByteSource) -> [Box] {
    guard !tracks.isEmpty else { return [] }
    var header = ByteWriter()
    // Size 1 announces a 64-bit size after the type (ISO/IEC 14496-12, 4.2), because the data may
    // exceed 4 GB.
    header.append(UInt32(1))
    header.append(FourCC("mdat").rawValue)
    header.append(dataSize + 16)
    file.append(.bytes(header.bytes))
    return tracks.map { track in
      var box = track.box
      box.setChunkOffsets(
        track.chunks(of: source).map { part in
          defer { file.append(part) }
          return file.size
        })
      return box
    }
  }

  /// Inserts the tracks into a movie under new IDs, and restores references between tracks.
  ///
  /// - Parameters:
  ///   - boxes: the tracks as ``add(to:from:)`` returns them.
  ///   - sources: for each track of the movie, the source track from which it was made.
  /// - Returns: the new IDs, in order.
  @discardableResult
  package func insert(
    _ boxes: [Box], into moov: inout Box, sources: [Movie.Track?]
  ) throws(ISOBMFFError) -> [UInt32] {
    let places = moov.children.indices.filter { moov.children[$0].type == "trak" }
    var numbers: [UInt32: UInt32] = [:]
    var last: UInt32 = 0
    for (place, source) in zip(places, sources) {
      let number = try Self.number(of: moov.children[place])
      last = max(last, number)
      if let id = source?.header.trackID { numbers[id] = number }
    }
    // All IDs must be known before references are written, because a track may refer to a later
    // track.
    var new: [UInt32] = []
    for track in tracks {
      last += 1
      new.append(last)
      if let id = track.sourceID { numbers[id] = last }
    }
    for (place, source) in zip(places, sources) {
      guard let source else { continue }
      moov.children[place].moveReferences(
        from: source.box, numbers: numbers, chapters: sourceChapters)
    }
    if let chapterTrack, let place = places.first {
      moov.children[place].addReference("chap", to: new[chapterTrack])
    }
    if let timeCodeTrack, let place = places.first {
      moov.children[place].addReference("tmcd", to: new[timeCodeTrack])
    }
    var position = places.last.map { $0 + 1 } ?? moov.children.endIndex
    for ((track, number), box) in zip(zip(tracks, new), boxes) {
      moov.children.insert(try finished(box, of: track, number, numbers), at: position)
      position += 1
    }
    try moov.edit("mvhd") { (mvhd) throws(ISOBMFFError) in
      var header = try HeaderFields(mvhd)
      header.nextTrackID = max(header.nextTrackID ?? 0, last + 1)
      mvhd = header.box(mvhd)
    }
    return new
  }

  private static func number(of trak: Box) throws(ISOBMFFError) -> UInt32 {
    guard let tkhd = trak.child("tkhd") else { throw .missingBox("tkhd", in: "trak") }
    return try HeaderFields(tkhd).trackID ?? 0
  }

  private func finished(
    _ box: Box, of track: CarriedTrack, _ number: UInt32, _ numbers: [UInt32: UInt32]
  ) throws(ISOBMFFError) -> Box {
    var box = box
    try box.edit("tkhd") { (tkhd) throws(ISOBMFFError) in
      var header = try HeaderFields(tkhd)
      header.trackID = number
      if !keepsMetadata { header.forgetDates() }
      tkhd = header.box(tkhd)
    }
    if track.sourceID != nil {
      box.moveReferences(from: track.box, numbers: numbers, chapters: sourceChapters)
    }
    // If metadata is not kept, dates and names in the tracks themselves have to go, too.
    guard !keepsMetadata else { return box }
    for type in ["udta", "meta"] as [FourCC] { box.remove(type) }
    try box.edit("mdia", "mdhd") { (mdhd) throws(ISOBMFFError) in
      var header = try HeaderFields(mdhd)
      header.forgetDates()
      mdhd = header.box(mdhd)
    }
    return box
  }
}

extension TrackSelection {
  /// Returns whether a track is selected.
  package func contains(_ track: AssetTrack) -> Bool {
    contains(track.demuxed.id, language: track.demuxed.language)
  }
}

extension HeaderFields {
  fileprivate mutating func forgetDates() {
    creationTime = 0
    modificationTime = 0
  }
}

extension TranscodeSettings {
  /// Sample entries of timed metadata that also appear under handlers other than `meta`.
  private static let metadataEntries: Set<FourCC> = ["gpmd", "camm", "rtmd", "mebx"]

  /// Returns whether a track besides the output's video and audio is wanted.
  ///
  /// - Parameter known: the same track from the demuxer, if the demuxer finds it.
  fileprivate func carries(_ track: Movie.Track, known: AssetTrack?) -> Bool {
    let language = known?.demuxed.language
    let id = Int(track.header.trackID ?? 0)
    switch track.handler {
    case "vide": return tracks.video.contains(id, language: language)
    // ``AudioPlanner`` decides about audio of known codecs.
    case "soun":
      return audio != .none && known?.demuxed.codec.isKnown != true
        && tracks.audio.contains(id, language: language)
    default:
      let isMetadata =
        track.handler == "meta"
        || track.sampleEntries.contains { Self.metadataEntries.contains($0.format) }
      // Timed metadata may contain locations, so `metadata: none` removes it unless the settings
      // name the track.
      if isMetadata && metadata == .none && !tracks.other.names(id, language: language) {
        return false
      }
      return tracks.other.contains(id, language: language)
    }
  }
}

extension Movie {
  /// Copies tracks. A track that cannot be copied is left out, and the plan reports it as lost.
  fileprivate func copies(
    of tracks: [Movie.Track], in path: String, into container: FileType, movieTimescale: Int32
  ) -> [CarriedTrack] {
    guard !tracks.isEmpty, let file = try? FileByteSource(path: path) else { return [] }
    return tracks.compactMap { track in
      container.movie == .isoBaseMedia && isQuickTimeText(track)
        ? translation(of: track, in: path, movieTimescale)
        : try? CarriedTrack(
          copying: track, into: container, of: self, in: file, movieTimescale: movieTimescale)
    }
  }

  /// Returns whether a track contains text that MP4 needs in another form. Chapters keep
  /// QuickTime's form even in MP4.
  private func isQuickTimeText(_ track: Movie.Track) -> Bool {
    track.handler == "text" && track.sampleEntries.allSatisfy { $0.format == "text" }
      && !chapterTracks.contains(track.header.trackID ?? 0)
  }

  /// Translates QuickTime's text to timed text.
  private func translation(
    of track: Movie.Track, in path: String, _ movieTimescale: Int32
  ) -> CarriedTrack? {
    let text = try? NewTrack(timedTextOf: track, path: path)
    return try? text.map {
      try CarriedTrack($0, insteadOf: track, of: self, movieTimescale: movieTimescale)
    }
  }

  /// Returns copies with only the samples that a part of the presentation needs.
  fileprivate func clipped(
    _ copies: [CarriedTrack], to known: [UInt32: AssetTrack], in path: String,
    movieTimescale: Int32
  ) -> [CarriedTrack] {
    // Tables made from fragments do not count from the same zero as the timeline, so they cannot be
    // cut to a part.
    guard !isFragmented, let file = try? FileByteSource(path: path) else { return [] }
    return copies.compactMap { copy in
      guard let timeline = copy.sourceID.flatMap({ known[$0] })?.timeline else { return nil }
      return try? copy.clipped(to: timeline, of: file, movieTimescale: movieTimescale)
    }
  }
}
