// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// Parts of a presentation.
extension EditTimeline {
  /// The timeline of a part of the presentation, which is a presentation of its own. Edits that the
  /// part begins or ends inside of are shorter, to the tick.
  ///
  /// - Parameters:
  ///   - start: the start of the part in the presentation, zero or later.
  ///   - end: the end of the part, which does not contain it; nil for the end of the presentation.
  package func clipped(from start: MediaTime, to end: MediaTime?) -> EditTimeline {
    var clipped: [Edit] = []
    var begin = MediaTime.zero
    for edit in edits {
      let stop = edit.duration.map { begin + $0 }
      let first = max(begin, start)
      let last = [stop, end].compactMap { $0 }.min()
      if last.map({ first < $0 }) ?? true {
        let mediaStart = edit.mediaStart.map { edit.isDwell ? $0 : $0 + (first - begin) }
        clipped.append(
          Edit(duration: last.map { $0 - first }, mediaStart: mediaStart, isDwell: edit.isDwell))
      }
      guard let stop else { break }
      begin = stop
    }
    return EditTimeline(edits: clipped)
  }

  /// The time nearest to one of the presentation at which the media has a tick; the time itself
  /// where no edit presents the media.
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

  /// Interval in which a sample is presented, as far as the edits present it; nil where none does.
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

  /// Time in the media at which its presented part ends; nil where an edit lasts to its end.
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
