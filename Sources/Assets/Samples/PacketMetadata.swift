// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import NALUnits

/// Finds the units in a track's packets that may contain metadata. The metadata of codecs without
/// NAL units takes the form of H.265's units.
package struct PacketMetadata {
  private let units: PacketUnits?
  private let bitstream: any CodedBitstream

  /// - Returns: `nil` if the codec carries no HDR metadata.
  package init?(_ track: DemuxedTrack) {
    guard let bitstream = track.codec.bitstream, bitstream.carriesHDRMetadata else { return nil }
    (units, self.bitstream) = (PacketUnits(track), bitstream)
  }

  /// Returns the units of a packet: all of them if the packet consists of NAL units, otherwise only
  /// the metadata.
  ///
  /// - Returns: in `late`, the units that belong to the previous packet's frame.
  package func split(_ packet: Packet) -> (late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>) {
    units?.split(packet) ?? ([], bitstream.metadataUnits(in: packet.bytes)[...])
  }

  /// Whether packets can contain Dolby Vision RPUs.
  package var carriesDolbyVision: Bool { bitstream.carries(DolbyVisionRPU.self) }
}
