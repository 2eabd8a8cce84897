// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Collects the samples of one track from all fragments (`moof`, `traf`; ISO/IEC 14496-12, 8.8), to
/// write them as a movie in one piece.
package struct FragmentedSamples: Sendable {
  /// Where each run of samples is in the file, in decoding order.
  package private(set) var chunks: [Range<UInt64>] = []

  private let track: Movie.Track
  private var chunkSizes: [(count: UInt32, entry: UInt32)] = []
  private var durations: [UInt32] = []
  private var sizes: [UInt32] = []
  private var compositionOffsets: [UInt32] = []
  private var syncNumbers: [UInt32] = []
  /// The decode time of the first sample, in the media's timescale.
  private var start: UInt64 = 0
  private var length: UInt64 = 0

  /// How many samples are read at most: enough for a day and a half at 30 samples a second.
  private static let most = 4_000_000

  /// Reads the fragments of a track.
  ///
  /// - Throws: ``ISOBMFFError`` if they are damaged, contradict each other or carry auxiliary
  ///   information, or if some samples of the track are in the movie itself.
  package init(
    _ track: Movie.Track, of movie: Movie, in source: any ByteSource
  ) throws(ISOBMFFError) {
    self.track = track
    if let table = try? SampleTable(track), table.count > 0 { throw .fragmented }
    let movieDefaults = FragmentDefaults.all(of: movie)
    try Movie.forEachFragment(in: source) { (moof, position) throws(ISOBMFFError) in
      for (index, piece) in moof.children("traf").enumerated() {
        let header = try FragmentDefaults(
          piece, movieDefaults, moof: position, isFirst: index == 0)
        guard header.trackID == track.header.trackID else { continue }
        // Encrypted tracks have offsets in `saio`, and the new table has no place for them.
        if piece.child("saio") != nil { throw .unmovable("saio") }
        try add(piece, header)
      }
    }
    guard !sizes.isEmpty else { throw .missingBox("traf", in: "moof") }
  }

  private mutating func add(_ piece: Box, _ header: FragmentDefaults) throws(ISOBMFFError) {
    if let time = header.decodeTimeStamp {
      let end = start + length
      guard !sizes.isEmpty else {
        start = time
        return try addRuns(of: piece, header)
      }
      // There may be a gap between fragments (8.8.12). A table has no gaps, so the sample before
      // the gap is made longer. Times that run backward cannot be expressed.
      guard time >= end, let last = durations.last,
        let longer = UInt32(exactly: UInt64(last) + (time - end))
      else { throw .unmovable("tfdt") }
      durations[durations.count - 1] = longer
      length += time - end
    }
    try addRuns(of: piece, header)
  }

  private mutating func addRuns(of piece: Box, _ header: FragmentDefaults) throws(ISOBMFFError) {
    // If there is neither an explicit base nor the flag `default-base-is-moof`, the data of a
    // second or later track begins where the data of the track before it ends. To find that place,
    // we would need the sizes of the other tracks' samples, which are not read here.
    guard let base = header.base else { throw .unmovable("trun") }
    var position = base
    for box in piece.children("trun") {
      do throws(BitstreamError) {
        var reader = ByteReader(box.fields)
        let flags = try reader.integer(UInt32.self)
        let count = try reader.integer(UInt32.self)
        if flags & 1 != 0 {
          let offset = Int64(Int32(bitPattern: try reader.integer(UInt32.self)))
          position = base.addingReportingOverflow(UInt64(bitPattern: offset)).partialValue
        }
        guard sizes.count + Int(count) <= Self.most else {
          throw .endOfData(bitPosition: 0, wanted: Int(count), available: Self.most)
        }
        position = try addSamples(count, flags, &reader, header, from: position)
      } catch {
        throw .shortPayload("trun", error)
      }
      guard position <= track.fileSize else {
        throw .missingSamples(end: position, fileSize: track.fileSize)
      }
    }
  }

  /// Adds the samples of a run. Returns the position where they end.
  private mutating func addSamples(
    _ count: UInt32, _ flags: UInt32, _ reader: inout ByteReader, _ header: FragmentDefaults,
    from begin: UInt64
  ) throws(BitstreamError) -> UInt64 {
    let firstFlags = flags & 4 != 0 ? try reader.integer(UInt32.self) : nil
    var bytes: UInt64 = 0
    for index in 0..<count {
      let duration = flags & 0x100 != 0 ? try reader.integer(UInt32.self) : header.duration
      let size = flags & 0x200 != 0 ? try reader.integer(UInt32.self) : header.size
      let own = flags & 0x400 != 0 ? try reader.integer(UInt32.self) : nil
      compositionOffsets.append(flags & 0x800 != 0 ? try reader.integer(UInt32.self) : 0)
      durations.append(duration)
      sizes.append(size)
      // A sample's own flags take precedence, then the flags that the run states for its first
      // sample, then the default (8.8.8).
      let sampleFlags = own ?? (index == 0 ? firstFlags : nil) ?? header.flags
      // The bit is `sample_is_non_sync_sample`: 0 means that decoding can start here.
      if sampleFlags & 0x1_0000 == 0 { syncNumbers.append(UInt32(sizes.count)) }
      length &+= UInt64(duration)
      bytes += UInt64(size)
    }
    let (end, overflow) = begin.addingReportingOverflow(bytes)
    guard !overflow else { throw .endOfData(bitPosition: 0, wanted: 0, available: 0) }
    if count > 0 {
      chunks.append(begin..<end)
      chunkSizes.append((count, header.entry))
    }
    return end
  }

  /// Returns a `trak` with these samples and their durations. Its chunk offsets are not set yet.
  ///
  /// - Throws: ``ISOBMFFError`` if the edit list shows more than one part of the media, or plays it
  ///   at a rate other than 1.
  package func box(movieTimescale: UInt32) throws(ISOBMFFError) -> Box {
    var box = track.box
    box.edit("mdia", "minf", "stbl") { $0.children = $0.children("stsd") + tables }
    let edits = try editList(movieTimescale)
    // Without an edit list, everything is shown from time 0 on. A last sample whose duration is 0
    // is then shown, too, but an edit would cut it off. So write a list only if it makes a
    // difference.
    if track.editList != nil || start > 0 {
      box.set(Box("edts", children: [edits.box]), behind: ["tkhd"])
    }
    try box.edit("mdia", "mdhd") { (mdhd) throws(ISOBMFFError) in
      var header = try HeaderFields(mdhd)
      header.duration = length
      mdhd = header.box(mdhd)
    }
    try box.edit("tkhd") { (tkhd) throws(ISOBMFFError) in
      var header = try HeaderFields(tkhd)
      header.duration = edits.duration
      tkhd = header.box(tkhd)
    }
    return box
  }

  /// Makes an edit list with one edit of the media. If nothing is shown at first, an empty edit for
  /// that time comes before it.
  private func editList(_ movieTimescale: UInt32) throws(ISOBMFFError) -> EditList {
    // In the new media, the first sample gets time 0. In the old edit list, times count from time 0
    // of the fragments' clock. So all times are moved by `start`.
    let old = track.editList?.entries ?? []
    let parts = old.filter { $0.mediaTime >= 0 }
    guard parts.count <= 1, parts.first.map({ $0.mediaRate == 0x1_0000 }) ?? true else {
      throw .unmovable("elst")
    }
    let scale = UInt64(max(track.mediaTimescale, 1))
    func shown(_ ticks: UInt64) -> UInt64 {
      // Use the full width, because ticks times a timescale can exceed 64 bits in live recordings.
      let (high, low) = ticks.multipliedFullWidth(by: UInt64(movieTimescale))
      return high < scale ? scale.dividingFullWidth((high, low)).quotient : .max
    }
    let begin = UInt64(max(parts.first?.mediaTime ?? 0, 0))
    let hidden = begin > start ? min(begin - start, length) : 0
    let late = EditList.Entry(
      segmentDuration: shown(start > begin ? start - begin : 0), mediaTime: -1)
    let empty = EditList(entries: old.filter { $0.mediaTime < 0 } + [late]).duration
    let whole = shown(length - hidden)
    let stated = parts.first?.segmentDuration ?? 0
    let part = EditList.Entry(
      segmentDuration: stated > 0 ? min(stated, whole) : whole, mediaTime: Int64(hidden))
    return EditList(
      entries: (empty > 0 ? [EditList.Entry(segmentDuration: empty, mediaTime: -1)] : []) + [part])
  }

  private var tables: [Box] {
    func table(_ type: FourCC, _ words: [UInt32]) -> Box {
      var writer = ByteWriter()
      for word in [0] + words { writer.append(word) }
      return Box(type, fields: writer.bytes)
    }
    func runs(_ values: [UInt32]) -> [UInt32] {
      var words: [UInt32] = []
      for value in values {
        if words.last == value, !words.isEmpty {
          words[words.count - 2] += 1
        } else {
          words += [1, value]
        }
      }
      return [UInt32(words.count / 2)] + words
    }
    var tables = [table("stts", runs(durations))]
    if compositionOffsets.contains(where: { $0 != 0 }) {
      tables.append(table("ctts", runs(compositionOffsets)))
    }
    if syncNumbers.count < sizes.count {
      tables.append(table("stss", [UInt32(syncNumbers.count)] + syncNumbers))
    }
    let groups = chunkSizes.enumerated().flatMap { index, chunk in
      [UInt32(index + 1), chunk.count, chunk.entry]
    }
    return tables + [
      table("stsc", [UInt32(chunkSizes.count)] + groups),
      table("stsz", [0, UInt32(sizes.count)] + sizes), table("stco", [0]),
    ]
  }
}
