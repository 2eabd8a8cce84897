// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

extension AssetTrack {
  /// True if a file that is made of a movie has such tracks, as Matroska.
  func comes(into container: FileType) -> Bool {
    demuxed.codec.isTextSubtitle || demuxed.kind != .other && container.holds(self)
  }

  /// Presentation time of the first sample, in the track's media timeline. The start that
  /// libavformat states is the time of the first sample in the file, which is another where frames
  /// are reordered.
  package var firstTime: MediaTime {
    let start = demuxed.startTime ?? .zero
    guard demuxed.kind == .video, let box, let first = SampleTimes(box)?.compositionTimes.first
    else { return start }
    return min(start, MediaTime(value: first, timescale: demuxed.timescale))
  }

  /// Packets up to the last that is presented, in the order of decoding: those behind it are needed
  /// by none. `hasHidden` is true if packets among them are not presented. Nil where no table tells
  /// times, and where the media is presented to its end.
  package var presentedPackets: (count: Int, hasHidden: Bool)? {
    guard let end = timeline.mediaEnd, let box, let times = SampleTimes(box) else { return nil }
    let scale = Int32(clamping: max(box.mediaTimescale, 1))
    let isShown = times.timesInDecodingOrder.map { MediaTime(value: $0, timescale: scale) < end }
    let count = isShown.lastIndex(of: true).map { $0 + 1 } ?? 0
    return (count, isShown.prefix(count).contains(false))
  }

  /// Difference from times of the media to times of the presentation, for Matroska, which has no
  /// edit lists.
  ///
  /// - Parameter isCopied: true if frames that are not presented stay, because others need them.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where one number does not say it.
  package func delayForMatroska(isCopied: Bool) throws -> MediaTime {
    let movies = FileType.names(of: FileType.all.filter(\.isMovie))
    guard let delay = timeline.delay else {
      throw TranscodingError(
        .unusableInput,
        "track \(demuxed.id): its edits present parts of the media in an order of their own, which "
          + "Matroska cannot say; write \(movies)")
    }
    let first = (span?.start ?? firstTime) + delay
    let isBefore = span.map { $0.hiddenCount > 0 } ?? (first + usualFrameDuration <= .zero)
    let isBehind = span == nil && presentedPackets?.hasHidden == true
    if demuxed.kind == .video, isCopied, isBefore || isBehind {
      let place =
        span != nil ? "beside the range" : isBefore ? "before its first edit" : "behind its edits"
      throw TranscodingError(
        .unusableInput,
        "track \(demuxed.id): frames \(place) are not presented, which Matroska "
          + "cannot say; write \(movies), or encode")
    }
    return delay
  }
}
