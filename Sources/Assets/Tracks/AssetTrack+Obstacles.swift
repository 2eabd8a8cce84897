// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// What keeps a track's samples from being decoded.
extension AssetTrack {
  /// Whether the samples are encrypted (ISO/IEC 14496-12, 8.12; RFC 9559, 5.1.4.1.31.8).
  package var isEncrypted: Bool {
    box?.sampleEntries.contains(where: \.isEncrypted) ?? demuxed.isEncrypted
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the samples are encrypted.
  package func refuseEncrypted() throws(TranscodingError) {
    // Decoders would turn encrypted samples into gray frames without an error, and a copy would
    // lose the information that is needed to decrypt them.
    guard isEncrypted else { return }
    throw TranscodingError(
      .unusableInput, "track \(demuxed.id) is encrypted: decrypt the file first")
  }

  /// Returns the beginning of the message for a container that cannot store the track's video.
  package func refusal(in container: FileType) -> String {
    "track \(demuxed.id): \(container.refusal(ofVideo: demuxed.codec.codecName))"
  }

  /// Whether the track belongs to a movie and has no sample description (`stsd`). Then nothing says
  /// what its samples are.
  package var isUndescribed: Bool { box?.sampleEntries.isEmpty ?? false }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if nothing describes the samples.
  package func refuseUndescribed() throws(TranscodingError) {
    guard isUndescribed else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id) is damaged: it has no sample description (stsd) that says what its "
        + "samples are")
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if needed samples are skipped or read
  ///   wrong, because the demuxer does not read their sample entry.
  package func refuseOtherEntries() throws(TranscodingError) {
    guard [.video, .audio].contains(demuxed.kind) else { return }
    try box?.refuseOtherEntries(of: path) { table in
      // If only a part of the track is needed, the samples before the part count as needed, too,
      // because the demuxer has to count them to find the part.
      if let span = copiedSpan { return span.samples.upperBound }
      guard let box, let end = timeline.mediaEnd, let times = SampleTimes(box) else {
        return table.count
      }
      let timescale = Int32(clamping: max(box.mediaTimescale, 1))
      return times.timesInDecodingOrder.prefix {
        MediaTime(value: $0, timescale: timescale) < end
      }.count
    }
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if fragments use a sample entry that
  ///   differs from the first.
  package func refuseOtherFragments() throws(TranscodingError) {
    try box?.refuseOtherFragments(of: path)
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if this machine has no decoder for the
  ///   samples.
  package func refuseUndecodable() throws(TranscodingError) {
    // The order matters for the message. An encrypted or undescribed track has no decoder either,
    // but a missing decoder would be the wrong reason to give.
    try refuseUndescribed()
    try refuseEncrypted()
    guard !demuxed.codec.canBeDecoded else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id): this FFmpeg library has no decoder for the codec "
        + "\(demuxed.codec.codecName); convert the file with another program first"
        + (dolbyVisionObstacle.map { "; the track is \($0)" } ?? ""))
  }
}

extension Movie.Track {
  // If the first sample entry has one of these types, libavformat reads the samples of all entries.
  private static let joining: Set<FourCC> = ["apcn", "apch", "dvcp", "dvpp", "jpeg", "AV1x"]

  /// - Parameters:
  ///   - path: the path of the movie.
  ///   - end: returns the number of the first sample that is not needed.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if needed samples are skipped or read
  ///   wrong, because the demuxer does not read their sample entry.
  func refuseOtherEntries(
    of path: String, before end: (SampleTable) -> Int = { $0.count }
  ) throws(TranscodingError) {
    try refuseOtherFragments(of: path)
    guard let first = sampleEntries.first?.format, !Self.joining.contains(first),
      sampleEntries.contains(where: { $0.format != first }), let table = try? SampleTable(self)
    else { return }
    let used = table.entriesInUse(before: end(table)).filter(sampleEntries.indices.contains)
    guard let other = used.map({ sampleEntries[$0].format }).first(where: { $0 != first }) else {
      return
    }
    let advice =
      Self.canRetag(first, other)
      ? "retag the file as \(first)" : "use another program to make a separate file for each"
    throw TranscodingError(
      .unusableInput,
      "track \(header.trackID ?? 0) has sample entries '\(first)' and '\(other)', and FFmpeg reads "
        + "only the samples of the first: \(advice)")
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if fragments use a sample entry that
  ///   differs from the first.
  fileprivate func refuseOtherFragments(of path: String) throws(TranscodingError) {
    // In fragments, libavformat skips samples whose entry differs from the first in type, and
    // applies the first entry to all other samples. Damaged fragments are left to libavformat.
    guard Set(sampleEntries).count > 1, let source = try? FileByteSource(path: path),
      let movie = try? Movie(source), movie.isFragmented,
      let used = try? movie.entriesInFragments(of: self, in: source),
      let other = used.first(where: {
        sampleEntries.indices.contains($0) && sampleEntries[$0] != sampleEntries[0]
      })
    else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(header.trackID ?? 0) has fragments that use sample entry \(other + 1), but FFmpeg "
        + "uses the first for all: use another program to turn the file into one without fragments")
  }

  /// Whether sample entries of type `other` can get the type `first`.
  private static func canRetag(_ first: FourCC, _ other: FourCC) -> Bool {
    let entries = [first, other].compactMap { VideoSampleEntry($0) }
    return entries.count == 2 && entries[0].codec == entries[1].codec
      && !entries.contains(where: \.isDolbyVision)
  }

  /// Returns the index of the entry that describes a sample; `nil` if there is no such sample or
  /// entry.
  func entryIndex(ofSample sample: Int) -> Int? {
    guard let index = (try? SampleTable(self))?.entriesInUse(before: sample + 1).last,
      sampleEntries.indices.contains(index)
    else { return nil }
    return index
  }
}

extension SampleTable {
  /// Returns the indices of the sample entries that samples before `end` use, one for each chunk
  /// with samples.
  fileprivate func entriesInUse(before end: Int) -> [Int] {
    var (entries, place) = ([Int](), 0)
    for (chunk, entry) in zip(chunks.indices, sampleEntryIndices) where place < end {
      let count = sampleCount(inChunk: chunk)
      if count > 0 { entries.append(entry) }
      place += count
    }
    return entries
  }
}
