// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import ISOBMFF
internal import MediaCore

extension CarriedTrack {
  /// The track with what a part of the presentation needs of it, and nothing else: parts that are
  /// not presented may be private, such as places.
  ///
  /// - Parameters:
  ///   - timeline: the timeline of the part.
  ///   - file: the bytes of the file that the samples are in.
  ///   - movieTimescale: ticks a second of the output's own durations.
  /// - Returns: nil where the part has nothing of it.
  /// - Throws: ``ISOBMFFError`` where its tables cannot be divided.
  func clipped(
    to timeline: EditTimeline, of file: FileByteSource, movieTimescale: Int32
  ) throws -> CarriedTrack? {
    let size = if case .made = content { max(dataSize, 1 << 16) } else { file.size }
    let track = try Movie.Track(box, childIndex: 0, fileSize: size)
    let preroll = track.handler == "soun" ? AssetReaderTrackOutput.preroll : .zero
    guard let index = SampleIndex(track),
      let span = index.span(presentedBy: timeline, preroll: preroll)
    else { return nil }
    var trimmed = try TrimmedTrack(track, samples: span.samples)
    var copy = self
    copy.content = content(of: trimmed)
    if let part = timeline.only(index.timescale), !track.isReordered {
      var begin = part.lowerBound
      if kind == "tmcd", let code = try TimeCode(track, at: trimmed.chunks[0], in: file) {
        let time = MediaTime(value: max(begin - trimmed.origin, 0), timescale: index.timescale)
        let (sample, later) = code.advanced(by: time)
        // Of several, the others are right as they are.
        if span.samples.count == 1 { copy.content = .made(sample) }
        begin =
          trimmed.origin
          + (span.samples.count == 1 ? later.converted(to: index.timescale).value : 0)
      }
      trimmed = try TrimmedTrack(
        track, samples: span.samples, part: begin..<max(part.upperBound, begin))
    }
    copy.box = trimmed.box
    try copy.box.setEdits(
      timeline, origin: MediaTime(value: trimmed.origin, timescale: index.timescale),
      mediaTimescale: index.timescale, movieTimescale: movieTimescale)
    return copy
  }

  private func content(of trimmed: TrimmedTrack) -> Content {
    switch content {
    case .copied: .copied(trimmed.chunks)
    case .made(let bytes):
      .made(trimmed.chunks.flatMap { bytes[Int($0.lowerBound)..<Int($0.upperBound)] })
    }
  }
}

extension Box {
  /// States a timeline in `trak`, whose media begins later than the timeline's by `origin`.
  mutating func setEdits(
    _ timeline: EditTimeline, origin: MediaTime, mediaTimescale: Int32, movieTimescale: Int32
  ) throws(ISOBMFFError) {
    guard let tkhd = child("tkhd"), let mdhd = first("mdia", "mdhd") else {
      throw .missingBox("tkhd", in: "trak")
    }
    let length = Int64(clamping: try HeaderFields(mdhd).duration)
    let end = origin + MediaTime(value: length, timescale: mediaTimescale)
    let entries = timeline.edits.map { edit in
      let duration = edit.duration ?? max(end - (edit.mediaStart ?? end), .zero)
      return EditList.Entry(
        segmentDuration: UInt64(max(duration.converted(to: movieTimescale).value, 0)),
        mediaTime: edit.mediaStart.map {
          max(($0 - origin).converted(to: mediaTimescale).value, 0)
        } ?? -1, mediaRate: edit.isDwell ? 0 : 0x1_0000)
    }.filter { $0.segmentDuration > 0 }
    let edits = EditList(entries: entries)
    set(Box("edts", children: [edits.box]), behind: ["tkhd"])
    var header = try HeaderFields(tkhd)
    header.duration = edits.duration
    set(header.box(tkhd))
  }
}

extension EditTimeline {
  /// Part of the media that the only edit with media presents, in ticks; nil for several such
  /// edits, or for one in which the media stands still.
  fileprivate func only(_ timescale: Int32) -> Range<Int64>? {
    guard delay != nil, let start = mediaStart?.converted(to: timescale).value else { return nil }
    let end = mediaEnd?.converted(to: timescale).value ?? .max
    return start..<max(end, start)
  }
}

extension Movie.Track {
  /// True if samples depend on others, or are not presented when they are decoded, so that the
  /// first and the last cannot be made shorter.
  fileprivate var isReordered: Bool {
    ["vide", "soun", "auxv"].contains(handler)
      || box.first("mdia", "minf", "stbl", "ctts") != nil
  }
}

/// The time code of a track's only sample (QuickTime File Format, Timecode Media).
private struct TimeCode {
  /// The number of the frame that the sample begins with.
  private let number: UInt32
  private let timescale: Int32
  private let frameDuration: Int64
  /// Frames after which the count begins again; nil for never.
  private let framesInDay: UInt32?

  /// - Returns: nil for a sample or an entry of another form.
  init?(_ track: Movie.Track, at place: Range<UInt64>, in file: FileByteSource) throws {
    // Behind the data reference: reserved, flags, timescale, frame duration, frames a second.
    guard place.count == 4,
      let fields = track.box
        .first("mdia", "minf", "stbl", "stsd")?.children.first.map({ $0.fields }),
      fields.count >= 25
    else { return nil }
    var reader = ByteReader(fields, at: 12)
    let flags = try reader.integer(UInt32.self)
    let (scale, duration) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
    let rate = UInt32(try reader.integer(UInt8.self))
    var sample = ByteReader(try file.read(at: place.lowerBound, count: 4))
    number = try sample.integer()
    // A counter (flag 8) counts what the timescale does not tell.
    guard let scale = Int32(exactly: scale), scale > 0, duration > 0, flags & 8 == 0 else {
      return nil
    }
    (timescale, frameDuration) = (scale, Int64(duration))
    // Two numbers are dropped every minute but each tenth, twice as many at 60.
    let dropped = flags & 1 == 1 ? 2 * (24 * 54) * (rate / 30) : 0
    framesInDay = flags & 2 == 2 && rate > 0 ? rate * 86_400 - dropped : nil
  }

  /// The sample that is right a time later, which is whole frames.
  ///
  /// - Returns: the sample, and the delay of its start.
  func advanced(by time: MediaTime) -> (sample: [UInt8], later: MediaTime) {
    let frames =
      Int128(time.value) * Int128(timescale) / (Int128(time.timescale) * Int128(frameDuration))
    var next = UInt64(number) &+ UInt64(clamping: frames)
    if let framesInDay, next >= UInt64(framesInDay) { next %= UInt64(framesInDay) }
    var writer = ByteWriter()
    writer.append(UInt32(truncatingIfNeeded: next))
    return (
      writer.bytes,
      MediaTime(value: Int64(clamping: frames * Int128(frameDuration)), timescale: timescale)
    )
  }
}
