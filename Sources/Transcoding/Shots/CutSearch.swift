// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ColorConversion
internal import LibAV
internal import MediaCore

/// A search for cuts between pairs of sync samples, for which all frames between them are decoded.
struct CutSearch {
  /// When the two samples of each pair are presented, in seconds; in order, and apart from each
  /// other but for their ends.
  private let spans: [ClosedRange<Double>]

  init(_ spans: [ClosedRange<Double>]) { self.spans = spans }

  /// The last cut of each span, in seconds; nil where there is none.
  func cuts(in track: AssetTrack) throws -> [Double?] {
    var cuts = [Double?](repeating: nil, count: spans.count)
    guard !spans.isEmpty else { return cuts }
    let demuxer = try Demuxer(path: track.path)
    for other in demuxer.tracks where other.index != track.demuxed.index {
      demuxer.discard(trackIndex: other.index)
    }
    var (next, packets) = (0, [Packet]())
    // Damage is told of by whoever reads the whole.
    while next < spans.count, let packet = try? demuxer.readPacket() {
      try Task.checkCancellation()
      guard packet.trackIndex == track.demuxed.index, !packet.isEmpty else { continue }
      let time = (packet.presentationTime ?? packet.decodeTime)?.seconds
      let (isStart, isEnd) = (
        packet.isSync && time == spans[next].lowerBound,
        packet.isSync && time == spans[next].upperBound
      )
      guard isStart || !packets.isEmpty else { continue }
      packets.append(packet)
      guard isEnd else { continue }
      cuts[next] = try lastCut(of: packets, track, in: spans[next])
      next += 1
      let goesOn = next < spans.count && spans[next].lowerBound == time
      packets = goesOn ? [packet] : []
    }
    return cuts
  }

  private func lastCut(
    of packets: [Packet], _ track: AssetTrack, in span: ClosedRange<Double>
  ) throws -> Double? {
    let decoder = try VideoDecoder(track: track.demuxed)
    var detector = ShotDetector()
    var cut: Double?
    func receive() {
      while let frame = try? decoder.receive() {
        guard let time = frame.presentationTime?.seconds, span.contains(time),
          detector.beginsShot(frame.pixelBuffer), time > span.lowerBound
        else { continue }
        cut = time
      }
    }
    for packet in packets {
      try? decoder.send(packet)
      receive()
    }
    try? decoder.send(nil)
    receive()
    return cut
  }
}
