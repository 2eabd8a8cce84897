// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

/// A sync sample that decoding begins with, found again by its time and its place: readers go to
/// somewhere before it, and pass over what comes first.
package struct DecodingStart: Hashable, Sendable, Codable {
  /// When it is presented, in ticks of the track's media.
  let time: Int64
  /// When it is decoded, in the same ticks.
  let decodeTime: Int64
  /// Where its data begins in the file; nil where the demuxer does not tell.
  let position: UInt64?

  /// When the sample is decoded.
  func decodeTime(in track: AssetTrack) -> MediaTime {
    MediaTime(value: decodeTime, timescale: track.demuxed.timescale)
  }

  /// True if this is the packet of the sample.
  func isOf(_ packet: Packet) -> Bool {
    packet.presentationTime?.value == time
      && (position == nil || packet.filePosition == nil || packet.filePosition == position)
  }

  /// True if a packet is decoded later, so that the sample does not come any more.
  func isBefore(_ packet: Packet) -> Bool {
    packet.decodeTime.map { $0.value > max(time, decodeTime) } ?? false
  }
}
