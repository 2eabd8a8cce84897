// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Parts of a track's media that are presented, and their times: an edit list (ISO/IEC 14496-12,
/// 8.6.6).
package struct EditTimeline: Hashable, Sendable {
  /// Entry of the list: a part of the media, or an empty time.
  package struct Edit: Hashable, Sendable {
    /// The duration in the presentation; nil for "to the end of the media".
    package var duration: MediaTime?
    /// The start in the media; nil for an empty edit, in which nothing is presented.
    package var mediaStart: MediaTime?
    /// True if the media stands still for the whole edit (a `media_rate` of 0).
    package var isDwell: Bool

    /// An edit from its parts.
    package init(duration: MediaTime?, mediaStart: MediaTime?, isDwell: Bool = false) {
      self.duration = duration
      self.mediaStart = mediaStart
      self.isDwell = isDwell
    }
  }

  /// The entries in the order of presentation.
  package var edits: [Edit]

  /// A timeline from its entries.
  package init(edits: [Edit]) {
    self.edits = edits
  }

  /// The whole media from its time zero.
  package static let wholeMedia = EditTimeline(edits: [Edit(duration: nil, mediaStart: .zero)])

  /// True if a sample that lasts from `start` to `end` is presented: its interval intersects an
  /// edit, also where it begins before the edit does.
  package func presents(from start: MediaTime, to end: MediaTime) -> Bool {
    edits.contains { edit in
      guard let first = edit.mediaStart else { return false }
      if edit.isDwell { return start <= first && first < end }
      guard first < end else { return false }
      guard let duration = edit.duration else { return true }
      return start < first + duration
    }
  }

  /// The start in the media of the first edit that is not empty; nil if there is none.
  package var mediaStart: MediaTime? { edits.lazy.compactMap(\.mediaStart).first }

  /// The presentation time of media time `time`; nil if no edit presents it. Of several edits that
  /// do, the first counts. A sample that begins before its edit is presented when the edit begins.
  package func presentationTime(of time: MediaTime, lasting duration: MediaTime) -> MediaTime? {
    var begin = MediaTime.zero
    for edit in edits {
      if let first = edit.mediaStart,
        EditTimeline(edits: [edit]).presents(from: time, to: time + duration)
      {
        return begin + max(time - first, .zero)
      }
      guard let length = edit.duration else { return nil }
      begin = begin + length
    }
    return nil
  }

  /// Difference to add to times of the media for those of the presentation; nil where edits cut,
  /// repeat or hold something, so that it is not the same for all.
  package var delay: MediaTime? {
    let media = edits.filter { $0.mediaStart != nil }
    guard media.count == 1, let start = media[0].mediaStart, !media[0].isDwell else { return nil }
    return edits.prefix { $0.mediaStart == nil }.compactMap(\.duration).reduce(.zero, +) - start
  }

  /// The length of the presentation; nil where an edit lasts to the end of the media.
  package var duration: MediaTime? {
    var total = MediaTime.zero
    for edit in edits {
      guard let length = edit.duration else { return nil }
      total = total + length
    }
    return total
  }
}
