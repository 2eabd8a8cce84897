// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
internal import MediaCore

/// Computes exact times for copied audio if the container rounds them.
package struct CopiedAudioClock: Sendable {
  // Matroska rounds to milliseconds. Rounded times would drift away from the sample count that a
  // movie's tables state. So packets with a known number of samples follow each other without a
  // gap, as long as the container's times agree with that.

  /// The timescale of the exact times, in ticks a second. It is the sample rate.
  package let timescale: Int32
  private let codec: CodecParameters
  /// The number of samples before the first audible one.
  private let priming: Int64
  /// The largest rounding error of the container, in samples.
  private let tolerance: Int64
  /// The exact time of the next packet, or `nil` before the first packet.
  private var next: Int64?

  /// - Returns: `nil` if the track's times are exact, or packets have an unknown length.
  package init?(_ track: DemuxedTrack) {
    codec = track.codec
    guard track.kind == .audio, codec.knowsSampleCounts,
      let rate = Int32(exactly: codec.sampleRate), rate > 0, track.timescale < rate
    else { return nil }
    timescale = rate
    priming = Int64(codec.primingSampleCount)
    tolerance = Int64(rate / max(track.timescale, 1)) + 1
  }

  /// Returns the packet with its exact time.
  package mutating func placed(_ packet: Packet) throws(LibAVError) -> Packet {
    guard let stated = packet.presentationTimeStamp?.converted(to: timescale).value else {
      return packet
    }
    // The first packet begins with priming samples, which the container's times do not count.
    let expected = next ?? -priming
    // A difference above the tolerance is a real gap, so follow the container.
    let time = abs(stated - expected) <= tolerance ? expected : stated
    let length = Int64(
      codec.sampleCount(of: packet) ?? Int(packet.duration.converted(to: timescale).value))
    next = time + length
    return try packet.placed(at: time, lasting: length, timescale: timescale)
  }
}
