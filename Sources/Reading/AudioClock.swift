// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import MediaCore

/// Keeps the time of decoded audio. Samples follow each other without a gap unless the container's
/// times take a large step, which means that samples are missing or that there are too many.
package struct AudioClock {
  /// How far audio may drift from the container's times before it is corrected. 40 ms is a little
  /// less than the error of lip sync that viewers detect (ITU-R BT.1359).
  private static let tolerance = MediaTime(value: 40, timescale: 1000)

  /// The longest step, in samples. Any longer step comes from damage, and is clamped so that sums
  /// of steps cannot overflow.
  private static let limit: Int64 = 1 << 40

  private let tick: MediaTime
  /// Whether packets may have any length, as in PCM.
  private let isPCM: Bool
  private var base: MediaTime?
  private var count: Int64 = 0
  private var sampleRate: Int32 = 1
  /// Number of samples in the first block (packet). If packets' times mark where their audio ends,
  /// the first time is this many samples after the beginning of the audio.
  private var firstCount: Int64 = 0
  /// Number of samples of the longest block, according to the codec's header. Long blocks may come
  /// late, and the tolerance must not depend on whether a long block came already.
  private let statedCount: Int64
  /// Number of samples of the longest block so far.
  private var longestCount: Int64
  /// Facts about the two ways to read packets' times: as the beginnings of their audio, and as the
  /// ends. For PCM, there is only the first way.
  private var readings: [Reading]

  /// By how many samples the last audio was off if times are read in this way, and the sum of all
  /// such distances so far. The smaller the sum, the better the reading.
  private typealias Reading = (drift: Int64, distance: UInt64)

  // In most files a packet's time is where its audio begins. In some Vorbis files it is where the
  // audio ends, because a granule position counts the samples up to that end. With blocks of
  // different lengths, times that are read in the wrong way have steps everywhere. So the clock
  // follows both readings, and a step counts only if it is in both.

  package init(_ track: DemuxedTrack) {
    tick = MediaTime(value: 1, timescale: track.timescale)
    isPCM = track.codec.codecName.hasPrefix("pcm_")
    statedCount = Int64(track.codec.longestStatedBlock)
    longestCount = statedCount
    readings = Self.readings(isPCM: isPCM)
  }

  // PCM has no blocks, so only one reading makes sense.
  private static func readings(isPCM: Bool) -> [Reading] {
    [Reading](repeating: (0, 0), count: isPCM ? 1 : 2)
  }

  /// Presentation time of the next sample, or `nil` before the first.
  package var now: MediaTime? {
    base.map { $0 + MediaTime(value: count, timescale: sampleRate) }
  }

  /// Sets the clock to the time of some audio.
  ///
  /// - Returns: how many samples are missing before it (above 0) or have to be dropped from it
  ///   (below 0).
  package mutating func step(before audio: DecodedAudio) -> Int64 {
    let rate = Int32(clamping: max(audio.buffer.format.sampleRate, 1))
    // If the sample rate changes, counting starts again where the old rate ended.
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

  /// - Parameter offsets: for each reading, by how many samples the audio is off.
  private mutating func step(of offsets: [Int64], _ rate: Int32) -> Int64 {
    let sudden = suddenStep(rate)
    let far = isExact(rate) ? sudden : max(Self.tolerance.converted(to: rate).value, sudden)
    let best = readings.indices.min { readings[$0].distance < readings[$1].distance } ?? 0
    // Slow drift is tolerated up to `far`, but a sudden change counts at once.
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

  /// Returns the largest step, in samples, that rounded or misplaced times can explain.
  private func suddenStep(_ rate: Int32) -> Int64 {
    let ticks = tick.converted(to: rate).value + 1
    if isExact(rate) { return ticks }
    // For PCM, allow a millisecond, because times in program streams are off by a part of a packet.
    // If a codec has blocks, demuxers misplace a short block by up to half the length of a long
    // block.
    return isPCM
      ? max(ticks, Int64(rate) / 1000) : max(longestCount / 2, 2 * ticks)
  }

  /// Returns whether times count samples, so that any difference is real.
  private func isExact(_ rate: Int32) -> Bool { isPCM && tick.timescale % rate == 0 }

  /// Moves the clock past some samples.
  package mutating func advance(_ samples: Int) { count += Int64(samples) }
}
