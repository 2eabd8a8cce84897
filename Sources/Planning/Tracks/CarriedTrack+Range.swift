// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import Host
internal import ISOBMFF
internal import MediaCore
internal import Reading

extension CarriedTrack {
  /// Returns the track with only the samples that a part of the presentation needs.
  ///
  /// - Parameters:
  ///   - timeline: the timeline of the part.
  ///   - file: the file that the samples are in.
  ///   - movieTimescale: ticks per second of the durations in the output's headers and edits.
  /// - Returns: `nil` if the part contains no sample of the track.
  /// - Throws: ``ISOBMFFError`` if the track's tables cannot be divided.
  func clipped(
    to timeline: EditTimeline, of file: FileByteSource, movieTimescale: Int32
  ) throws -> CarriedTrack? {
    let size = if case .made = content { max(dataSize, 1 << 16) } else { file.size }
    let track = try Movie.Track(box, childIndex: 0, fileSize: size)
    let preroll = track.handler == "soun" ? TrackReading.preroll : .zero
    guard let index = SampleIndex(track),
      let span = index.span(presentedBy: timeline, preroll: preroll)
    else { return nil }
    // Samples outside the part must not stay in the file. They may be private, for example if they
    // contain locations.
    var trimmed = try TrimmedTrack(track, samples: span.samples)
    var copy = self
    copy.content = content(of: trimmed)
    // If there is only one simple edit, shorten the first and last sample to the part. Then no edit
    // list has to hide the rest.
    if let part = timeline.only(index.timescale), !track.isReordered {
      var begin = part.lowerBound
      // A time code sample states the time code of its start. If the sample starts later, the time
      // code has to advance, too, by whole frames.
      if kind == Self.timeCodeKind, let code = try TimeCode(track, at: trimmed.chunks[0], in: file)
      {
        let time = MediaTime(value: max(begin - trimmed.origin, 0), timescale: index.timescale)
        let frames = code.counting.frames(in: time, isExact: true)
        let later = code.counting.duration(of: frames)
        // If there are several samples, the first keeps its start and its time code, and an edit
        // hides what comes before the part.
        if span.samples.count == 1 { copy.content = .made(code.advanced(by: frames).sample) }
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
  /// Writes a timeline into `trak`.
  ///
  /// - Parameter origin: the time in the timeline's media at which the track's media begins.
  mutating func setEdits(
    _ timeline: EditTimeline, origin: MediaTime, mediaTimescale: Int32, movieTimescale: Int32
  ) throws(ISOBMFFError) {
    guard let tkhd = child("tkhd"), let mdhd = first("mdia", "mdhd") else {
      throw .missingBox("tkhd", in: "trak")
    }
    let length = Int64(clamping: try HeaderFields(mdhd).duration)
    let end = origin + MediaTime(value: length, timescale: mediaTimescale)
    // A very short edit may have no duration left after it is rounded to the movie's timescale.
    // Such edits are left out.
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
  /// Returns the part of the media that the only edit presents, in ticks, or `nil` if there are
  /// several edits, or if the edit is a dwell.
  fileprivate func only(_ timescale: Int32) -> Range<Int64>? {
    guard delay != nil, let start = mediaStart?.converted(to: timescale).value else { return nil }
    let end = mediaEnd?.converted(to: timescale).value ?? .max
    return start..<max(end, start)
  }
}

extension Movie.Track {
  /// Whether samples may depend on each other or are reordered. If so, the first and the last
  /// sample cannot be shortened.
  fileprivate var isReordered: Bool {
    ["vide", "soun", "auxv"].contains(handler)
      || box.first("mdia", "minf", "stbl", "ctts") != nil
  }
}
