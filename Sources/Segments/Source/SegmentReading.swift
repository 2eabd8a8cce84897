// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading
internal import Writing

/// Reads the frames of a segment, and finds out whether they are those that were planned.
final class SegmentReading {
  private let reader: AssetReading
  private let range: SegmentRange
  private let pictures: PictureSource
  private let ignoresColor: Bool
  private var first: MediaTime?
  private var end: MediaTime?
  private let timescale: Int32
  /// True if frames that say that they are interlaced need their neighbors.
  private let deinterlaces: Bool
  private var hasFields = false
  /// True if the reader came to the end of the file.
  private var isAtEnd = false

  /// - Parameter threads: number of threads that decode; 0 for as many as there are cores.
  init(_ source: SegmentSource, _ range: SegmentRange, threads: Int) throws {
    self.range = range
    pictures = try PictureSource(source.track)
    deinterlaces = source.video.shape?.deinterlacing != nil
    ignoresColor = source.options.sourceColor != nil
    let timescale = source.track.demuxed.timescale
    self.timescale = timescale
    let span = range.decoding?.span(timescale: timescale)
    let wanted = (range.before ?? range.start).map { MediaTime(value: $0, timescale: timescale) }
    reader = try source.reader(
      of: span, threads: threads, concealsDamage: source.options.onError != .stop,
      needing: source.encoding.hdrMetadata.dynamicKinds,
      firstWanted: span.flatMap { $0.samples.lowerBound > 0 ? wanted : nil })
  }

  /// Puts the segment's frames into a queue, behind the one before it where that is needed.
  func run(into frames: FrameQueue) throws {
    let before = range.before ?? range.start
    let start = before.map { MediaTime(value: $0, timescale: timescale) }
    let next = range.end.map { MediaTime(value: $0, timescale: timescale) }
    isAtEnd = true
    while let (_, sample) = try reader.next() {
      guard case .frame(let frame) = sample else { continue }
      if let start, frame.presentationTimeStamp < start { continue }
      if let next, frame.presentationTimeStamp >= next {
        isAtEnd = false
        break
      }
      try pictures.refuseChange(frame, of: reader.asset.path, ignoringColor: ignoresColor)
      hasFields = hasFields || frame.fieldOrder != .progressive
      first = first ?? frame.presentationTimeStamp
      end = frame.presentationTimeStamp + frame.duration
      try frames.push(frame)
    }
    // Of one segment out of several, damage is a fault of the plan.
    if range.start == nil {
      try reader.tracks.first?.tally.refuseMajority(of: reader.asset.path)
    }
    frames.finish()
    guard !reader.asset.version.hasChanged else { throw reader.asset.version.changeError() }
  }

  /// Counts of the reading; frames that are hidden are counted where the whole is one segment.
  var counts: FrameCounts {
    var counts = FrameCounts()
    guard let output = reader.tracks.first else { return counts }
    counts.concealed = output.tally.damagedCount
    counts.repairedTimes = output.repairedTimeCount
    counts.hidden = output.hiddenFrameCount
    return counts
  }

  /// Fault of a segment out of several that is not as it was planned; nil for none.
  var fault: String? {
    guard let start = range.start else { return nil }
    let counts = counts
    if counts.concealed > 0 { return "the source is damaged there" }
    if counts.repairedTimes > 0 { return "times are missing or step back there" }
    let wanted = MediaTime(value: range.before ?? start, timescale: timescale)
    if deinterlaces && hasFields { return "frames are interlaced there, and others are not" }
    guard first == wanted else { return "its first frame is another" }
    guard range.end == nil || !isAtEnd else { return "the frames behind it are missing" }
    if let next = range.end, end.map({ $0 > MediaTime(value: next, timescale: timescale) }) ?? true
    {
      return "its last frame is another"
    }
    return nil
  }
}
