// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import ISOBMFF
package import LibAV
package import MediaCore
internal import Synchronization

/// Subtitles of a file that is no movie, which are gathered while it is read and become a track of
/// timed text.
package struct SubtitleTrack {
  /// The track of the source.
  package let track: AssetTrack

  private let container: FileType
  private let converter: SubtitleConverter
  private var texts: [Text] = []
  /// Packets that cannot be understood.
  package private(set) var damagedCount = 0

  /// A text and when it is shown, in ticks of ``timescale``.
  private typealias Text = (start: Int64, end: Int64, bytes: [UInt8])

  /// The group of subtitles, of which a player shows one; libavformat's number for them.
  private static let alternateGroup: UInt16 = 3
  /// Ticks a second of the new track: subtitles state milliseconds.
  private static let timescale: Int32 = 1000
  /// Three weeks: nobody shows a text later, and the durations of samples have 32 bits.
  private static let latest: Int64 = 3 * 7 * 86_400 * 1000

  /// - Throws: `LibAVError` where the track is no text.
  package init(_ track: AssetTrack, into container: FileType) throws {
    self.track = track
    self.container = container
    converter = try SubtitleConverter(track.demuxed, to: .timedText)
  }

  /// Takes the text of a packet.
  package mutating func append(_ packet: Packet) throws {
    guard let time = packet.presentationTimeStamp else { return }
    let bytes: [UInt8]?
    do throws(LibAVError) {
      bytes = try converter.convert(packet)
    } catch {
      guard !error.isOutOfMemory else { throw error }
      damagedCount += 1
      return
    }
    let shown = track.timeline.presentedInterval(of: time, lasting: packet.duration)
    guard let bytes, let shown else { return }
    let start = shown.start.converted(to: Self.timescale).value
    let end = shown.end.converted(to: Self.timescale).value
    guard max(start, end) < Self.latest else {
      damagedCount += 1
      return
    }
    texts.append((start, max(end, start + 1), bytes))
  }

  /// True if no text was found, or none that is ever shown.
  package var isEmpty: Bool { texts.isEmpty }

  /// The track that the texts become; nil where there are none.
  package var newTrack: NewTrack? {
    guard !texts.isEmpty else { return nil }
    var new = NewTrack(
      timedText: samples, description: converter.sampleDescription, timescale: Self.timescale)
    new.language = track.label.packedLanguage
    new.flags = track.label.isDefault ? 3 : 2
    new.alternateGroup = Self.alternateGroup
    new.userData = track.label.boxes(for: container)
    return new
  }

  /// Samples without gaps: nothing is shown between texts, and of texts at the same time one below
  /// the other.
  private var samples: [NewTrack.Sample] {
    let borders = Set(texts.flatMap { [$0.start, $0.end] } + [0]).sorted()
    let sorted = texts.sorted { $0.start < $1.start }
    var (next, shown): (Int, [Text]) = (0, [])
    return zip(borders, borders.dropFirst()).map { start, end in
      shown.removeAll { $0.end <= start }
      while next < sorted.count, sorted[next].start <= start {
        shown.append(sorted[next])
        next += 1
      }
      return NewTrack.Sample(
        bytes: Self.sample(of: shown.map(\.bytes)), duration: UInt32(clamping: end - start))
    }
  }

  /// One text as it is; several without their styles, whose places in the text would move.
  private static func sample(of texts: [[UInt8]]) -> [UInt8] {
    guard texts.count != 1 else { return texts[0] }
    let lines = texts.map { bytes in
      let count = Int(bytes.first ?? 0) << 8 | Int(bytes.dropFirst().first ?? 0)
      return String(decoding: bytes.dropFirst(2).prefix(count), as: UTF8.self)
    }
    return NewTrack.timedText(lines.joined(separator: "\n"))
  }
}
