// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

extension AssetTrack {
  /// Returns whether the track can be written to a container such as Matroska, whose files are made
  /// from a finished movie.
  func comes(into container: FileType) -> Bool {
    demuxed.codec.isTextSubtitle || demuxed.kind != .other && container.holds(self)
  }

  /// Whether the track is text that has to be converted to the text codec of a container such as
  /// Matroska.
  package func isTextToConvert(for container: FileType) -> Bool {
    demuxed.codec.isTextSubtitle && (box != nil || !container.holds(demuxed))
  }

  /// The time of the sample that is presented first, in the track's media timeline.
  package var firstTime: MediaTime {
    // libavformat's start time is the time of the first sample in the file. If frames are
    // reordered, another sample may be presented first.
    let start = demuxed.startTime ?? .zero
    guard demuxed.kind == .video, let box, let first = SampleTimes(box)?.compositionTimes.first
    else { return start }
    return min(start, MediaTime(value: first, timescale: demuxed.timescale))
  }

  /// The number of packets up to the last presented one, in decoding order, and whether some of
  /// them are not presented. `nil` if no table has times, or if the media is presented to its end.
  package var presentedPackets: (count: Int, hasHidden: Bool)? {
    // These packets can be decoded without any later packet, so later packets can be dropped.
    guard let end = timeline.mediaEnd, let box, let times = SampleTimes(box) else { return nil }
    let scale = Int32(clamping: max(box.mediaTimescale, 1))
    let isShown = times.timesInDecodingOrder.map { MediaTime(value: $0, timescale: scale) < end }
    let count = isShown.lastIndex(of: true).map { $0 + 1 } ?? 0
    return (count, isShown.prefix(count).contains(false))
  }

  /// Returns what to add to media times to get presentation times in Matroska.
  ///
  /// - Parameters:
  ///   - isCopied: whether frames are copied. If so, frames that are not presented stay in the
  ///     file.
  ///   - movies: the kinds of movie that an error recommends.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if adding one number to all times is
  ///   not enough, or if copied frames would have to be hidden.
  package func delayForMatroska(
    isCopied: Bool, otherwise movies: [FileType] = FileType.all.filter(\.isMovie)
  ) throws -> MediaTime {
    let able = isCopied ? movies.filter { $0.holds(self) } : movies
    let movies = FileType.names(of: able.isEmpty ? movies : able)
    // Matroska has no edit lists, so it can only shift a whole track.
    guard let delay = timeline.delay else {
      throw TranscodingError(
        .unusableInput,
        "track \(demuxed.id): its edits reorder, repeat, freeze or leave out parts of the media, "
          + "which Matroska cannot express; write \(movies)")
    }
    let span = isCopied ? copiedSpan : self.span
    let first = (span?.start ?? firstTime) + delay
    let isBefore = span.map { $0.hiddenCount > 0 } ?? (first + usualFrameDuration <= .zero)
    let isBehind = span == nil && presentedPackets?.hasHidden == true
    if demuxed.kind == .video, isCopied, isBefore || isBehind {
      let place =
        span != nil
        ? "outside the range" : isBefore ? "before its first edit" : "after its last edit"
      throw TranscodingError(
        .unusableInput,
        "track \(demuxed.id): frames \(place) have to be hidden, which Matroska cannot express; "
          + "write \(movies), or encode")
    }
    return delay
  }
}
