// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Planning

/// Completes a movie: writes what libavformat omits or rounds, such as edit lists, matrices, dates
/// and metadata, and moves the index to the front.
struct MovieFinisher {
  let container: FileType
  let movieTimescale: Int32
  let tracks: [WrittenTrack]
  /// The dates and names to carry over, or `nil` for none.
  let metadata: CarriedMetadata?
  /// The tracks that the output gets in addition to the written ones.
  let carried: CarriedTracks
  /// The path of the source, which contains the carried samples.
  let sourcePath: String?
  /// The kinds of media (`vide`, `soun`) of which the source has an enabled track. Players show
  /// enabled tracks by default.
  var enabledKinds: Set<FourCC> = []

  /// Makes the file from its samples.
  func finish(_ file: UnfinishedFile, checkpoint: @escaping Pipeline.Checkpoint) throws {
    let samples = try FileByteSource(path: file.samplesPath)
    var source = JoinedByteSource(samples)
    let others =
      try sourcePath.map { path throws(ISOBMFFError) in
        carried.add(to: &source, from: try FileByteSource(path: path))
      } ?? []
    if case .movie = metadata, let sourcePath {
      // XMP and other descriptions may be next to `moov`, at the top level of the source.
      let (kept, _) = try Movie.descriptions(besideMovieIn: sourcePath)
      for (_, bytes) in kept { source.append(.bytes(bytes)) }
    }
    var editor = try BoxEditor(source, checkpoint: interruptible(checkpoint))
    var brands: [FourCC] = []
    try editor.edit { (moov) throws(ISOBMFFError) in
      try editTracks(&moov)
      try enableFirstTracks(in: &moov)
      // Carried tracks get new IDs, which follow the IDs of the written tracks. References between
      // tracks are changed to the new IDs.
      try carried.insert(
        others, into: &moov, sources: tracks.map { $0.boxes.replaced ?? $0.boxes.source })
      try editHeader(&moov)
      carryMetadata(to: &moov)
      stateGaplessPlayback(in: &moov)
      for trak in moov.children("trak") {
        for entry in trak.first("mdia", "minf", "stbl", "stsd")?.children ?? [] {
          // libavformat adds the brand `av01` for its own sample entry, but the finished entry may
          // be `dav1`, whose samples only Dolby Vision players show correctly. A file must not have
          // the brand if all its AV1 entries are `dav1`.
          if entry.child("av1C") != nil, entry.type != .dav1 {
            brands.append(.av01)
          }
          brands += SampleEntry(entry).dolbyVisionBrands
        }
      }
    }
    brands += tracks.flatMap(\.boxes.metadataBrands)
    let wrong: [FourCC] = brands.contains(.av01) ? [] : [.av01]
    let addition =
      container.movie == .isoBaseMedia
      ? try TopLevelBoxes(source).patch(adding: brands, removing: wrong, to: source) : nil
    try editor.patch(
      BytePatches(patchesOfRPUs(in: samples, checkpoint) + [addition].compactMap { $0 }))
    var sink = try FileByteSink(file, source: source, checkpoint: checkpoint)
    try editor.write(to: &sink, movieFirst: true)
    try sink.close()
  }

  private func editTracks(_ moov: inout Box) throws(ISOBMFFError) {
    let places = moov.children.indices.filter { moov.children[$0].type == "trak" }
    for (place, track) in zip(places, tracks) {
      let timescale = try mediaTimescale(moov.children[place])
      let edits = editList(track, mediaTimescale: timescale)
      insert(edits, into: &moov.children[place])
      if container.movie == .quickTime, let apertures = track.boxes.trackApertures {
        Self.insert(apertures, into: &moov.children[place])
      }
      try moov.children[place].edit("tkhd") { (tkhd) throws(ISOBMFFError) in
        var header = try HeaderFields(tkhd)
        header.duration = edits.duration
        if let matrix = track.boxes.matrix { header.matrix = matrix }
        if let size = track.boxes.displaySize { header.displaySize = size }
        if let source = track.boxes.source?.header {
          header.flags = source.flags
          header.takePresentation(from: source)
        }
        setDates(of: &header, from: track.boxes.source?.header)
        tkhd = header.box(tkhd)
      }
      carryNames(of: track.boxes, to: &moov.children[place])
      try moov.children[place].edit("mdia", "mdhd") { (mdhd) throws(ISOBMFFError) in
        var header = try HeaderFields(mdhd)
        setDates(of: &header, from: track.boxes.source?.header)
        header.language = try language(of: track.boxes)
        mdhd = header.box(mdhd)
      }
      try moov.children[place].edit("mdia", "minf", "stbl", "stsd") { (stsd) throws(ISOBMFFError) in
        guard !stsd.children.isEmpty else { return }
        track.entryOrigin.replace(&stsd.children[0])
        // No reader knows the placeholder entry, so it would be of no use to write color into it.
        guard !track.entryOrigin.isNone else { return }
        try track.boxes.finish(sampleEntry: &stsd.children[0], container: container)
      }
      moov.children[place].edit("mdia", "minf", "stbl") { stbl in
        track.samples.completeOffsets(in: &stbl)
        if let table = track.boxes.copiedTable { stbl.takeSampleStatements(of: table) }
      }
    }
  }

