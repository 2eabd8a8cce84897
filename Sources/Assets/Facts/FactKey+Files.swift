// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import FoundationEssentials
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Facts about a file as a whole.
extension FactKey {
  static let container: FactKey = .init(
    "container", "the kind of container", in: .file, comparison: .place,
    reading: .file { asset in
      let name = asset.movie.map { $0.isQuickTime ? "mov" : "mp4" } ?? asset.formatName
      return [Fact(container, name)]
    })

  static let creationTime: FactKey = .init(
    "creationTime", "when the content was made", in: .file, losses: [.statements],
    reading: .file { asset in
      let time =
        asset.movie.map(\.header.creationTime) ?? ContainerMetadata(asset.metadata).creationTime
      guard let time, ContainerMetadata.isDate(time) else { return [] }
      // Movies count from 1904, Unix from 1970 (ISO/IEC 14496-12, 8.2.2.3).
      let date = Date(timeIntervalSince1970: Double(time) - 2_082_844_800).ISO8601Format()
      return [Fact(creationTime, date, subject: "creation_time")]
    })

  package static let statement: FactKey = .init(
    "statement", "a name, date, place or maker, wherever it is stored", in: .file, hasNames: true,
    losses: [.statements],
    reading: .file { asset in
      ContainerMetadata(asset.metadata).statements.map { stated in
        Fact(statement, stated.text, name: stated.key, subject: stated.name)
      }
    })

  package static let timeCode: FactKey = .init(
    "timeCode", "the time code of the first frame", in: .file,
    StatedTimeCode.self,
    losses: [FactLoss("timeCodeNotCarried"), FactLoss("trackNotCarried", "kind")],
    reading: .file { asset in
      StatedTimeCode(asset).map { [Fact(timeCode, $0, text: $0.start, subject: "tmcd")] } ?? []
    })

  static let userData: FactKey = .init(
    "userData",
    "a box of the movie or of a track: one in `udta`, or `meta` itself; compared byte for byte",
    in: .file, ByteDigest.self, hasNames: true, comparison: .ofMovies,
    losses: [.statements],
    reading: .fileAndTrack(
      { asset in asset.movie.map { Fact.userData($0.box) } ?? [] },
      { track in track.box.map { Fact.userData($0.box, track: track.demuxed.id) } ?? [] }))

  package static let chapters: FactKey = .init(
    "chapters", "chapters with their times and titles; fewer chapters are a loss", in: .file,
    [Chapter].self,
    losses: chapterLosses,
    reading: .file { asset in
      let text = asset.chapters.map { "\($0.start.roundedSeconds) s \($0.title)" }
        .joined(separator: "; ")
      let fact = Fact(
        chapters, count: asset.shownTitles.count, asset.chapters, text: text,
        subject: asset.chapterSubject)
      return fact.map { [$0] } ?? []
    })

  static let chapterTitles: FactKey = .init(
    "chapterTitles", "titles of chapters; fewer titles are a loss", in: .file, [String].self,
    losses: chapterLosses,
    reading: .file { asset in
      let titles = asset.chapters.map(\.title).filter { !$0.isEmpty }
      let fact = Fact(
        chapterTitles, count: asset.shownTitles.values.count { !$0.isEmpty },
        titles, text: titles.joined(separator: "; "),
        subject: asset.chapterSubject)
      return fact.map { [$0] } ?? []
    })

  private static let chapterLosses = [
    FactLoss("trackNotCarried", "track"), FactLoss("chaptersNotCarried"),
  ]
}

extension MediaAsset {
  /// The titles of chapters, keyed by their start in milliseconds.
  fileprivate var shownTitles: [Int64: String] {
    // Players show only one of several chapters that begin at the same time. An output without the
    // others loses nothing, so they are not counted.
    Dictionary(
      chapters.map { ($0.start.converted(to: 1000).value, $0.title) }, uniquingKeysWith: { $1 })
  }

  /// The number of the track that holds a movie's chapters, as notices write it.
  fileprivate var chapterSubject: String? { movie?.chapterTracks.min().map { "\($0)" } }

  /// The titles of the chapters that players show, in order of time.
  package var shownChapterTitles: [String] {
    shownTitles.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Fact {
  /// Returns facts about the user data boxes of a movie or a track.
  ///
  /// - Parameter track: the number of the track, or `nil` for the movie.
  static func userData(_ box: Box, track: Int? = nil) -> [Fact] {
    // `chpl` has Nero's chapters, which are compared as chapters.
    let own = box.children("udta").flatMap(\.children).filter { $0.type != "chpl" }
    let boxes = own + box.children("meta")
    // Several boxes may have the same type, so the second and later ones are numbered.
    var counts: [FourCC: Int] = [:]
    return boxes.map { box in
      counts[box.type, default: 0] += 1
      let count = counts[box.type] ?? 1
      let name = count > 1 ? "\(box.type) \(count)" : "\(box.type)"
      return Fact(
        .userData, ByteDigest(box.bytes), name: name,
        subject: name + (track.map { " of track \($0)" } ?? ""))
    }
  }
}

/// The size and a digest of data that is not parsed here.
package struct ByteDigest: JSONObject, Sendable, CustomStringConvertible {
  package let size: Int
  package let digest: String

  package static let fields: [JSONField<Self>] = [
    .init("size", "The number of bytes.", .count) { $0.size },
    .init("digest", "A hash, in hexadecimal digits.") { $0.digest },
  ]

  init(_ bytes: [UInt8]) {
    (size, digest) = (bytes.count, String(bytes.digest, radix: 16))
  }

  package var description: String { "\(size) bytes, digest \(digest)" }
}
