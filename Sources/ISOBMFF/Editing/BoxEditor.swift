// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Rewrites a finished movie file with an edited `moov`, and adjusts the offsets that point into
/// the media data.
package struct BoxEditor {
  private let source: any ByteSource
  private let list: TopLevelBoxes
  private let original: Box
  private var moov: Box
  private var patches = BytePatches()
  private let checkpoint: Checkpoint

  /// Reads the movie of a file.
  ///
  /// - Parameter checkpoint: called now and then during long work. It throws to stop the work.
  /// - Throws: ``ISOBMFFError``; `fragmented` for a movie in fragments.
  package init(
    _ source: any ByteSource, checkpoint: @escaping Checkpoint = {}
  ) throws(ISOBMFFError) {
    self.source = source
    self.checkpoint = checkpoint
    list = try TopLevelBoxes(source)
    // A box that is cut off cannot be copied, and its length is unknown, so offsets would be wrong.
    if let truncation = list.truncation { throw truncation }
    // Fragments have their own offsets, in `traf` and in indexes (`sidx`, `mfra`), which are not
    // adjusted here.
    guard list.first("moof") == nil else { throw .fragmented }
    guard let entry = list.first("moov") else { throw .missingBox("moov", in: "the file") }
    let bytes = try source.read(at: entry.range.lowerBound, count: entry.range.count)
    guard let moov = try Box.parse(bytes, base: entry.range.lowerBound).first else {
      throw .missingBox("moov", in: "the file")
    }
    self.moov = moov
    original = moov
  }

  /// Whether the result differs from the source.
  package var isChanged: Bool { moov != original || !patches.isEmpty }

  /// Changes the `moov` box in place.
  package mutating func edit(
    _ change: (inout Box) throws(ISOBMFFError) -> Void
  ) throws(ISOBMFFError) {
    try change(&moov)
  }

  /// Replaces parts of samples, and adjusts the sizes of these samples in every track that has
  /// them.
  ///
  /// - Throws: ``ISOBMFFError/overlappingSamples(offset:)`` if a replaced part crosses the border
  ///   of a sample.
  package mutating func patch(_ patches: BytePatches) throws(ISOBMFFError) {
    self.patches = patches
    guard !patches.isEmpty else { return }
    for track in moov.children.indices where moov.children[track].isTrackOfThisFile {
      try patch(&moov.children[track])
    }
  }

  private func patch(_ trak: inout Box) throws(ISOBMFFError) {
    let table = try SampleTable(trak, fileSize: source.size, checkpoint: checkpoint)
    var (sizes, isTouched, first): ([Int: UInt32], Bool, Int) = ([:], false, 0)
    for (index, chunk) in table.chunks.enumerated() {
      try checkpoint()
      let count = table.sampleCount(inChunk: index)
      defer { first += count }
      // The growth is not needed here, but the call throws if a patch crosses the border of a
      // chunk. Such a patch fits no sample of this track.
      _ = try patches.growth(in: chunk)
      guard patches.touches(chunk) else { continue }
      isTouched = true
      for (sample, range) in table.ranges(inChunk: index, from: first).enumerated() {
        if sample % checkpointInterval == 0 { try checkpoint() }
        let growth = try patches.growth(in: range)
        if growth != 0 { sizes[first + sample] = UInt32(clamping: Int64(range.count) + growth) }
      }
    }
    guard isTouched else { return }
    // A `subs` box lists the sizes of a sample's parts (ISO/IEC 14496-12, 8.7.7). They would not
    // add up to the sample's new size.
    if trak.first("mdia", "minf", "stbl", "subs") != nil { throw .unmovable("subs") }
    try trak.edit("mdia", "minf", "stbl") { (stbl) throws(ISOBMFFError) in
      try stbl.setSampleSizes(sizes, instead: table.sizes, checkpoint: checkpoint)
    }
  }

  /// Writes the edited file.
  ///
  /// - Parameter movieFirst: whether the movie box moves before the media data, so that playback
  ///   can begin during a download. If so, padding without samples is dropped. If not, the movie
  ///   box stays at its place in the source, so that as little as possible moves.
  package func write(to sink: inout some ByteSink, movieFirst: Bool) throws(ISOBMFFError) {
    var kept: [CopiedBox] = []
    for entry in list.entries { kept.append(try CopiedBox(entry, patches: patches)) }
    let pointers = try moov.chunkOffsets(checkpoint).sorted(by: \.self, checkpoint)
    // Some cameras leave samples in a box that is called `free`. Dropping it would lose them.
    let isNeeded = { (entry: BoxHeader) in
      let first = pointers.partitioningIndex { $0 >= entry.range.lowerBound }
      return first < pointers.count && pointers[first] < entry.range.upperBound
    }
    let (movie, files) = try moov.withChunkOffsets(
      for: { size in
        movieFirst
          ? FileLayout(movieFirst: kept, movieSize: size, isNeeded: isNeeded)
          : FileLayout(inPlace: kept, movieSize: size, isNeeded: isNeeded)
      }, checkpoint)
    if !files.isUnmoved {
      try refuseItems()
      try refuseMissingSamples()
    }
    try files.write(movie, to: &sink)
  }

  /// Throws if samples are past the end of the source, because their new place would be unknown.
  private func refuseMissingSamples() throws(ISOBMFFError) {
    // Check the original tables. In the edited ones, patched samples may be longer than in the
    // source, and the last samples would seem to be past its end.
    for track in original.children where track.isTrackOfThisFile {
      // A track without samples may have no tables.
      let table = try? SampleTable(track, fileSize: source.size, checkpoint: checkpoint)
      guard let table else {
        try checkpoint()
        continue
      }
      for chunk in table.chunks where !chunk.isEmpty && chunk.upperBound > source.size {
        throw .missingSamples(end: chunk.upperBound, fileSize: source.size)
      }
    }
  }

  /// Throws if the file has items (ISO/IEC 14496-12, 8.11.3).
  private func refuseItems() throws(ISOBMFFError) {
    // `iloc` stores offsets in fields of 0, 4 or 8 bytes, relative to one of three bases. These
    // offsets are not adjusted here, so a file that has them must not change its layout.
    var holders = [moov] + moov.children("trak")
    for entry in list.entries where entry.type == "meta" {
      let bytes = try source.read(at: entry.range.lowerBound, count: entry.range.count)
      holders.append(Box("file", children: try Box.parse(bytes, base: entry.range.lowerBound)))
    }
    for holder in holders where holder.first("meta", "iloc") != nil { throw .unmovable("iloc") }
  }
}

