// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// The chapters of a Matroska file (RFC 9559, 5.1.7). Players show the chapters of the default
/// edition, nested ones included, unless they are hidden or disabled.
struct MatroskaChapters: Sendable {
  /// The chapters that players show, sorted by their start. If several begin at the same time, all
  /// of them are here, although players show only one.
  private(set) var shown: [Chapter] = []
  /// The number of chapters that players do not show. Of the chapters in ``shown`` that begin at
  /// the same time, it includes all but one.
  private(set) var leftOutCount = 0

  // IDs of elements with their length markers.
  private static let editionID: UInt32 = 0x45B9
  private static let atomID: UInt32 = 0xB6
  private static let segmentID: UInt32 = 0x6E67
  private static let displayID: UInt32 = 0x80
  private static let titleID: UInt32 = 0x85

  /// The timescale, in ticks a second: times are in nanoseconds.
  private static let timescale: Int32 = 1_000_000_000
  // In a damaged file, chapters may be nested without end, and each level takes space on the stack.
  private static let deepest = 16

  init(_ content: EBMLContent) {
    let editions = content.all(Self.editionID).map(EBMLContent.init)
    let isShown = editions.map { $0.flag(.editionHidden) != true }
    let shownIndex =
      editions.indices.first { isShown[$0] && editions[$0].flag(.editionDefault) == true }
      ?? isShown.firstIndex(of: true) ?? editions.indices.first
    for (index, edition) in editions.enumerated() {
      for atom in edition.all(Self.atomID) {
        add(EBMLContent(atom), isLeftOut: index != shownIndex, depth: 0)
      }
    }
    // A chapter that contains others comes before them, even if all begin at the same time. Swift's
    // sort does not promise to keep that order, so the index decides.
    shown = shown.enumerated().sorted { one, other in
      (one.element.start, one.offset) < (other.element.start, other.offset)
    }.map(\.element)
    // If several chapters begin at the same time, players show only one.
    let starts = Set(shown.map(\.start))
    leftOutCount += shown.count - starts.count
    completeEnds()
  }

  private mutating func add(_ atom: EBMLContent, isLeftOut: Bool, depth: Int) {
    guard depth < Self.deepest else { return }
    // A chapter that points into another file (`ChapterSegmentUUID`) is left out, because its times
    // are those of that file. A disabled chapter disables all chapters in it, but a hidden chapter
    // does not hide the chapters in it.
    let isLeftOut =
      isLeftOut || atom.flag(.chapterEnabled) == false || !atom.all(Self.segmentID).isEmpty
    if !isLeftOut, atom.flag(.chapterHidden) != true,
      let start = Self.time(atom.number(.chapterStart))
    {
      // If a chapter has titles in several languages, libavformat returns the last one. Do the same
      // here.
      let titles = atom.all(Self.displayID).map { EBMLContent($0).text(Self.titleID) ?? "" }
      shown.append(
        Chapter(start: start, end: Self.time(atom.number(.chapterEnd)), title: titles.last ?? ""))
    } else {
      leftOutCount += 1
    }
    for child in atom.all(Self.atomID) {
      add(EBMLContent(child), isLeftOut: isLeftOut, depth: depth + 1)
    }
  }

  /// If a chapter states no end, ends it where the next chapter begins.
  private mutating func completeEnds() {
    for index in shown.indices where shown[index].end == nil && index + 1 < shown.count {
      let chapter = shown[index]
      shown[index] = Chapter(
        start: chapter.start, end: shown[index + 1].start, title: chapter.title)
    }
  }

  private static func time(_ nanoseconds: Int64?) -> MediaTime? {
    nanoseconds.map { MediaTime(value: $0, timescale: timescale) }
  }
}
