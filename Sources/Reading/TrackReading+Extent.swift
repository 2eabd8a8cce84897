// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import ISOBMFF
internal import LibAV
package import MediaCore

extension TrackReading {
  /// The numbers of samples and seconds that were not read, or `nil` if all were read or no table
  /// lists them.
  var missing: (samples: Int, seconds: Double)? {
    guard let end = tableEnd else { return nil }
    let seconds = (end - (readEnd ?? track.demuxed.startTime ?? .zero)).seconds
    // The demuxer may join small audio samples into one packet, so a count that is too low does not
    // prove that samples are missing. Time has to be missing, too. The tolerance is for audio whose
    // declared duration is a little too long.
    let tolerance = track.demuxed.kind == .video ? 0 : 0.1
    let samples = track.demuxed.sampleCount - readCount
    return samples > 0 && seconds > tolerance ? (samples, seconds) : nil
  }

  /// The time in the media at which a movie's track ends, according to the tables; `nil` if all
  /// samples that they list were read, or if there are no tables, as in fragments.
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
  /// Returns the duration of the sample whose presentation begins at a time, and whether it is the
  /// last sample. Returns `nil` if there is no such sample, or if no table states the duration.
  package func sampleDuration(at time: MediaTime) -> (duration: MediaTime, isLast: Bool)? {
    guard let box, let samples = SampleTimes(box), box.mediaTimescale > 0,
      let timescale = Int32(exactly: box.mediaTimescale)
    else { return nil }
    // If frames are reordered, demuxers guess durations, but the tables state them.
    let times = samples.compositionTimes
    let ticks = time.converted(to: timescale).value
    let next = times.partitioningIndex { $0 > ticks }
    guard next > 0, times[next - 1] == ticks else { return nil }
    let isLast = next == times.count
    let duration = isLast ? samples.lastDuration : times[next] - ticks
    return duration > 0 ? (MediaTime(value: duration, timescale: timescale), isLast) : nil
  }
}