extension TopLevelBoxes {
  /// Returns the patch that removes the compatible brands `others` from `ftyp` and adds those of
  /// `brands` that it lacks; `nil` if nothing changes, or if there is no `ftyp`.
  ///
  /// - Parameter source: the file that the boxes are from.
  package func patch(
    adding brands: [FourCC], removing others: [FourCC] = [], to source: any ByteSource
  ) throws(ISOBMFFError) -> BytePatches.Patch? {
    guard let entry = first("ftyp"), entry.range.count >= entry.headerLength + 12 else {
      return nil
    }
    // Brands follow the major brand and its version (ISO/IEC 14496-12, 4.3).
    let place = entry.range.dropFirst(entry.headerLength + 8)
    let bytes = try source.read(at: place.startIndex, count: place.count)
    let old = stride(from: 0, to: bytes.count - 3, by: 4).map { Array(bytes[$0..<$0 + 4]) }
    let removed = others.map { Array("\($0)".utf8) }
    var new = old.filter { !removed.contains($0) }
    for brand in brands.map({ Array("\($0)".utf8) }) where !new.contains(brand) {
      new.append(brand)
    }
    return new == old
      ? nil : BytePatches.Patch(place.startIndex..<place.endIndex, with: new.flatMap { $0 })
  }
}
