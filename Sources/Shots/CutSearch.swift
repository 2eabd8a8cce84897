// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import LibAV
internal import MediaCore

/// A search for cuts between pairs of sync samples, for which all frames between them are decoded.
struct CutSearch {
  /// Times at which the two samples of each pair are presented, in seconds; in order, and apart
  /// from each other but for their ends.
  private let spans: [ClosedRange<Double>]

  init(_ spans: [ClosedRange<Double>]) { self.spans = spans }

  /// The last cut of each span, in seconds; nil where there is none.
  func cuts(in track: AssetTrack) throws -> [Double?] {
    var cuts = [Double?](repeating: nil, count: spans.count)
    guard !spans.isEmpty else { return cuts }
    var packets = try TrackPackets(track)
    var (next, pair) = (0, Pair?.none)
    while next < spans.count, let (packet, time) = try packets.next() {
      let span = spans[next]
      if packet.isSync, time == span.lowerBound, pair == nil { pair = try Pair(span, track) }
      guard pair != nil else { continue }
      pair?.decode(packet)
      guard packet.isSync, time == span.upperBound else { continue }
      cuts[next] = pair?.end()
      (next, pair) = (next + 1, nil)
      guard next < spans.count, spans[next].lowerBound == time else { continue }
      pair = try Pair(spans[next], track)
      pair?.decode(packet)
    }
    return cuts
  }

  /// The frames from one sync sample to another.
  private struct Pair {
    private let span: ClosedRange<Double>
    private let decoder: VideoDecoder
    private var detector = ShotDetector()
    private var cut: Double?

    init(_ span: ClosedRange<Double>, _ track: AssetTrack) throws {
      self.span = span
      decoder = try VideoDecoder(track: track.demuxed)
    }

    mutating func decode(_ packet: Packet?) {
      try? decoder.send(packet)
      while let frame = try? decoder.receive() {
        guard let time = frame.presentationTime?.seconds, span.contains(time),
          detector.beginsShot(frame.pixelBuffer), time > span.lowerBound
        else { continue }
        cut = time
      }
    }

    /// The last cut.
    mutating func end() -> Double? {
      decode(nil)
      return cut
    }
  }
}
