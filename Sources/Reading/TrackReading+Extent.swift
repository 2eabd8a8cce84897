// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// Amount of a track that was read, compared with what its tables list.
extension TrackReading {
  /// Samples that were not read, and their duration; nil where all was read.
  ///
  /// Readers give several small samples as one packet, and audio may be stated a little longer than
  /// it is: a track lacks samples only where it also lacks time.
  var missing: (samples: Int, seconds: Double)? {
    guard let end = tableEnd else { return nil }
    let seconds = (end - (readEnd ?? track.demuxed.startTime ?? .zero)).seconds
    let tolerance = track.demuxed.kind == .video ? 0 : 0.1
    let samples = track.demuxed.sampleCount - readCount
    return samples > 0 && seconds > tolerance ? (samples, seconds) : nil
  }

  /// Time at which a movie file's track ends in its media; nil where no table has it, as in
  /// fragments.
  private var tableEnd: MediaTime? {
    guard let box = track.box, track.demuxed.sampleCount > 0 else { return nil }
    guard readCount < track.demuxed.sampleCount, let times = SampleTimes(box),
      let last = times.compositionTimes.last
    else { return nil }
    return MediaTime(
      value: last &+ times.lastDuration, timescale: Int32(clamping: max(box.mediaTimescale, 1)))
  }
}

extension AssetTrack {
  /// The duration of the sample that is presented at a time, and whether it is the last one, by a
  /// movie's tables: demuxers guess it where frames are reordered. Nil where no table tells.
  package func sampleDuration(at time: MediaTime) -> (duration: MediaTime, isLast: Bool)? {
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
