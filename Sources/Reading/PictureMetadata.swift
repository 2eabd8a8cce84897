// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore

/// The metadata that frames of an HEVC track have for themselves, taken from their packets and
/// found again by the packet's number.
struct PictureMetadata {
  private let units: PacketUnits
  private var metadata: [Int: FrameMetadata] = [:]

  /// - Returns: nil for codecs other than HEVC.
  init?(_ track: DemuxedTrack) {
    guard let units = PacketUnits(track), units.codec == .hevc else { return nil }
    self.units = units
  }

  /// Takes the metadata of a packet.
  mutating func read(_ packet: Packet, number: Int) {
    let (late, own) = units.split(packet)
    metadata[max(number - 1, 1), default: FrameMetadata()].take(late)
    metadata[number, default: FrameMetadata()].take(own)
  }

  /// Removes the metadata of the frame of a packet, by the packet's number, and returns it.
  mutating func take(_ number: Int) -> FrameMetadata {
    metadata.removeValue(forKey: number) ?? FrameMetadata()
  }
}
