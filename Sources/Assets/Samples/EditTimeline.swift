// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// An edit list (ISO/IEC 14496-12, 8.6.6). It says which parts of a track's media are presented,
/// and when.
package struct EditTimeline: Hashable, Sendable {
  /// An entry of the list: a part of the media, or an empty span of time.
  package struct Edit: Hashable, Sendable {
    /// How long the edit lasts in the presentation; `nil` for "to the end of the media".
    package var duration: MediaTime?
    /// Where the edit starts in the media; `nil` if it is empty and presents nothing.
    package var mediaStart: MediaTime?
    /// Whether the whole edit shows one moment of the media (a `media_rate` of 0).
    package var isDwell: Bool

    package init(duration: MediaTime?, mediaStart: MediaTime?, isDwell: Bool = false) {
      self.duration = duration
      self.mediaStart = mediaStart
      self.isDwell = isDwell
    }
  }

  /// The entries in presentation order.
  package var edits: [Edit]

  package init(edits: [Edit]) {
    self.edits = edits
  }

  /// The whole media, from its time zero.
  package static let wholeMedia = EditTimeline(edits: [Edit(duration: nil, mediaStart: .zero)])

  /// Returns whether any part of a sample from `start` to `end` is presented.
  package func presents(from start: MediaTime, to end: MediaTime) -> Bool {
    edits.contains { edit in
      guard let first = edit.mediaStart else { return false }
      if edit.isDwell { return start <= first && first < end }
      // If an edit begins inside a frame, that frame is presented, too. libavformat drops it, which
      // loses a frame and moves the others.
      guard first < end else { return false }
      guard let duration = edit.duration else { return true }
      return start < first + duration
    }
  }

  /// Where the first edit that is not empty starts in the media; `nil` if all edits are empty.
  package var mediaStart: MediaTime? { edits.lazy.compactMap(\.mediaStart).first }

  /// Returns when a sample that begins at a time of the media is presented; `nil` if no edit
  /// presents it. If several edits present it, the first one counts.
  package func presentationTime(of time: MediaTime, lasting duration: MediaTime) -> MediaTime? {
    var begin = MediaTime.zero
    for edit in edits {
      if let first = edit.mediaStart,
        EditTimeline(edits: [edit]).presents(from: time, to: time + duration)
      {
        // A sample that begins before its edit appears when the edit begins.
        return begin + max(time - first, .zero)
      }
      guard let length = edit.duration else { return nil }
      begin = begin + length
    }
    return nil
  }

  /// The number to add to a media time to get the presentation time. `nil` unless a single edit
  /// presents media and that edit is not a dwell: one number fits neither several edits nor a
  /// frozen frame.
  package var delay: MediaTime? {
    let media = edits.filter { $0.mediaStart != nil }
    guard media.count == 1, let start = media[0].mediaStart, !media[0].isDwell else { return nil }
    return edits.prefix { $0.mediaStart == nil }.compactMap(\.duration).reduce(.zero, +) - start
  }

  /// The length of the presentation; `nil` if an edit lasts to the end of the media.
  package var duration: MediaTime? {
    var total = MediaTime.zero
    for edit in edits {
      guard let length = edit.duration else { return nil }
      total = total + length
    }
    return total
  }
}