  /// If no track of a kind in ``enabledKinds`` is enabled, enables the first track of that kind.
  private func enableFirstTracks(in moov: inout Box) throws(ISOBMFFError) {
    // The source's enabled track may be missing from the output. If all other tracks of its kind
    // are disabled, players would show none of them.
    var found: [FourCC: (first: Int, isEnabled: Bool)] = [:]
    for index in moov.children.indices where moov.children[index].type == "trak" {
      let track = try Movie.Track(moov.children[index], childIndex: index, fileSize: 0)
      let isEnabled = track.header.flags & 1 == 1
      found[track.handler, default: (index, false)].isEnabled =
        isEnabled || found[track.handler]?.isEnabled == true
    }
    for (kind, (first, isEnabled)) in found where !isEnabled && enabledKinds.contains(kind) {
      try moov.children[first].edit("tkhd") { (tkhd) throws(ISOBMFFError) in
        var header = try HeaderFields(tkhd)
        header.flags |= 1
        tkhd = header.box(tkhd)
      }
    }
  }

  /// Returns the language for `mdhd`.
  private func language(of track: TrackBoxes) throws(ISOBMFFError) -> UInt16 {
    // QuickTime's Macintosh language codes are below 0x400 and mean nothing in MP4. 0x7FFF says
    // "unspecified".
    if let mdhd = track.source?.box.first("mdia", "mdhd"),
      let code = try HeaderFields(mdhd).language,
      container.movie == .quickTime || code >= 0x400,
      code != 0x7FFF
    {
      return code
    }
    return track.label.packedLanguage
  }

  /// Copies the track's name, its roles, and its exact language.
  private func carryNames(of track: TrackBoxes, to trak: inout Box) {
    if let language = track.source?.box.first("mdia", "elng") {
      trak.edit("mdia") { $0.set(language, behind: ["mdhd"]) }
    }
    guard metadata != nil else { return }
    guard let source = track.source?.box else {
      let boxes = track.label.boxes(for: container)
      trak.remove("udta")
      if !boxes.isEmpty { trak.children.append(Box("udta", children: boxes)) }
      return
    }
    for box in source.children where box.type == "udta" || box.type == "meta" {
      trak.remove(box.type)
      if let copy = box.portable { trak.children.append(copy) }
    }
    trak.children += source.children.filter(\.isDescriptiveUserBox)
  }

  private func mediaTimescale(_ trak: Box) throws(ISOBMFFError) -> Int32 {
    guard let mdhd = trak.first("mdia", "mdhd") else { throw .missingBox("mdhd", in: "mdia") }
    return Int32(clamping: max(try HeaderFields(mdhd).timescale ?? 1, 1))
  }

  /// Returns the edit list that presents the written media as the track's timeline says.
  private func editList(_ track: WrittenTrack, mediaTimescale: Int32) -> EditList {
    // In a movie, media time 0 is the first decode time, whatever the source's times were.
    let origin = track.samples.firstDecodeTime ?? .zero
    let begin = track.samples.start ?? origin
    let end = track.samples.end ?? origin
    var entries: [EditList.Entry] = []
    func append(
      _ duration: MediaTime, _ mediaTime: Int64, isDwell: Bool = false, isOpenEnded: Bool = false
    ) {
      let nearest = duration.converted(to: movieTimescale)
      // An edit that reaches the end of the media must not be rounded down, because that would hide
      // the last samples.
      let ticks = nearest.value + (isOpenEnded && nearest < duration ? 1 : 0)
      guard ticks > 0 else { return }
      entries.append(
        EditList.Entry(
          segmentDuration: UInt64(ticks), mediaTime: mediaTime,
          mediaRate: isDwell ? 0 : 0x1_0000))
    }
    for edit in track.boxes.timeline.edits {
      // An edit that starts after the end of the media presents nothing. An edit without a media
      // start presents nothing, either. Both become empty edits.
      guard let start = edit.mediaStart, start < end else {
        append(edit.duration ?? .zero, -1)
        continue
      }
      var duration = edit.duration ?? (max(end - start, .zero))
      // If the media begins later than the edit, an empty edit takes the place of the missing time.
      let lead = min(max(begin - start, .zero), duration)
      append(lead, -1)
      duration = duration - lead
      let time = (max(start, begin) - origin).converted(to: mediaTimescale).value
      append(duration, time, isDwell: edit.isDwell, isOpenEnded: edit.duration == nil)
    }
    // Leave out empty edits at the end. For each of them, libavformat would present the whole media
    // again.
    let count = (entries.lastIndex { $0.mediaTime >= 0 } ?? entries.count - 1) + 1
    return EditList(entries: Array(entries.prefix(count)))
  }

