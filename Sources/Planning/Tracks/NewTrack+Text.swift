// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF
internal import MediaCore

/// Makes tracks of text: chapters as QuickTime has them, and timed text (`tx3g`, 3GPP TS 26.245).
extension NewTrack {
  /// Makes a track of chapters. The video track refers to the new track by a `chap` reference.
  ///
  /// - Parameter chapters: chapters without gaps between them. If the first chapter begins later
  ///   than the movie, the track needs an empty edit up to that time.
  init?(_ chapters: [Chapter]) {
    guard !chapters.isEmpty else { return nil }
    let isWhole = chapters.allSatisfy { $0.start.converted(to: 1000) == $0.start }
    // Whole milliseconds need 1000 ticks a second. For other times, take the finest timescale in
    // which all durations fit into 31 bits.
    let longest = chapters.map { ($0.end ?? $0.start) - $0.start }.max() ?? .zero
    let timescales: [Int32] = isWhole ? [1000] : [90_000, 1000]
    let timescale =
      timescales.first { longest.converted(to: $0).value <= Self.longest } ?? 1
    let samples = chapters.map { chapter in
      let start = chapter.start.converted(to: timescale).value
      let end = (chapter.end ?? chapter.start).converted(to: timescale).value
      return Sample(
        bytes: Self.quickTimeText(chapter.title),
        duration: UInt32(clamping: min(max(end - start, 1), Self.longest)))
    }
    self.init(
      handler: "text", name: "Chapters",
      mediaHeader: .generalMediaHeader([Self.textMediaHeader]), sampleEntry: Self.quickTimeEntry,
      timescale: UInt32(timescale), flags: 2, samples: samples)
  }

  /// The longest duration that all players read as a positive number.
  private static let longest = Int64(Int32.max)

  /// Splits a sample whose duration is longer than players can read.
  private static func pieces(of sample: Sample) -> [Sample] {
    guard Int64(sample.duration) > longest else { return [sample] }
    let first = sample.duration / 2
    return [
      Sample(bytes: sample.bytes, duration: first),
      Sample(bytes: sample.bytes, duration: min(sample.duration - first, UInt32(longest))),
    ]
  }

  /// Returns the bytes of a `text` sample: a length, the text (at most 65 535 bytes), and the mark
  /// for UTF-8 (`encd`, QuickTime File Format, Text Sample Data).
  private static func quickTimeText(_ text: String) -> [UInt8] {
    timedText(text) + Box("encd", fields: [0, 0, 1, 0]).bytes
  }

  /// Returns the bytes of a `tx3g` sample: a length and the text (at most 65 535 bytes).
  static func timedText(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8.prefix(Int(UInt16.max)))
    // The cut may have split a character.
    while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    var writer = ByteWriter()
    writer.append(UInt16(bytes.count))
    return writer.bytes + bytes
  }

  /// The text's matrix, the identity (QuickTime File Format, Text Media Information).
  private static let textMediaHeader: Box = {
    var writer = ByteWriter()
    let unit: [UInt32] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
    for word in unit { writer.append(word) }
    return Box("text", fields: writer.bytes)
  }()

  /// The `text` entry: no display flags, centered, black background, an empty text box, no font.
  private static let quickTimeEntry = Box(
    "text",
    fields: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 36))

  /// Makes a track of timed text. Its samples leave no gaps.
  ///
  /// - Parameters:
  ///   - description: the part of the sample entry after the data reference.
  ///   - timescale: the timescale of the samples' durations, in ticks a second.
  init(timedText samples: [Sample], description: [UInt8], timescale: Int32) {
    self.init(
      handler: "sbtl", name: "Subtitles", mediaHeader: Box("nmhd", fields: [0, 0, 0, 0]),
      sampleEntry: Box("tx3g", fields: [0, 0, 0, 0, 0, 0, 0, 1] + description),
      timescale: UInt32(clamping: max(timescale, 1)),
      samples: samples.flatMap(Self.pieces))
  }

  /// The description of plain text in a sample entry: white, at the bottom, in 16-point Arial.
  static let plainDescription: [UInt8] =
    // No flags, centered, at the bottom; a transparent background; an empty text box, which stands
    // for the track's whole area.
    [0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
    // The style of all characters: font 1, plain, 16 points, white.
    + [0, 0, 0, 0, 0, 1, 0, 16, 255, 255, 255, 255]
    + Box("ftab", fields: [0, 1, 0, 1, 5] + Array("Arial".utf8)).bytes
}
