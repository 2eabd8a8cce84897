// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
internal import MediaCore

/// Exact times of copied audio whose container rounds them, as Matroska does to milliseconds:
/// packets whose numbers of samples are known follow each other without a break, as long as the
/// container's times agree.
package struct CopiedAudioClock: Sendable {
  /// Ticks a second of the exact times: the sample rate.
  package let timescale: Int32
  private let codec: CodecParameters
  /// Samples before the first that is to be heard.
  private let priming: Int64
  /// Samples that times are rounded by at most.
  private let tolerance: Int64
  /// The exact time of the next packet; nil before the first.
  private var next: Int64?

  /// - Returns: nil for tracks whose times are exact, and for packets of unknown length.
  package init?(_ track: DemuxedTrack) {
    codec = track.codec
    guard track.kind == .audio, codec.knowsSampleCounts,
      let rate = Int32(exactly: codec.sampleRate), rate > 0, track.timescale < rate
    else { return nil }
    timescale = rate
    priming = Int64(codec.primingSampleCount)
    tolerance = Int64(rate / max(track.timescale, 1)) + 1
  }

  /// The packet at its exact time.
  package mutating func placed(_ packet: Packet) throws(LibAVError) -> Packet {
    guard let stated = packet.presentationTimeStamp?.converted(to: timescale).value else {
      return packet
    }
    let expected = next ?? -priming
    let time = abs(stated - expected) <= tolerance ? expected : stated
    let length = Int64(
      codec.sampleCount(of: packet) ?? Int(packet.duration.converted(to: timescale).value))
    next = time + length
    return try packet.placed(at: time, lasting: length, timescale: timescale)
  }
}
