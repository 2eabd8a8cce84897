// SPDX-License-Identifier: GPL-2.0-or-later
internal import LibAV
internal import MediaCore

/// The time of decoded audio. Samples follow each other without a break, even if the container's
/// times have small steps; at a large step, samples are missing or too many.
struct AudioClock {
  /// Largest distance of audio from the container's times before it is brought back: 40 ms, a
  /// little less than what is seen at lips (ITU-R BT.1359).
  private static let tolerance = MediaTime(value: 40, timescale: 1000)

  private let tick: MediaTime
  /// True if packets are of any length, so that a step of the times is no packet that is missing.
  private let isPCM: Bool
  private var base: MediaTime?
  private var count: Int64 = 0
  private var sampleRate: Int32 = 1
  /// Number of samples by which the audio before was off the container's times.
  private var drift: Int64 = 0

  init(_ track: DemuxedTrack) {
    tick = MediaTime(value: 1, timescale: track.timescale)
    isPCM = track.codec.codecName.hasPrefix("pcm_")
  }

  /// Presentation time of the next sample; nil before the first.
  var now: MediaTime? {
    base.map { $0 + MediaTime(value: count, timescale: sampleRate) }
  }

  /// Returns the number of samples that are missing before some audio (above 0), or that are too
  /// many of it (below 0), and sets the clock to its time.
  mutating func step(before audio: DecodedAudio) -> Int64 {
    let rate = Int32(clamping: max(audio.buffer.format.sampleRate, 1))
    if rate != sampleRate {
      (base, count, drift) = (now, 0, 0)
      sampleRate = rate
    }
    guard let time = audio.presentationTime else {
      base = base ?? .zero
      return 0
    }
    guard let now else {
      base = time
      return 0
    }
    let off = (time - now).converted(to: rate).value
    let ticks = tick.converted(to: rate).value + 1
    let sudden = isPCM ? ticks : max(Int64(audio.buffer.sampleCount / 2), 2 * ticks)
    let far = isPCM ? sudden : max(Self.tolerance.converted(to: rate).value, sudden)
    guard (off &- drift).magnitude > sudden || off.magnitude > far else {
      drift = off
      return 0
    }
    if off > 0 { (base, count) = (time, 0) }
    drift = 0
    return off
  }

  /// Counts samples.
  mutating func advance(_ samples: Int) { count += Int64(samples) }
}
