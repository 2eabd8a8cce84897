// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import Reading

/// The light of a frame of a span.
struct FrameFinding {
  /// Time of its presentation, in seconds of the track's media timeline.
  let time: Double
  /// True if it is the first of its shot.
  var isCut = false
  /// True if it is a flash, which tells nothing of its shot.
  var isFlash = false
  /// Its light; nil for a black frame, and for a flash.
  let light: PictureLight?
}

/// A look at all frames of spans of time, each from a sync sample to the next or to the end.
extension LightSource {
  /// The findings of a span, and whether the decoder reported an error.
  fileprivate typealias Look = (
    span: ClosedRange<Double>, findings: [FrameFinding], isDamaged: Bool
  )

  /// The findings in the order of time: cuts, and a frame of each second.
  ///
  /// - Parameter spans: times of the first and the last frame of each span, in seconds; in order,
  ///   and apart from each other but for their ends.
  func findings(in spans: [ClosedRange<Double>]) throws -> [FrameFinding] {
    let quick = try looks(at: spans, threads: 0)
    // What several threads make of damage depends on which is faster. Decoders of H.264 that start
    // at a recovery point may complain without damage: that costs time alone.
    let damaged = quick.filter(\.isDamaged).map(\.span)
    let looks = try quick.filter { !$0.isDamaged } + looks(at: damaged, threads: 1)
    return looks.sorted { $0.span.lowerBound < $1.span.lowerBound }.flatMap(\.findings)
  }

  private func looks(at spans: [ClosedRange<Double>], threads: Int) throws -> [Look] {
    var (looks, running, waiting) = ([Look](), [SpanFrames](), spans[...])
    guard !spans.isEmpty else { return [] }
    var packets = try TimedPackets(track)
    while !waiting.isEmpty || !running.isEmpty, let (packet, time) = try packets.next() {
      while let span = waiting.first, packet.isSync, span.lowerBound <= time {
        waiting.removeFirst()
        guard span.lowerBound == time else { continue }
        running.append(
          try SpanFrames(span, self, threads: threads, firstNumber: packets.firstNumber))
      }
      // Behind the sync sample that ends a span come frames that are shown before it.
      while let first = running.first, time > first.span.upperBound {
        looks.append(running[0].end())
        running.removeFirst()
      }
      for index in running.indices { running[index].decode(packet) }
    }
    for index in running.indices { looks.append(running[index].end()) }
    return looks
  }
}

/// The frames of a span.
private struct SpanFrames {
  typealias Frame = (time: Double, picture: PixelBuffer, cells: FrameCells)

  /// Time from one look to the next, and the least that something stands still, in seconds.
  private static let (interval, shortest) = (1.0, 0.25)

  let span: ClosedRange<Double>
  private let source: LightSource
  private let decoder: VideoDecoder
  private var hasFailed = false
  private var findings: [FrameFinding] = []
  private var detector = CutDetector<Frame>()
  private var latest: (time: Double, light: PictureLight?)?
  /// The frame before, where it is as at the last look.
  private var still: Frame?
  /// True if the last look was at the end of what stood still; in a slow fade each might be.
  private var stoodStill = false
  /// Number of the next frame; nil where times are stated.
  private var number: Int?
  /// The time of the last frame, in seconds.
  private var lastTime: Double?

  init(
    _ span: ClosedRange<Double>, _ source: LightSource, threads: Int, firstNumber: Int?
  ) throws {
    (self.span, self.source, number) = (span, source, firstNumber)
    decoder = try VideoDecoder(track: source.track.demuxed, threads: threads)
  }

  mutating func decode(_ packet: Packet?) {
    do { try decoder.send(packet) } catch { hasFailed = true }
    do {
      while let frame = try decoder.receive() { take(frame) }
    } catch {
      hasFailed = true
    }
  }

  private mutating func take(_ frame: DecodedFrame) {
    guard let time = time(of: frame), span.contains(time) else { return }
    let cells = FrameCells(of: frame.pixelBuffer)
    if let verdict = detector.take((time, frame.pixelBuffer, cells), cells) {
      settle(verdict)
    }
  }

  /// The time of a frame in seconds: as it states it, by its number, or behind the one before.
  private mutating func time(of frame: DecodedFrame) -> Double? {
    let usual = number.map { source.track.usualTime(ofFrame: $0).seconds }
    let next = lastTime.map { $0 + source.track.usualFrameDuration.seconds }
    number = number.map { $0 + 1 }
    lastTime = frame.presentationTimeStamp?.seconds ?? usual ?? next
    return lastTime
  }

  private mutating func settle(_ verdict: CutDetector<Frame>.Verdict) {
    let (frame, isCut) = (verdict.frame, verdict.isCut)
    guard !verdict.isFlash else {
      findings.append(FrameFinding(time: frame.time, isFlash: true, light: nil))
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
    findings.append(FrameFinding(time: frame.time, isCut: isCut, light: light))
    latest = (frame.time, light)
  }

  mutating func end() -> LightSource.Look {
    decode(nil)
    while let verdict = detector.end() { settle(verdict) }
    return (span, findings, hasFailed || decoder.complaintCount > 0)
  }
}
