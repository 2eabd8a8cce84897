// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import ISOBMFF

/// Compares the samples of an edited file with the source's.
extension RewrittenMovie {
  /// At least this many ranges of a track are compared byte by byte, or all if there are fewer. A
  /// range is one sample, or a whole chunk if nothing in the chunk should have changed.
  private static let compared = 64
  /// At most this many bytes of a range without changes are compared.
  private static let comparedBytes = 1 << 16

  /// Returns a notice about the first track that is not as promised, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - original: the movie before the changes.
  ///   - file: the file of that movie.
  ///   - patches: the parts of samples that should have changed.
  func sampleFault(
    _ original: Movie, _ file: FileByteSource, _ patches: BytePatches
  ) throws -> Notice? {
    guard movie.tracks.count == original.tracks.count else { return .trackMissing }
    // The samples of other tracks are in other files, which were not touched.
    for (old, new) in zip(original.tracks, movie.tracks) where old.box.isTrackOfThisFile {
      guard try hasSameSamples(old, new, file, patches) else {
        return .otherSamples(track: old.header.trackID ?? 0)
      }
    }
    return nil
  }

  private func hasSameSamples(
    _ old: Movie.Track, _ new: Movie.Track, _ original: FileByteSource, _ patches: BytePatches
  ) throws -> Bool {
    // A track without samples may have no sample tables, so only its boxes can be compared.
    guard let before = try? SampleTable(old, checkpoint: interruptible(checkpoint)) else {
      try checkpoint()
      return old.box == new.box
    }
    let after = try SampleTable(new, checkpoint: interruptible(checkpoint))
    guard before.count == after.count, before.chunks.count == after.chunks.count else {
      return false
    }
    var (oldRanges, newRanges): ([Range<UInt64>], [Range<UInt64>]) = ([], [])
    var first = 0
    for chunk in before.chunks.indices {
      let count = before.sampleCount(inChunk: chunk)
      guard after.sampleCount(inChunk: chunk) == count else { return false }
      // An untouched chunk is one range, because a day of audio has millions of samples.
      let isTouched = patches.touches(before.chunks[chunk])
      oldRanges += isTouched ? before.ranges(inChunk: chunk, from: first) : [before.chunks[chunk]]
      newRanges += isTouched ? after.ranges(inChunk: chunk, from: first) : [after.chunks[chunk]]
      first += count
    }
    return try areSame(oldRanges, newRanges, original, patches)
  }

  private func areSame(
    _ oldRanges: [Range<UInt64>], _ newRanges: [Range<UInt64>], _ original: FileByteSource,
    _ patches: BytePatches
  ) throws -> Bool {
    // Every size is compared, but only some of the content, because reading both files again would
    // take as long as writing them.
    let step = max(oldRanges.count / Self.compared, 1)
    for (index, (old, new)) in zip(oldRanges, newRanges).enumerated() {
      if index % 1024 == 0 { try checkpoint() }
      guard Int64(new.count) == Int64(old.count) + (try patches.growth(in: old)) else {
        return false
      }
      guard index % step == 0 || index == oldRanges.count - 1 else { continue }
      // If a sample or chunk has no changes, comparing its beginning is enough.
      let length = patches.touches(old) ? old.count : min(old.count, Self.comparedBytes)
      let bytes = patches.apply(
        to: try original.read(at: old.lowerBound, count: length), at: old)
      guard try source.read(at: new.lowerBound, count: bytes.count) == bytes else { return false }
    }
    return true
  }
}
