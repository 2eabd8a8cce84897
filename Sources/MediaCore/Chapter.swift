// SPDX-License-Identifier: GPL-2.0-or-later
/// A part of a file that has a title.
public struct Chapter: Hashable, Sendable {
  /// The start in the presentation.
  public let start: MediaTime
  /// The end in the presentation; `nil` if unknown.
  public let end: MediaTime?
  /// The title, which may be empty.
  public let title: String

  /// A chapter from its parts.
  package init(start: MediaTime, end: MediaTime?, title: String) {
    self.start = start
    self.end = end
    self.title = title
  }

  /// Times that no presentation has, 34 years, and that movies have no room for.
  private static let latest = MediaTime(value: 1 << 30, timescale: 1)

  /// Chapters that follow each other without gaps, as movies have them: each lasts until the next
  /// one begins, and the last one to the end. Of several that begin at once, the last counts.
  ///
  /// - Parameters:
  ///   - chapters: chapters in the order of their times.
  ///   - end: the end of the presentation; nil if unknown.
  package static func inSequence(_ chapters: [Chapter], until end: MediaTime?) -> [Chapter] {
    zip(chapters, chapters.dropFirst().map(Optional.some) + [nil]).compactMap { chapter, next in
      let stop = next?.start ?? max(end ?? chapter.end ?? chapter.start, chapter.end ?? .zero)
      guard chapter.start >= .zero, chapter.start < latest,
        chapter.start < stop || next == nil
      else { return nil }
      return Chapter(
        start: chapter.start, end: min(max(stop, chapter.start), latest), title: chapter.title)
    }
  }
}
