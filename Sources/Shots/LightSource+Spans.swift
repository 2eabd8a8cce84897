// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import Reading

struct FrameFinding {
  /// Presentation time, in seconds on the track's media timeline.
  let time: Double
  /// Whether the frame begins a shot.
  var isCut = false
  /// Whether the frame is a flash. A flash says nothing about its shot.
  var isFlash = false
  /// The frame's light, or `nil` if the frame is a flash, is black or cannot be measured.
  let light: FrameLight?
}

/// Decodes all frames of some spans of time. Each span reaches from one sync sample to the next, or
/// to the end.
extension LightSource {
  /// What a span showed, and whether the decoder reported an error.
  fileprivate typealias Look = (
    span: ClosedRange<Double>, findings: [FrameFinding], isDamaged: Bool
  )

  /// Returns cuts, flashes, and about one frame a second, sorted by time.
  ///
  /// - Parameter spans: times of the first and the last frame of each span, in seconds. They are
  ///   sorted and do not overlap, but may touch at their ends.
  func findings(in spans: [ClosedRange<Double>]) throws -> [FrameFinding] {
    let quick = try looks(at: spans, threads: 0)
    // With several threads, how a decoder conceals damage depends on which thread is faster, but
    // the result must not depend on it. So damaged spans are decoded again on one thread. H.264
    // decoders that start at a recovery point may report errors although nothing is damaged. That
    // only costs time.
    let damaged = quick.filter(\.isDamaged).map(\.span)
    let looks = try quick.filter { !$0.isDamaged } + looks(at: damaged, threads: 1)
    return looks.sorted { $0.span.lowerBound < $1.span.lowerBound }.flatMap(\.findings)
  }

  private func looks(at spans: [ClosedRange<Double>], threads: Int) throws -> [Look] {
    var (looks, running, waiting) = ([Look](), [SpanFrames](), spans[...])
    guard !spans.isEmpty else { return [] }
    var packets = try TimedPackets(track)
    var reader = ReshapingDecoder.metadata(of: track) { try Task.checkCancellation() }
    while !waiting.isEmpty || !running.isEmpty, let (packet, time) = try packets.next() {
      let found = try reader?.read(packet)
      while let span = waiting.first, packet.isSync, span.lowerBound <= time {
        waiting.removeFirst()
        // The track has a sync sample later than the span's start, but none at the start itself, so
        // skip the span.
        guard span.lowerBound == time else { continue }
        running.append(
          try SpanFrames(span, self, threads: threads, firstNumber: packets.firstNumber))
      }
      // A span ends at a sync sample. The leading frames of that sample follow it in the file, but
      // are shown before it, so they belong to the span. So read until a packet is later than the
      // span's end.
      while let first = running.first, time > first.span.upperBound {
        looks.append(running[0].end())
        running.removeFirst()
      }
      for index in running.indices { running[index].decode(packet, found) }
    }
    for index in running.indices { looks.append(running[index].end()) }
    return looks
  }
}

/// Decodes one span and collects its findings.
private struct SpanFrames {
  /// The frame as decoded, not reshaped.
  typealias Frame = (time: Double, decoded: DecodedFrame, cells: FrameCells)

  /// Seconds between two measurements, and the shortest duration of a still scene.
  private static let (interval, shortest) = (1.0, 0.25)

  let span: ClosedRange<Double>
  private let source: LightSource
  private let decoder: ReshapingDecoder
  private var hasFailed = false
  private var findings: [FrameFinding] = []
  private var detector = CutDetector<Frame>()
  private var latest: (time: Double, light: FrameLight?)?
  /// The most recent frame, if it still looks like the frame that was measured last.
  private var still: Frame?
  /// Whether the last measurement was at the end of a still scene. Without this, every frame of a
  /// slow fade would count as the end of a still scene, because neighboring frames look alike.
  private var stoodStill = false
  /// The number of the next frame, or `nil` if packets have times.
  private var number: Int?
  private var lastTime: Double?

  init(
    _ span: ClosedRange<Double>, _ source: LightSource, threads: Int, firstNumber: Int?
  ) throws {
    (self.span, self.source, number) = (span, source, firstNumber)
    decoder = try ReshapingDecoder(source.track, threads: threads)
  }

  mutating func decode(_ packet: Packet?, _ found: FrameMetadataReader.Found? = nil) {
    do { try decoder.send(packet, found) } catch { hasFailed = true }
    do {
      while let frame = try decoder.receiveUnshaped() { take(frame) }
    } catch {
      hasFailed = true
    }
  }

  private mutating func take(_ frame: DecodedFrame) {
    guard let time = time(of: frame), span.contains(time) else { return }
    let cells = source.cells(of: frame)
    if let verdict = detector.take((time, frame, cells), cells) {
      settle(verdict)
    }
  }

  /// Returns the frame's time in seconds: its own, or computed from its number, or one frame after
  /// the last.
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
      latest = (frame.time, light(of: frame))
      return
    }
    let isStill = last.light.map { frame.cells.change(since: $0.cells).isStill } ?? false
    if !isStill, !isCut, let still, still.time - last.time >= Self.shortest {
      // The still scene ended with the frame before. Measure that frame, so that the tone curve
      // begins to move at the end of the still scene and not at its start.
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
    let light = light(of: frame)
    findings.append(FrameFinding(time: frame.time, isCut: isCut, light: light))
    latest = (frame.time, light)
  }

  private func light(of frame: Frame) -> FrameLight? {
    source.light(of: decoder.reshaped(frame.decoded).pixelBuffer, frame.cells)
  }

  mutating func end() -> LightSource.Look {
    decode(nil)
    while let verdict = detector.end() { settle(verdict) }
    return (span, findings, hasFailed || decoder.complaintCount > 0)
  }
}
