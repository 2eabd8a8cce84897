// SPDX-License-Identifier: GPL-2.0-or-later
/// A titled part of a file.
public struct Chapter: Hashable, Sendable {
  /// When the chapter starts, in the presentation's time.
  public let start: MediaTime
  /// When the chapter ends, in the presentation's time; `nil` if unknown.
  public let end: MediaTime?
  /// The title, which may be empty.
  public let title: String

  /// Makes a chapter from its times and its title.
  package init(start: MediaTime, end: MediaTime?, title: String) {
    self.start = start
    self.end = end
    self.title = title
  }

  // No presentation lasts 34 years, and a movie's chapter track has no room for longer durations.
  /// The latest time of a chapter: 34 years.
  private static let latest = MediaTime(value: 1 << 30, timescale: 1)

  /// Returns chapters without gaps, as movies have them: each lasts until the next one begins, and
  /// the last one to the end. If several begin at once, the last of them is kept.
  ///
  /// - Parameters:
  ///   - chapters: chapters, sorted by their start.
  ///   - end: the end of the presentation; `nil` if unknown.
  package static func inSequence(_ chapters: [Chapter], until end: MediaTime?) -> [Chapter] {
    zip(chapters, chapters.dropFirst().map(Optional.some) + [nil]).compactMap { chapter, next in
      // The last chapter has no successor, so it lasts to the end of the file, or to its own end if
      // its own end is later.
      let stop = next?.start ?? max(end ?? chapter.end ?? chapter.start, chapter.end ?? .zero)
      // A chapter that begins together with the next one would last no time, so it is left out. The
      // last chapter stays even if it lasts no time, because no other chapter replaces it.
      guard chapter.start >= .zero, chapter.start < latest,
        chapter.start < stop || next == nil
      else { return nil }
      return Chapter(
        start: chapter.start, end: min(max(stop, chapter.start), latest), title: chapter.title)
    }
  }
}
