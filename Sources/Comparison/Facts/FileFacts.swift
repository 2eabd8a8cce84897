// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import FoundationEssentials
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// What a file declares as a whole, apart from its tracks.
struct FileFacts: Sendable {
  let facts: [Fact]
  /// The chapters as one text, empty if there are none.
  let chapters: String
  /// The titles of the chapters that players show, in order of time.
  let chapterTitles: [String]
  /// The numbers of the tracks that hold chapters.
  let chapterTracks: Set<Int>

  init(_ asset: MediaAsset) {
    chapters = asset.chapters.map { chapter in
      // Some containers count milliseconds, others finer units. Rounding makes them comparable.
      "\((chapter.start.seconds * 1000).rounded() / 1000) s \(chapter.title)"
    }.joined(separator: "; ")
    chapterTitles = Self.titles(asset.chapters).sorted { $0.key < $1.key }.map(\.value)
    chapterTracks = Set((asset.movie?.chapterTracks ?? []).map { Int($0) })
    let statements = ContainerMetadata(asset.metadata)
    var facts = [Fact(.container, Self.container(asset))]
    let time = asset.movie.map(\.header.creationTime) ?? statements.creationTime
    if let time, ContainerMetadata.isDate(time) {
      facts.append(Fact(.creationTime, Self.date(time), subject: "creation_time"))
    }
    let timeCode = asset.timeCode?.description ?? asset.statedTimeCode
    if let fact = Fact(.timeCode, timeCode, subject: "tmcd") { facts.append(fact) }
    facts += statements.statements.map { statement in
      Fact(.statement, statement.text, name: statement.key, subject: statement.name)
    }
    if let movie = asset.movie?.box { facts += Self.userData(movie) }
    self.facts =
      facts + Self.chapterFacts(asset, chapters, track: chapterTracks.min().map { "\($0)" })
  }

  /// Returns titles by the milliseconds at which chapters begin.
  private static func titles(_ chapters: [Chapter]) -> [Int64: String] {
    Dictionary(
      chapters.map { ($0.start.converted(to: 1000).value, $0.title) }, uniquingKeysWith: { $1 })
  }

  /// Returns facts about chapters and their titles.
  private static func chapterFacts(
    _ asset: MediaAsset, _ text: String, track: String?
  ) -> [Fact] {
    // Players show only one of several chapters that begin at the same time, so an output may have
    // fewer.
    let chapters = titles(asset.chapters)
    let titles = asset.chapters.map(\.title).filter { !$0.isEmpty }
    return [
      Fact(.chapters, count: chapters.count, text, subject: track),
      Fact(
        .chapterTitles, count: chapters.values.count { !$0.isEmpty },
        titles.joined(separator: "; "), subject: track),
    ].compactMap { $0 }
  }

  private static func container(_ asset: MediaAsset) -> String {
    asset.movie.map { $0.isQuickTime ? "mov" : "mp4" } ?? asset.formatName
  }

  /// Returns a date from seconds since 1904.
  private static func date(_ seconds: UInt64) -> String {
    // Movies count from 1904, Unix from 1970 (ISO/IEC 14496-12, 8.2.2.3).
    Date(timeIntervalSince1970: Double(seconds) - 2_082_844_800).ISO8601Format()
  }

  /// Returns facts about the user data boxes of a movie or a track.
  ///
  /// - Parameter track: the number of the track, or `nil` for the movie.
  static func userData(_ box: Box, track: Int? = nil) -> [Fact] {
    // `chpl` has Nero's chapters, which are compared as chapters.
    let own = box.children("udta").flatMap(\.children).filter { $0.type != "chpl" }
    let boxes = own + box.children("meta")
    // Several boxes may have the same type, so each gets a name of its own.
    var counts: [FourCC: Int] = [:]
    return boxes.map { box in
      counts[box.type, default: 0] += 1
      let count = counts[box.type] ?? 1
      let name = count > 1 ? "\(box.type) \(count)" : "\(box.type)"
      let digest = String(box.bytes.digest, radix: 16)
      return Fact(
        .userData, "\(box.size) bytes, digest \(digest)", name: name,
        subject: name + (track.map { " of track \($0)" } ?? ""))
    }
  }
}
