// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
package import Host
package import ISOBMFF
internal import MediaCore

/// A track besides the ones that the muxer writes: a copy of the source's boxes and samples, or a
/// new track.
package struct CarriedTrack: Sendable {
  /// Where the data of the samples is.
  enum Content: Sendable {
    /// The byte range of each chunk in the source.
    case copied([Range<UInt64>])
    /// The bytes of a single chunk.
    case made([UInt8])
  }

  /// The sample entry of time code.
  package static let timeCodeKind = "tmcd"

  /// The track's ID in the source, or `nil` for a new track.
  let sourceID: UInt32?
  /// The sample entry's type (`mebx`, `tmcd`). For some new tracks, words: `chapters`.
  package let kind: String
  /// The `trak` box. Its ID, references and chunk offsets are set when the movie is written.
  var box: Box
  var content: Content

  /// Copies a track of a movie.
  ///
  /// - Throws: ``ISOBMFFError`` if samples cannot be found in the file, are encrypted, or have
  ///   extra information (`saio`) that would be lost.
  init(
    copying track: Movie.Track, into container: FileType, of movie: Movie,
    in file: FileByteSource, movieTimescale: Int32
  ) throws(ISOBMFFError) {
    // A track cannot be copied chunk by chunk if its data is in another file, is encrypted, or is
    // described outside the track.
    guard track.box.isTrackOfThisFile else { throw .missingBox("dref", in: "dinf") }
    guard !track.sampleEntries.isEmpty else { throw .missingBox("stsd", in: "stbl") }
    guard !track.sampleEntries.contains(where: \.isEncrypted) else { throw .unmovable("sinf") }
    if track.box.first("mdia", "minf", "stbl", "saio") != nil { throw .unmovable("saio") }
    let fragments =
      movie.isFragmented ? try FragmentedSamples(track, of: movie, in: file) : nil
    let chunks: [Range<UInt64>]
    if let fragments {
      chunks = fragments.chunks
    } else {
      let table = try SampleTable(track)
      try table.check(track)
      chunks = table.chunks
    }
    // If the file is truncated, refuse the track here instead of writing offsets to missing bytes.
    for chunk in chunks where !chunk.isEmpty && chunk.upperBound > movie.fileSize {
      throw .missingSamples(end: chunk.upperBound, fileSize: movie.fileSize)
    }
    sourceID = track.header.trackID
    kind = track.sampleEntries.first.map { "\($0.format)" } ?? "\(track.handler)"
    let timescale = movie.header.timescale ?? 1
    box = try (fragments?.box(movieTimescale: timescale) ?? track.box).withPortableMetadata
    _ = try SampleTimes.checkedCount(of: box)
    // Players read the configuration before the samples, so it must agree with them.
    let checks = (try? track.configurationChecks(file)) ?? []
    box.edit("mdia", "minf", "stbl", "stsd") { stsd in
      for (index, check) in zip(stsd.children.indices, checks) {
        check?.ifWrong?.correct(&stsd.children[index])
      }
    }
    content = .copied(chunks)
    try rescale(from: timescale, to: movieTimescale)
    if let form = container.movie, movie.isQuickTime != (form == .quickTime) {
      box.adaptMedia(to: form)
    }
  }

  /// Makes a new track.
  ///
  /// - Parameters:
  ///   - kind: the kind of its samples.
  ///   - movieTimescale: ticks per second of the durations in the output's headers and edits.
  init(_ track: NewTrack, kind: String, movieTimescale: Int32) {
    sourceID = nil
    self.kind = kind
    box = track.box(movieTimescale: UInt32(clamping: max(movieTimescale, 1)))
    content = .made(track.data)
  }

  /// Makes a track that replaces one of the source's tracks and keeps its header, edits, language
  /// and names.
  init(
    _ track: NewTrack, insteadOf source: Movie.Track, of movie: Movie, movieTimescale: Int32
  ) throws(ISOBMFFError) {
    sourceID = source.header.trackID
    kind = "\(source.handler) as \(track.sampleEntry.type)"
    content = .made(track.data)
    var new = track.box(movieTimescale: UInt32(clamping: max(movieTimescale, 1)))
    let front = source.box.children.filter { $0.type == "tkhd" || $0.type == "edts" }
    let behind = source.box.withPortableMetadata.children.filter {
      ["tref", "udta", "meta"].contains($0.type)
    }
    new.children = front + new.children.filter { $0.type == "mdia" } + behind
    // The source's `mdhd` has the right dates, duration and language.
    if let header = source.box.first("mdia", "mdhd") { new.edit("mdia", "mdhd") { $0 = header } }
    box = new
    try rescale(from: movie.header.timescale ?? 1, to: movieTimescale)
  }

  /// Converts durations from the source movie's timescale to the output movie's.
  private mutating func rescale(from old: UInt32, to new: Int32) throws(ISOBMFFError) {
    guard old > 0, old != UInt32(clamping: new) else { return }
    func converted(_ ticks: UInt64) -> UInt64 {
      // All bits set means that the duration is unknown (ISO/IEC 14496-12, 8.3.2).
      guard let value = Int64(exactly: ticks), ticks != UInt64(UInt32.max) else { return ticks }
      let time = MediaTime(value: value, timescale: Int32(clamping: old))
      return UInt64(max(time.converted(to: new).value, 0))
    }
    try box.edit("tkhd") { (tkhd) throws(ISOBMFFError) in
      var header = try HeaderFields(tkhd)
      header.duration = converted(header.duration)
      tkhd = header.box(tkhd)
    }
    try box.edit("edts", "elst") { (elst) throws(ISOBMFFError) in
      var edits = try EditList(fields: elst.fields, timescale: old)
      for index in edits.entries.indices {
        edits.entries[index].segmentDuration = converted(edits.entries[index].segmentDuration)
      }
      elst = edits.box
    }
  }

  /// Makes a track of chapters.
  ///
  /// - Parameter language: the language of the titles as `mdhd` packs it, if known.
  /// - Returns: `nil` if there are no chapters.
  init?(_ chapters: [Chapter], language: UInt16?, movieTimescale: Int32) {
    guard let first = chapters.first, var track = NewTrack(chapters) else { return nil }
    if let language { track.language = language }
    self.init(track, kind: "chapters", movieTimescale: movieTimescale)
    delay(by: first.start, movieTimescale: movieTimescale)
  }

  /// Puts an empty edit before the media.
  private mutating func delay(by start: MediaTime, movieTimescale: Int32) {
    // Samples of a track follow each other without gaps, so only an edit can delay the first.
    let ticks = UInt64(max(start.converted(to: movieTimescale).value, 0))
    guard ticks > 0, let tkhd = box.child("tkhd"), var header = try? HeaderFields(tkhd) else {
      return
    }
    let edits = EditList(entries: [
      EditList.Entry(segmentDuration: ticks, mediaTime: -1),
      EditList.Entry(segmentDuration: header.duration, mediaTime: 0),
    ])
    box.set(Box("edts", children: [edits.box]), behind: ["tkhd"])
    header.lengthen(by: ticks)
    box.set(header.box(tkhd))
  }

  /// Returns the data of each chunk.
  ///
  /// - Parameter source: the file that copied samples are in.
  func chunks(of source: FileByteSource) -> [JoinedByteSource.Part] {
    switch content {
    case .copied(let ranges): ranges.map { .file(source, $0) }
    case .made(let bytes): [.bytes(bytes)]
    }
  }

  /// The size of all samples together, in bytes.
  var dataSize: UInt64 {
    switch content {
    case .copied(let ranges): ranges.reduce(0) { $0 + UInt64($1.count) }
    case .made(let bytes): UInt64(bytes.count)
    }
  }

  /// Returns whether a track of a movie has the same samples, times and sample entries as this
  /// track.
  ///
  /// - Parameters:
  ///   - source: the file that copied samples are in.
  ///   - output: the movie's file.
  package func isIn(
    _ track: Movie.Track, of output: FileByteSource, source: FileByteSource,
    checkpoint: Pipeline.Checkpoint
  ) throws -> Bool {
    let found = try SampleTable(track).chunks
    let wanted = chunks(of: source)
    guard tables(of: track.box) == tables(of: box), found.count == wanted.count else {
      return false
    }
    var expected = JoinedByteSource()
    for part in wanted { expected.append(part) }
    var position: UInt64 = 0
    for (range, part) in zip(found, wanted) {
      guard UInt64(range.count) == part.size else { return false }
      // A timed metadata track may have gigabytes of data, so compare block by block.
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
        try checkpoint()
        let count = Int(min(range.upperBound - start, UInt64(Self.blockSize)))
        let bytes = try output.read(at: start, count: count)
        guard try bytes == expected.read(at: position, count: count) else { return false }
        position += UInt64(count)
      }
    }
    return true
  }

  private static let blockSize = 1 << 20

  /// The sample table without chunk offsets, which differ between files.
  private func tables(of trak: Box) -> [Box]? {
    trak.first("mdia", "minf", "stbl")?.children.filter { $0.type != "stco" && $0.type != "co64" }
  }
}
