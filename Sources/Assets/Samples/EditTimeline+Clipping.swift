// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Cuts a part out of a presentation, and finds times in a presentation.
extension EditTimeline {
  /// Returns the timeline of a part of the presentation. Edits that reach beyond the part are
  /// shortened, exactly to the tick.
  ///
  /// - Parameters:
  ///   - start: where the part starts in the presentation, zero or later.
  ///   - end: where the part ends, exclusively; `nil` for the end of the presentation.
  package func clipped(from start: MediaTime, to end: MediaTime?) -> EditTimeline {
    var clipped: [Edit] = []
    var begin = MediaTime.zero
    for edit in edits {
      let stop = edit.duration.map { begin + $0 }
      let first = max(begin, start)
      let last = [stop, end].compactMap { $0 }.min()
      if last.map({ first < $0 }) ?? true {
        // A dwell shows a single moment of the media for its whole length, so it shows the same
        // moment even if its beginning is cut off.
        let mediaStart = edit.mediaStart.map { edit.isDwell ? $0 : $0 + (first - begin) }
        clipped.append(
          Edit(duration: last.map { $0 - first }, mediaStart: mediaStart, isDwell: edit.isDwell))
      }
      guard let stop else { break }
      begin = stop
    }
    return EditTimeline(edits: clipped)
  }

  /// Moves a presentation time to the nearest one that falls on a tick of the media. Returns `time`
  /// unchanged if no edit presents the media at that time, or if the edit at that time is a dwell.
  package func nearestTick(to time: MediaTime, timescale: Int32) -> MediaTime {
    var begin = MediaTime.zero
    for edit in edits {
      let stop = edit.duration.map { begin + $0 }
      guard let stop, stop <= time else {
        guard let first = edit.mediaStart, !edit.isDwell else { return time }
        let nearest = begin + ((first + (time - begin)).converted(to: timescale) - first)
        return min(max(nearest, begin), stop ?? nearest)
      }
      begin = stop
    }
    return time
  }

  /// Returns the interval in which a sample that begins at a time of the media is presented; `nil`
  /// if no edit presents it. If several edits present it, the first one counts.
  package func presentedInterval(
    of time: MediaTime, lasting duration: MediaTime
  ) -> (start: MediaTime, end: MediaTime)? {
    var begin = MediaTime.zero
    for edit in edits {
      let whole = EditTimeline(edits: [edit])
      if let first = edit.mediaStart, whole.presents(from: time, to: time + duration) {
        let end = begin + (time + duration - first)
        return (begin + max(time - first, .zero), edit.duration.map { min(begin + $0, end) } ?? end)
      }
      guard let length = edit.duration else { return nil }
      begin = begin + length
    }
    return nil
  }

  /// The time in the media where its presented part ends; `nil` if an edit lasts to the end of the
  /// media.
  package var mediaEnd: MediaTime? {
    var end = MediaTime.zero
    for edit in edits {
      guard let start = edit.mediaStart else { continue }
      guard let duration = edit.duration else { return nil }
      end = max(end, edit.isDwell ? start : start + duration)
    }
    return end
  }
}
