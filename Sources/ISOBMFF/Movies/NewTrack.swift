// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// A new track, whose samples follow each other in one chunk.
package struct NewTrack: Sendable {
  /// One sample of the track.
  package struct Sample: Hashable, Sendable {
    package var bytes: [UInt8]
    /// The sample's duration, in the track's timescale.
    package var duration: UInt32

    package init(bytes: [UInt8], duration: UInt32) {
      self.bytes = bytes
      self.duration = duration
    }
  }

  /// The kind of media, such as `text` or `sbtl`.
  package var handler: FourCC
  /// The handler's name, as text for people.
  package var name: String
  /// The media header for this kind of media, such as `gmhd` or `nmhd`.
  package var mediaHeader: Box
  package var sampleEntry: Box
  /// The timescale of the samples' durations, in ticks a second, above 0.
  package var timescale: UInt32
  /// The language in the packed form of `mdhd`.
  package var language: UInt16
  /// The flags of `tkhd`: 1 enabled, 2 in the movie, 4 in the preview.
  package var flags: UInt32
  /// The samples, in order of time.
  package var samples: [Sample]
  /// The group of alternative tracks, of which a player shows one; 0 if the track is in no group.
  package var alternateGroup: UInt16 = 0
  /// The boxes of `udta`, such as name and roles.
  package var userData: [Box] = []

  // Three letters of 5 bits each, counted from 0x60 (8.4.2.3): u is 21, n 14, d 4.
  /// The language code "und", for an unknown language.
  package static let undetermined: UInt16 = 0x55C4

  package init(
    handler: FourCC, name: String, mediaHeader: Box, sampleEntry: Box, timescale: UInt32,
    language: UInt16 = undetermined, flags: UInt32 = 3, samples: [Sample]
  ) {
    self.handler = handler
    self.name = name
    self.mediaHeader = mediaHeader
    self.sampleEntry = sampleEntry
    self.timescale = timescale
    self.language = language
    self.flags = flags
    self.samples = samples
  }

  /// The data of all samples, one after the other.
  package var data: [UInt8] { samples.flatMap(\.bytes) }

  /// Returns the `trak`. Its track ID and its chunk offset are not set yet.
  ///
  /// - Parameter movieTimescale: ticks a second of the movie.
  package func box(movieTimescale: UInt32) -> Box {
    let duration = samples.reduce(UInt64(0)) { $0 + UInt64($1.duration) }
    let shown = Self.rescaled(duration, from: timescale, to: movieTimescale)
    return Box(
      "trak",
      children: [
        trackHeader(duration: shown),
        Box(
          "mdia",
          children: [
            mediaHeader(duration: duration), handlerBox,
            Box("minf", children: [mediaHeader, Self.dataInformation, sampleTable]),
          ]),
      ] + (userData.isEmpty ? [] : [Box("udta", children: userData)]))
  }

  private static func rescaled(_ ticks: UInt64, from old: UInt32, to new: UInt32) -> UInt64 {
    let product = ticks.multipliedFullWidth(by: UInt64(new))
    let divisor = UInt64(max(old, 1))
    guard product.high < divisor else { return .max }
    return divisor.dividingFullWidth(product).quotient
  }

  /// Makes the `tkhd` (ISO/IEC 14496-12, 8.3.2) of a track that shows no frames.
  private func trackHeader(duration: UInt64) -> Box {
    var writer = ByteWriter()
    writer.append(flags)
    // Two dates, track ID, reserved; duration; two reserved words, layer and group, volume.
    let words: [UInt32] = [0, 0, 0, 0, 0, 0, 0, UInt32(alternateGroup), 0]
    for word in words { writer.append(word) }
    // The identity matrix, whose last column is 2.30 fixed point, then width and height 0.
    let unit: [UInt32] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
    for word in unit + [0, 0] { writer.append(word) }
    return Self.lasting(duration, Box("tkhd", fields: writer.bytes))
  }

  /// Makes the `mdhd` (8.4.2).
  private func mediaHeader(duration: UInt64) -> Box {
    var writer = ByteWriter()
    let words: [UInt32] = [0, 0, 0, timescale, 0]
    for word in words { writer.append(word) }
    writer.append(language)
    writer.append(UInt16(0))
    return Self.lasting(duration, Box("mdhd", fields: writer.bytes))
  }

  /// Sets the duration in a header, in the short or long form as needed.
  private static func lasting(_ duration: UInt64, _ box: Box) -> Box {
    guard var header = try? HeaderFields(box) else { return box }
    header.duration = duration
    return header.box(box)
  }

  private var handlerBox: Box {
    var writer = ByteWriter()
    for word in [0, 0, handler.rawValue, 0, 0, 0] as [UInt32] { writer.append(word) }
    return Box("hdlr", fields: writer.bytes + Array(name.utf8) + [0])
  }

  /// A `dinf` that says that the samples are in this file (8.7.2).
  private static let dataInformation = Box(
    "dinf",
    children: [
      Box(
        // Flag 1 of the entry means "this file", so the entry has no address.
        "dref", fields: [0, 0, 0, 0, 0, 0, 0, 1], children: [Box("url ", fields: [0, 0, 0, 1])])
    ])

  private var sampleTable: Box {
    var (times, sizes) = (ByteWriter(), ByteWriter())
    var runs: [(count: UInt32, duration: UInt32)] = []
    for sample in samples {
      if let last = runs.last, last.duration == sample.duration {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, sample.duration))
      }
    }
    let times32: [UInt32] = [0, UInt32(runs.count)] + runs.flatMap { [$0.count, $0.duration] }
    for word in times32 { times.append(word) }
    let sizes32: [UInt32] = [0, 0, UInt32(samples.count)] + samples.map { UInt32($0.bytes.count) }
    for word in sizes32 { sizes.append(word) }
    var chunk = ByteWriter()
    for word in [0, 1, 1, UInt32(samples.count), 1] as [UInt32] { chunk.append(word) }
    return Box(
      "stbl",
      children: [
        Box("stsd", fields: [0, 0, 0, 0, 0, 0, 0, 1], children: [sampleEntry]),
        Box("stts", fields: times.bytes), Box("stsc", fields: chunk.bytes),
        Box("stsz", fields: sizes.bytes),
        Box("stco", fields: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]),
      ])
  }
}
