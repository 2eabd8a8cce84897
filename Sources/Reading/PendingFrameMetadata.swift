// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore

/// The metadata of frames. It is parsed from packets, and kept by packet number until the decoder
/// returns the frame.
struct PendingFrameMetadata {
  private let units: PacketMetadata
  private var metadata: [Int: FrameMetadata] = [:]

  /// - Returns: `nil` for tracks whose frames have no metadata.
  init?(_ track: AssetTrack) {
    guard let units = PacketMetadata(track.demuxed),
      units.carriesDolbyVision || track.containsHDRVideo
    else { return nil }
    self.units = units
  }

  /// Parses the metadata of a packet.
  mutating func read(_ packet: Packet, number: Int) {
    let (late, own) = units.split(packet)
    // In a byte stream, units after an end of sequence come with the next frame or as a separate
    // packet. They belong to the frame before.
    if !late.isEmpty { metadata[max(number - 1, 1), default: FrameMetadata()].take(late) }
    metadata[number, default: FrameMetadata()].take(own)
  }

  /// Removes and returns the metadata of a packet's frame.
  mutating func take(_ number: Int) -> FrameMetadata {
    metadata.removeValue(forKey: number) ?? FrameMetadata()
  }
}
