// SPDX-License-Identifier: GPL-2.0-or-later
internal import Transcoding

/// Samples may be reordered by at most this many frames. Encoders reorder by fewer: H.264 and HEVC
/// allow at most 16 (`max_dec_frame_buffering`, `sps_max_num_reorder_pics`), and samples of AV1 are
/// never reordered.
private let depth = 64

/// Compares the times of a segment's samples with what was planned.
extension [SegmentFile.Row] {
  /// Returns what is wrong with the times, as text to put after the file's name; `nil` if an
  /// encoder could have made the times from the range's frames.
  func timeFault(in range: SegmentRange, timescale: Int32) -> String? {
    let ticks = -SegmentJob.mostTicks...SegmentJob.mostTicks
    guard
      allSatisfy({ row in
        ticks.contains(row.time) && ticks.contains(row.decodeTimeStamp)
          && (0...SegmentJob.mostTicks).contains(row.duration)
      })
    else { return "has impossible times" }
    guard first?.isSync == true else {
      // Decoding has to be able to start at the beginning of a segment, whatever the previous
      // segment ends with.
      return "does not begin with a frame that decoding can start at"
    }
    let shown = sorted { $0.time < $1.time }
    return presentationFault(shown, in: range) ?? decodingFault(shown, timescale: timescale)
  }

  /// Returns what is wrong with the presentation times.
  private func presentationFault(
    _ shown: [SegmentFile.Row], in range: SegmentRange
  ) -> String? {
    guard zip(shown, shown.dropFirst()).allSatisfy({ $0.time < $1.time }) else {
      return "has two frames with the same time"
    }
    guard let start = range.start, let last = shown.last else { return nil }
    guard shown.first?.time == start else { return "does not begin at the planned time" }
    if let end = range.end, end <= last.time || end - last.time < last.duration {
      return "does not end at the planned time"
    }
    // The duration of the file's last frame can be unknown.
    let measured = range.end == nil ? shown.dropLast() : shown[...]
    return measured.allSatisfy { $0.duration > 0 } ? nil : "has frames without duration"
  }

  /// Returns what is wrong with the decode times.
  private func decodingFault(_ shown: [SegmentFile.Row], timescale: Int32) -> String? {
    // Samples are decoded one after the other, each before it is presented.
    guard zip(self, dropFirst()).allSatisfy({ $0.decodeTimeStamp < $1.decodeTimeStamp }),
      allSatisfy({ $0.decodeTimeStamp <= $0.time })
    else { return "has impossible decode times" }
    // Reordering accounts for only a limited time between decoding the first frame and showing it.
    // If the frame's row claims more, the row is wrong.
    let longest = Swift.max(map(\.duration).max() ?? 0, Int64(timescale))
    let begin = Double(shown.first?.time ?? 0)
    let reordered = Double(shown[Swift.min(depth, shown.count - 1)].time) - begin
    let lead = begin - Double(first?.decodeTimeStamp ?? 0)
    return lead <= reordered + Double(depth) * Double(longest)
      ? nil : "has a frame that is decoded too long before it is shown"
  }
}
