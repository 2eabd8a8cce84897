// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import MediaCore

/// The time of decoded audio. Samples follow each other without a break, even if the container's
/// times have small steps; at a large step, samples are missing or too many.
///
/// Times are where audio begins, or, in some files of Vorbis, where it ends: its granule positions.
/// Where blocks have different lengths, each reading alone sees steps that are none. A step
/// counts only if both readings see it.
package struct AudioClock {
  /// Largest distance of audio from the container's times before it is brought back: 40 ms, a
  /// little less than what is seen at lips (ITU-R BT.1359).
  private static let tolerance = MediaTime(value: 40, timescale: 1000)

  /// Samples beyond which a step is damage, however long: sums of such numbers fit.
  private static let limit: Int64 = 1 << 40

  private let tick: MediaTime
  /// True if packets are of any length, so that a step of the times is no packet that is missing.
  private let isPCM: Bool
  private var base: MediaTime?
  private var count: Int64 = 0
  private var sampleRate: Int32 = 1
  /// Samples of the first audio, which ends as much later than it begins.
  private var firstCount: Int64 = 0
  /// Samples of the longest audio, as the header states it: long blocks may come late.
  private let statedCount: Int64
  /// Samples of the longest audio so far: demuxers misplace a short block by up to half a long one.
  private var longestCount: Int64
  /// Times as begins, and times as ends; of PCM, which has no blocks, as begins alone.
  private var readings: [Reading]

  /// One way to read the container's times: the number of samples by which the audio before was
  /// off, and the sum of such numbers, without their signs; the smaller, the better the reading.
  private typealias Reading = (drift: Int64, distance: UInt64)

  package init(_ track: DemuxedTrack) {
    tick = MediaTime(value: 1, timescale: track.timescale)
    isPCM = track.codec.codecName.hasPrefix("pcm_")
    statedCount = Int64(track.codec.longestStatedBlock)
    longestCount = statedCount
    readings = Self.readings(isPCM: isPCM)
  }

  private static func readings(isPCM: Bool) -> [Reading] {
    [Reading](repeating: (0, 0), count: isPCM ? 1 : 2)
  }

  /// Presentation time of the next sample; nil before the first.
  package var now: MediaTime? {
    base.map { $0 + MediaTime(value: count, timescale: sampleRate) }
  }

  /// Returns the number of samples that are missing before some audio (above 0), or that are too
  /// many of it (below 0), and sets the clock to its time.
  package mutating func step(before audio: DecodedAudio) -> Int64 {
    let rate = Int32(clamping: max(audio.buffer.format.sampleRate, 1))
    if rate != sampleRate {
      (base, count) = (now, 0)
      readings = Self.readings(isPCM: isPCM)
      (sampleRate, firstCount) = (rate, Int64(audio.buffer.sampleCount))
      longestCount = statedCount
    }
    longestCount = max(longestCount, Int64(audio.buffer.sampleCount))
    guard let time = audio.presentationTimeStamp else {
      base = base ?? .zero
      return 0
    }
    guard let now else {
      base = time
      return 0
    }
    let off = min(max((time - now).converted(to: rate).value, -Self.limit), Self.limit)
    return step(of: [off, off - Int64(audio.buffer.sampleCount) + firstCount], rate)
  }

  /// - Parameter offsets: by how many samples audio is off, by each reading.
  private mutating func step(of offsets: [Int64], _ rate: Int32) -> Int64 {
    let sudden = suddenStep(rate)
    let far = isExact(rate) ? sudden : max(Self.tolerance.converted(to: rate).value, sudden)
    let best = readings.indices.min { readings[$0].distance < readings[$1].distance } ?? 0
    let isStep = readings.indices.allSatisfy { index in
      (offsets[index] - readings[index].drift).magnitude > sudden
        || offsets[index].magnitude > far
    }
    let step = isStep ? offsets[best] : 0
    if step > 0 { count += step }
    for index in readings.indices {
      let off = offsets[index] - step
      readings[index].drift = off
      readings[index].distance &+= min(off.magnitude, UInt64(max(rate, 0)))
    }
    return step
  }

  /// Samples that a step has at least to be no jitter of times that are rounded.
  private func suddenStep(_ rate: Int32) -> Int64 {
    let ticks = tick.converted(to: rate).value + 1
    if isExact(rate) { return ticks }
    // Times in program streams are off by parts of a packet.
    return isPCM
      ? max(ticks, Int64(rate) / 1000) : max(longestCount / 2, 2 * ticks)
  }

  /// True if times count the samples of packets that may have any length.
  private func isExact(_ rate: Int32) -> Bool { isPCM && tick.timescale % rate == 0 }

  /// Counts samples.
  package mutating func advance(_ samples: Int) { count += Int64(samples) }
}
