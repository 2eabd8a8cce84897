// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// The times of frames in files that only state when frames are decoded, although the codec
/// reorders them: AVI, and movies and MXF files that lack a table.
///
/// The times are those of the frames, but of others: the n-th frame is presented at the n-th
/// time. A movie file's own tables go before, which libavformat drops for a single entry out of
/// range.
struct DecodingClock {
  /// Number of frames that the decoder holds back to reorder them.
  private let delay: Int
  /// True if no packet stated another time than that of its decoding.
  private var isNeeded: Bool
  /// The times of the packets that no frame was given yet, by the packet's number.
  private var waiting: [(number: Int, time: MediaTime)] = []

  private let box: Movie.Track?
  private lazy var tabled: [MediaTime] = tableTimes()

  init(_ track: AssetTrack) {
    delay = track.demuxed.codec.reorderingDelay
    // Samples of a span are found by their times, which are those of presentation.
    isNeeded = delay > 0 && track.span == nil
    box = track.box
  }

  /// Presentation times of a movie file's samples, in the order of decoding; empty where no table
  /// has them.
  private func tableTimes() -> [MediaTime] {
    guard let box, box.box.first("mdia", "minf", "stbl", "ctts") != nil,
      let times = SampleTimes(box)?.timesInDecodingOrder
    else { return [] }
    let timescale = Int32(clamping: max(box.mediaTimescale, 1))
    return times.map { MediaTime(value: $0, timescale: timescale) }
  }

  /// Takes note of a packet that is decoded.
  mutating func send(_ packet: Packet, number: Int) {
    guard isNeeded else { return }
    let stated = packet.presentationTimeStamp
    guard let time = packet.decodeTimeStamp, stated == nil || stated == time else {
      isNeeded = false
      waiting = []
      return
    }
    waiting.append((number, time))
  }

  /// Presentation time of a frame from the table or from packets; nil where the frame's own time is
  /// right.
  mutating func time(of frame: DecodedFrame) -> MediaTime? {
    guard isNeeded else { return nil }
    if tabled.indices.contains(frame.packetNumber - 1) { return tabled[frame.packetNumber - 1] }
    // No frame comes later than after those that it was held back for: a packet that waits longer
    // gave none.
    waiting.removeAll { $0.number < frame.packetNumber - delay }
    guard let first = waiting.indices.min(by: { waiting[$0].time < waiting[$1].time }) else {
      return nil
    }
    return waiting.remove(at: first).time
  }
}
