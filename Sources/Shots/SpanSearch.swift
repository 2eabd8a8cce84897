// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import LibAV
internal import MediaCore

/// A look at all frames of spans of time, each from a sync sample to the next or to the end.
struct SpanSearch {
  /// The light of a frame of a span.
  struct Finding {
    /// Time of its presentation, in seconds of the track's media timeline.
    let time: Double
    /// True if it is the first of its shot.
    var isCut = false
    /// True if it is a flash, which tells nothing of its shot.
    var isFlash = false
    /// Its light; nil for a black frame.
    let light: PictureLight?
    /// True if the scene stands still since the last look.
    var isStill = false
  }

  /// Times of the first and the last frame of each span, in seconds; in order, and apart from each
  /// other but for their ends.
  private let spans: [ClosedRange<Double>]
  private let source: LightSource

  init(_ spans: [ClosedRange<Double>], of source: LightSource) {
    (self.spans, self.source) = (spans, source)
  }

  /// The findings in the order of time: cuts, and a frame of each second.
  func findings() throws -> [Finding] {
    var found: [Finding] = []
    var waiting = spans[...]
    var running: [Frames] = []
    guard !spans.isEmpty else { return found }
    var packets = try TrackPackets(source.track)
    while !waiting.isEmpty || !running.isEmpty, let (packet, time) = try packets.next() {
      while let span = waiting.first, packet.isSync, span.lowerBound <= time {
        waiting.removeFirst()
        if span.lowerBound == time { running.append(try Frames(span, source)) }
      }
      // Behind the sync sample that ends a span come frames that are shown before it.
      while let first = running.first, time > first.span.upperBound {
        found += running[0].end()
        running.removeFirst()
      }
      for index in running.indices { running[index].decode(packet) }
    }
    for index in running.indices { found += running[index].end() }
    return found
  }

  /// The frames of a span.
  private struct Frames {
    typealias Frame = (time: Double, picture: PixelBuffer, cells: FrameCells)

    /// Time from one look to the next, and the least that something stands still, in seconds.
    private static let (interval, shortest) = (1.0, 0.25)

    let span: ClosedRange<Double>
    private let source: LightSource
    private let decoder: VideoDecoder
    private var detector = CutDetector<Frame>()
    private var latest: (time: Double, light: PictureLight?)?
    /// The frame before, where it is as at the last look.
    private var still: Frame?
    /// True if the last look was at the end of what stood still; in a slow fade each might be.
    private var stoodStill = false
    private var count = 0
    private var findings: [Finding] = []

    init(_ span: ClosedRange<Double>, _ source: LightSource) throws {
      (self.span, self.source) = (span, source)
      decoder = try VideoDecoder(track: source.track.demuxed)
    }

    mutating func decode(_ packet: Packet?) {
      try? decoder.send(packet)
      while let frame = try? decoder.receive() {
        let time =
          frame.presentationTime?.seconds
          ?? span.lowerBound + Double(count) * source.track.usualFrameDuration.seconds
        count += 1
        guard span.contains(time) else { continue }
        let cells = FrameCells(of: frame.pixelBuffer)
        if let verdict = detector.take((time, frame.pixelBuffer, cells), cells) {
          settle(verdict)
        }
      }
    }

    private mutating func settle(_ verdict: CutDetector<Frame>.Verdict) {
      let (frame, isCut) = (verdict.frame, verdict.isCut)
      guard !verdict.isFlash else {
        findings.append(Finding(time: frame.time, isFlash: true, light: nil))
        return
      }
      guard let last = latest else {
        latest = (frame.time, source.light(of: frame.picture, frame.cells))
        return
      }
      let isStill = last.light.map { frame.cells.change(since: $0.cells).isStill } ?? false
      if !isStill, !isCut, let still, still.time - last.time >= Self.shortest {
        // What stood still ends with the frame before.
        look(at: still, isCut: false)
        stoodStill = true
      }
      still = isStill && !stoodStill ? frame : nil
      if isCut || frame.time - (latest?.time ?? 0) >= Self.interval {
        look(at: frame, isCut: isCut)
        stoodStill = false
      }
    }

    private mutating func look(at frame: Frame, isCut: Bool) {
      let light = source.light(of: frame.picture, frame.cells)
      let change = light.flatMap { light in
        (latest?.light).map { light.cells.change(since: $0.cells) }
      }
      findings.append(
        Finding(
          time: frame.time, isCut: isCut, light: light, isStill: change?.isStill ?? false))
      latest = (frame.time, light)
    }

    mutating func end() -> [Finding] {
      decode(nil)
      while let verdict = detector.end() { settle(verdict) }
      return findings
    }
  }
}