  /// Replaces the track's edit list. If the new list has no entries, the track gets no list.
  private func insert(_ edits: EditList, into trak: inout Box) {
    trak.remove("edts")
    guard !edits.entries.isEmpty else { return }
    Self.insert(Box("edts", children: [edits.box]), into: &trak)
  }

  private static func insert(_ box: Box, into trak: inout Box) {
    // The edit list follows the track header (ISO/IEC 14496-12, table 1).
    let place = trak.children.firstIndex { $0.type == "tkhd" }.map { $0 + 1 } ?? 0
    trak.children.insert(box, at: place)
  }

  private func editHeader(_ moov: inout Box) throws(ISOBMFFError) {
    var longest: UInt64 = 0
    for trak in moov.children("trak") {
      if let tkhd = trak.child("tkhd") { longest = max(longest, try HeaderFields(tkhd).duration) }
    }
    try moov.edit("mvhd") { (mvhd) throws(ISOBMFFError) in
      var header = try HeaderFields(mvhd)
      header.duration = longest
      if case .movie(let source, _) = metadata { header.takePresentation(from: source.header) }
      setDates(of: &header)
      mvhd = header.box(mvhd)
    }
  }

  /// Sets the dates in a header. They come from the header of the source's track, or from the whole
  /// source if `source` is `nil`.
  private func setDates(of header: inout HeaderFields, from source: HeaderFields? = nil) {
    guard let metadata else { return }
    let own = source.map { ($0.creationTime, $0.modificationTime) }
    guard let (creation, modification) = own ?? metadata.dates else { return }
    header.creationTime = creation
    header.modificationTime = modification
  }

  /// Copies descriptive metadata, such as titles, locations and the camera's make.
  private func carryMetadata(to moov: inout Box) {
    switch metadata {
    case nil: break
    case .movie(let source, let isPart): carry(source, isPart: isPart, to: &moov)
    case .names(let names):
      for box in names.boxes(container) {
        moov.remove(box.type)
        moov.children.append(box)
      }
    }
  }

  private func carry(_ source: Movie, isPart: Bool, to moov: inout Box) {
    for child in source.box.children where child.type == "meta" || child.type == "udta" {
      guard var copy = child.portable else { continue }
      // Nero's chapters in `chpl` have the times of the whole presentation, so a movie of only a
      // part must not keep them.
      if isPart { copy.remove("chpl") }
      if copy.type == "meta" && !copy.children.isEmpty {
        // `meta` is a plain box in QuickTime and a full box in MP4. But a `meta` with keys stays a
        // plain box in MP4, too. Phones write it that way, and exiftool and MediaInfo cannot read
        // it as a full box.
        let handler = copy.child("hdlr")?.fields.dropFirst(8).prefix(4)
        let hasKeys = handler?.elementsEqual("mdta".utf8) ?? false
        copy.fields = container.movie == .isoBaseMedia && !hasKeys ? [0, 0, 0, 0] : []
      }
      moov.remove(copy.type)
      moov.children.append(copy)
    }
    moov.children += source.box.children.filter(\.isDescriptiveUserBox)
  }
}

extension WrittenSamples {
  /// Adds `ctts` to a track's tables.
  fileprivate func completeOffsets(in stbl: inout Box) {
    // libavformat writes no `ctts` for audio, even if presentation and decode times differ.
    guard stbl.child("ctts") == nil, compositionOffsets.contains(where: { $0.ticks != 0 }) else {
      return
    }
    let isSigned = compositionOffsets.contains { $0.ticks < 0 }
    var writer = ByteWriter()
    // Only version 1 of `ctts` allows negative offsets (ISO/IEC 14496-12 8.6.1.3).
    writer.append(UInt32(isSigned ? 1 << 24 : 0))
    writer.append(UInt32(clamping: compositionOffsets.count))
    for run in compositionOffsets {
      writer.append(UInt32(clamping: run.count))
      writer.append(UInt32(bitPattern: Int32(clamping: run.ticks)))
    }
    let place = stbl.children.firstIndex { $0.type == "stts" }.map { $0 + 1 } ?? 0
    stbl.children.insert(Box("ctts", fields: writer.bytes), at: place)
  }
}
