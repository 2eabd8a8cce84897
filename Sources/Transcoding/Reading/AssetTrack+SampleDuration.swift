// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import MediaCore

extension AssetTrack {
  /// The duration of the sample that is presented at a time, and whether it is the last one, by a
  /// movie's tables: demuxers guess it where frames are reordered. Nil where no table tells.
  func sampleDuration(at time: MediaTime) -> (duration: MediaTime, isLast: Bool)? {
    guard let box, let samples = SampleTimes(box), box.mediaTimescale > 0,
      let timescale = Int32(exactly: box.mediaTimescale)
    else { return nil }
    let times = samples.compositionTimes
    let ticks = time.converted(to: timescale).value
    let next = times.partitioningIndex { $0 > ticks }
    guard next > 0, times[next - 1] == ticks else { return nil }
    let isLast = next == times.count
    let duration = isLast ? samples.lastDuration : times[next] - ticks
    return duration > 0 ? (MediaTime(value: duration, timescale: timescale), isLast) : nil
  }
}
