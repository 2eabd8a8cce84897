// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import LibAV

extension TagChanges {
  /// Prepares the changes to a movie's boxes and samples, without writing anything.
  ///
  /// - Parameter path: the path of the movie.
  func prepared(
    for movie: Movie, at path: String, source: FileByteSource,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> MovieChange {
    let ending = interruptible(checkpoint)
    var editor = try BoxEditor(source, checkpoint: ending)
    var (inSamples, hasOtherLayers) = ([BytePatches.Patch](), false)
    var notices = notices
    // Decoding is slow, so frames are looked at only if a change depends on them.
    let decoded = needsFrameFacts ? DecodedTracks { try MediaAsset(opening: path) } : nil
    for track in try Self.tracks(of: movie, path) {
      try checkpoint()
      let known = try RetaggedTrack(track, source: source, decoded: decoded)
      var retagger = SampleEntryRetagger(
        changes: resolved(for: known.claims), isQuickTime: movie.isQuickTime,
        bitstreamRange: known.claims.first { $0.source == .bitstream }?.signal.videoFullRangeFlag)
      notices += known.configurationChecks.flatMap { $0?.notices ?? [] }
      notices += [known.hdrMetadata.profileConflict].compactMap { $0 }
      let entries = try Self.entries(of: track, known, &retagger, checkpoint)
      let found = try retagger.samplePatches(of: track, entries: entries, source, checkpoint)
      inSamples += found.patches
      hasOtherLayers = hasOtherLayers || found.hasOtherLayers
      // Encrypted samples cannot change, but the tags in the boxes can, so the file is not refused.
      if entries.contains(where: { SampleEntry.isEncrypted($0.type) }) {
        notices.append(.encryptedSamplesNotChanged)
      }
      try editor.edit { (moov) throws(ISOBMFFError) in
        moov.children[track.childIndex].edit("mdia", "minf", "stbl", "stsd") {
          $0.children = entries
        }
      }
      notices += retagger.notices
    }
    if hasOtherLayers && !notices.contains(.otherLayersNotChanged) {
      notices.append(.otherLayersNotChanged)
    }
    let patches = try BytePatches(inSamples, checkpoint: ending)
    try editor.patch(patches)
    if !editor.isChanged { notices.append(.nothingChanged) }
    return MovieChange(editor: editor, patches: patches, notices: notices, verify: verify)
  }

  /// Checks that the tracks of the result have the tags that were asked for.
  private func verify(_ result: RewrittenMovie) throws -> (fault: Notice?, notices: [Notice]) {
    let decoded = DecodedTracks { try MediaAsset(opening: result.file.path, probing: false) }
    var fault: Notice?
    var notices: [Notice] = []
    for track in result.movie.pictureTracks {
      try result.checkpoint()
      let known = try RetaggedTrack(track, source: result.source, decoded: decoded)
      fault = fault ?? self.fault(in: known)
      // Several video tracks often have the same fault. One notice is enough for all of them.
      notices += self.notices(on: known).filter { !notices.contains($0) }
    }
    return (fault, notices)
  }

  private static func tracks(of movie: Movie, _ path: String) throws -> [Movie.Track] {
    let tracks = movie.pictureTracks
    guard !tracks.isEmpty else {
      throw TranscodingError(
        .unusableInput, "\(path) has no video whose tags could be changed")
    }
    return tracks
  }

  private static func entries(
    of track: Movie.Track, _ known: RetaggedTrack, _ retagger: inout SampleEntryRetagger,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Box] {
    var entries = track.box.first("mdia", "minf", "stbl", "stsd")?.children ?? []
    for (index, check) in zip(entries.indices, known.configurationChecks) {
      check?.ifWrong?.correct(&entries[index])
    }
    try known.correctRecords(in: &entries, of: track, retagger.changes, checkpoint)
    for index in entries.indices {
      try retagger.changes.check(entries[index], of: known)
      try retagger.retag(&entries[index])
    }
    return entries
  }
}
