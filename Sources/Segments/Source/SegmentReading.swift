// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading
internal import Writing

/// Reads the frames of a segment, and finds out whether they are the planned ones.
final class SegmentReading {
  private let reader: AssetReading
  private let range: SegmentRange
  private let frameSource: FrameSource
  private let ignoresColor: Bool
  private var first: MediaTime?
  private var end: MediaTime?
  private let timescale: Int32
  /// Whether frames are deinterlaced. To deinterlace a frame, the filter needs its neighbors.
  private let deinterlaces: Bool
  private var hasFields = false
  /// Whether the reader came to the end of the file.
  private var isAtEnd = false

  /// - Parameter threads: number of decoding threads; 0 for as many as there are cores.
  init(_ source: SegmentSource, _ range: SegmentRange, threads: Int) throws {
    self.range = range
    frameSource = try FrameSource(source.track)
    deinterlaces = source.video.shape?.deinterlacing != nil
    ignoresColor = source.options.sourceColor != nil
    let timescale = source.track.demuxed.timescale
    self.timescale = timescale
    let span = range.decoding?.span(timescale: timescale)
    let wanted = (range.before ?? range.start).map { MediaTime(value: $0, timescale: timescale) }
    reader = try source.reader(
      of: span, threads: threads, concealsDamage: source.options.onError != .stop,
      needing: source.encoding.hdrMetadata.kindsFromSource,
      leavesReshaping: source.video.convertsUnreshaped,
      firstWanted: span.flatMap { $0.samples.lowerBound > 0 ? wanted : nil })
  }

  /// Puts frames into a queue: first the frames before the segment, if the encoder needs some of
  /// them, and then the segment's own frames.
  func run(into frames: FrameQueue) throws {
    let before = range.before ?? range.start
    let start = before.map { MediaTime(value: $0, timescale: timescale) }
    let next = range.end.map { MediaTime(value: $0, timescale: timescale) }
    isAtEnd = true
    while let (_, sample) = try reader.next() {
      guard case .frame(let frame) = sample else { continue }
      // Decoding begins at a sync sample, so the reader also returns frames before the segment.
      if let start, frame.presentationTimeStamp < start { continue }
      if let next, frame.presentationTimeStamp >= next {
        isAtEnd = false
        break
      }
      try frameSource.refuseChange(frame, of: reader.asset.path, ignoringColor: ignoresColor)
      hasFields = hasFields || frame.fieldOrder != .progressive
      first = first ?? frame.presentationTimeStamp
      end = frame.presentationTimeStamp + frame.duration
      try frames.push(frame)
    }
    // Some damage is allowed in a segment without a planned start. In a segment with a planned
    // start, `fault` refuses any damage.
    if range.start == nil {
      try reader.tracks.first?.tally.refuseMajority(of: reader.asset.path)
    }
    frames.finish()
    // A file that is cut off while it is read looks damaged, but "damaged" would be the wrong
    // message.
    guard !reader.asset.version.hasChanged else { throw reader.asset.version.changeError() }
  }

  /// What was counted while the frames were read.
  var counts: FrameCounts {
    var counts = FrameCounts()
    guard let output = reader.tracks.first else { return counts }
    counts.concealed = output.tally.damagedCount
    counts.repairedTimes = output.repairedTimeCount
    counts.hidden = output.hiddenFrameCount
    return counts
  }

  /// Why this segment is not as planned; `nil` if it is as planned. A segment without a planned
  /// start never has a fault, because its frames were not listed.
  var fault: String? {
    guard let start = range.start else { return nil }
    let counts = counts
    // How a decoder conceals damage depends on where decoding began, so the joined file would
    // differ from the output of one process.
    if counts.concealed > 0 { return "the source is damaged there" }
    if counts.repairedTimes > 0 { return "times are missing or go backward there" }
    let wanted = MediaTime(value: range.before ?? start, timescale: timescale)
    // Deinterlacing would need frames beyond the cuts, which a segment does not have.
    if deinterlaces && hasFields { return "frames are interlaced there but not elsewhere" }
    guard first == wanted else { return "decoding gives a different first frame" }
    guard range.end == nil || !isAtEnd else { return "the frames after it are missing" }
    if let next = range.end, end.map({ $0 > MediaTime(value: next, timescale: timescale) }) ?? true
    {
      return "decoding gives a different last frame"
    }
    return nil
  }
}
