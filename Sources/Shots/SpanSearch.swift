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
    let isCut: Bool
    /// Its light; nil for a black frame.
    let light: PictureLight?
    /// The share of the picture that is as it was at the last look, 0…1.
    let unchangedShare: Double
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
    guard !spans.isEmpty else { return found }
    var packets = try TrackPackets(source.track)
    var (next, frames) = (0, Frames?.none)
    while next < spans.count, let (packet, time) = try packets.next() {
      let span = spans[next]
      if packet.isSync, time == span.lowerBound, frames == nil { frames = try Frames(span, source) }
      guard frames != nil else { continue }
      frames?.decode(packet)
      // Frames that come later in the file may be shown a little earlier.
      guard packet.isSync && time == span.upperBound || time > span.upperBound + 1 else { continue }
      found += frames?.end() ?? []
      (next, frames) = (next + 1, nil)
      guard next < spans.count, spans[next].lowerBound == time else { continue }
      frames = try Frames(spans[next], source)
      frames?.decode(packet)
    }
    return found + (frames?.end() ?? [])
  }

  /// The frames of a span.
  private struct Frames {
    private static let interval = 1.0

    private let span: ClosedRange<Double>
    private let source: LightSource
    private let decoder: VideoDecoder
    private var detector = ShotDetector()
    private var latest: (time: Double, light: PictureLight?)?
    private var findings: [Finding] = []

    init(_ span: ClosedRange<Double>, _ source: LightSource) throws {
      (self.span, self.source) = (span, source)
      decoder = try VideoDecoder(track: source.track.demuxed)
    }

    mutating func decode(_ packet: Packet?) {
      try? decoder.send(packet)
      while let frame = try? decoder.receive() {
        guard let time = frame.presentationTime?.seconds, span.contains(time) else { continue }
        look(at: frame.pixelBuffer, time)
      }
    }

    private mutating func look(at picture: PixelBuffer, _ time: Double) {
      let beginsShot = detector.beginsShot(picture)
      guard let before = latest else {
        latest = (time, source.light(of: picture))
        return
      }
      guard beginsShot || time - before.time >= Self.interval else { return }
      let light = source.light(of: picture)
      let unchanged = light.flatMap { light in
        before.light.map { light.cells.unchangedShare(since: $0.cells) }
      }
      findings.append(
        Finding(time: time, isCut: beginsShot, light: light, unchangedShare: unchanged ?? 0))
      latest = (time, light)
    }

    mutating func end() -> [Finding] {
      decode(nil)
      return findings
    }
  }
}
