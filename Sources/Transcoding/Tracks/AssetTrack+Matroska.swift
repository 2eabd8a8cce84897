// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

extension AssetTrack {
  /// True if Matroska has such tracks.
  var isInMatroska: Bool {
    demuxed.codec.isTextSubtitle || demuxed.kind != .other && FileType.mkv.holds(demuxed)
  }

  /// From times of the media to times of the presentation, for Matroska, which has no edit lists.
  ///
  /// - Parameter isCopied: true if frames that nobody sees stay, because others need them.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where one number does not say it.
  func delayForMatroska(isCopied: Bool) throws -> MediaTime {
    guard let delay = timeline.delay else {
      throw TranscodingError(
        .unusableInput,
        "track \(demuxed.id): its edits present parts of the media in an order of their own, which "
          + "Matroska cannot say; write .mov or .mp4")
    }
    let first = (demuxed.startTime ?? .zero) + delay
    if demuxed.kind == .video, isCopied, first + usualFrameDuration <= .zero {
      throw TranscodingError(
        .unusableInput,
        "track \(demuxed.id): frames before its first edit are not presented, which Matroska "
          + "cannot say; write .mov or .mp4, or encode")
    }
    return delay
  }
}
