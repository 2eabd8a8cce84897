// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import ISOBMFF
package import LibAV
package import MediaCore
internal import Synchronization

/// Collects subtitles of a file that is not a movie and makes a track of timed text from them.
package struct SubtitleTrack {
  package let track: AssetTrack

  private let container: FileType
  private let converter: SubtitleConverter
  private var texts: [Text] = []
  /// The number of packets that could not be read, or whose text is shown too late.
  package private(set) var damagedCount = 0

  /// A text with the times at which it appears and disappears, in ticks of ``timescale``.
  private typealias Text = (start: Int64, end: Int64, bytes: [UInt8])

  /// The alternate group of subtitles. Players show one track of each group. libavformat uses
  /// group 3 for subtitles.
  private static let alternateGroup: UInt16 = 3
  /// The new track's timescale, in ticks a second. Subtitles have their times in milliseconds.
  private static let timescale: Int32 = 1000
  /// The latest time of a text, three weeks in milliseconds. Later texts count as damage, because
  /// durations of samples have 32 bits and nobody shows a text so late.
  private static let latest: Int64 = 3 * 7 * 86_400 * 1000

  /// - Throws: `LibAVError` if the track's subtitles are not text.
  package init(_ track: AssetTrack, into container: FileType) throws {
    self.track = track
    self.container = container
    converter = try SubtitleConverter(track.demuxed, for: container)
  }

  /// Adds the text of a packet.
  package mutating func append(_ packet: Packet) throws {
    guard let time = packet.presentationTimeStamp else { return }
    let bytes: [UInt8]?
    do throws(LibAVError) {
      bytes = try converter.convert(packet)
    } catch {
      // One bad text must not cost all the others.
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

  /// Whether no packet so far contained a text that is shown.
  package var isEmpty: Bool { texts.isEmpty }

  /// The new track, if there is any text.
  package var newTrack: NewTrack? {
    guard !texts.isEmpty else { return nil }
    var new = NewTrack(
      timedText: samples, description: converter.sampleDescription, timescale: Self.timescale)
    new.language = track.label.packedLanguage
    // In the flags of `tkhd`, 2 means that the track is in the movie, and 1 means that it is
    // enabled. Only a default track is shown without being chosen.
    new.flags = track.label.isDefault ? 3 : 2
    new.alternateGroup = Self.alternateGroup
    new.userData = track.label.boxes(for: container)
    return new
  }

  /// Samples that follow each other without gaps. A sample is empty while no text is shown. Texts
  /// that are shown at the same time become lines of one sample.
  private var samples: [NewTrack.Sample] {
    // A track of timed text has exactly one sample at any time, so a new sample begins whenever a
    // text starts or ends.
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

  /// Returns a single text unchanged, or several texts joined without their styles.
  private static func sample(of texts: [[UInt8]]) -> [UInt8] {
    guard texts.count != 1 else { return texts[0] }
    // Styles refer to positions in the text, which move when texts are joined.
    let lines = texts.map { bytes in
      let count = Int(bytes.first ?? 0) << 8 | Int(bytes.dropFirst().first ?? 0)
      return String(decoding: bytes.dropFirst(2).prefix(count), as: UTF8.self)
    }
    return NewTrack.timedText(lines.joined(separator: "\n"))
  }
}
