// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Presentation times for frames of a codec that reorders, in files for which libavformat gives
/// only decoding times: AVI, and movies and MXF files without a usable table of composition
/// offsets.
struct DecodingClock {
  // The times are right, but their order is not. So the n-th frame that is presented gets the n-th
  // of the sorted times.

  /// How many frames the decoder holds back to reorder them.
  private let delay: Int
  /// Whether frames need times from this clock. They do if all of these are true: the whole track
  /// is read, its codec reorders, and no packet so far had a presentation time that differs from
  /// its decoding time.
  private var isNeeded: Bool
  /// Times of packets that no frame has used yet, by packet number.
  private var waiting: [(number: Int, time: MediaTime)] = []

  private let box: Movie.Track?
  private lazy var tabled: [MediaTime] = tableTimes()

  init(_ track: AssetTrack) {
    delay = track.demuxed.codec.reorderingDelay
    // The samples of a requested part (`span`) are found by their presentation times. So a track
    // with a span states presentation times.
    isNeeded = delay > 0 && track.span == nil
    box = track.box
  }

  /// Returns the presentation times of a movie's samples in decoding order, or no times if there is
  /// no `ctts` box.
  private func tableTimes() -> [MediaTime] {
    // libavformat drops the whole `ctts` if a single entry is out of range, so read the table
    // ourselves.
    guard let box, box.box.first("mdia", "minf", "stbl", "ctts") != nil,
      let times = SampleTimes(box)?.timesInDecodingOrder
    else { return [] }
    let timescale = Int32(clamping: max(box.mediaTimescale, 1))
    return times.map { MediaTime(value: $0, timescale: timescale) }
  }

  /// Takes a packet that was sent to the decoder.
  mutating func send(_ packet: Packet, number: Int) {
    guard isNeeded else { return }
    let stated = packet.presentationTimeStamp
    // A single reordered packet proves that the container's times are presentation times.
    guard let time = packet.decodeTimeStamp, stated == nil || stated == time else {
      isNeeded = false
      waiting = []
      return
    }
    waiting.append((number, time))
  }

  /// Returns the presentation time of a frame, or `nil` if the frame's own time is right.
  mutating func time(of frame: DecodedFrame) -> MediaTime? {
    guard isNeeded else { return nil }
    if tabled.indices.contains(frame.packetNumber - 1) { return tabled[frame.packetNumber - 1] }
    // A frame is held back for at most `delay` other frames. A packet that waits longer than that
    // gave no frame, and its time would shift the times of all later frames.
    waiting.removeAll { $0.number < frame.packetNumber - delay }
    guard let first = waiting.indices.min(by: { waiting[$0].time < waiting[$1].time }) else {
      return nil
    }
    return waiting.remove(at: first).time
  }
}
