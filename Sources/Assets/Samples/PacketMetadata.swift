// SPDX-License-Identifier: GPL-2.0-or-later
package import LibAV
package import NALUnits

/// Finds the units of a track's packets that may contain metadata. All codecs have them in the form
/// of H.265.
package struct PacketMetadata {
  private let units: PacketUnits?
  private let bitstream: any CodedBitstream

  /// - Returns: `nil` if the codec carries no HDR metadata.
  package init?(_ track: DemuxedTrack) {
    guard let bitstream = track.codec.bitstream, bitstream.carriesHDRMetadata else { return nil }
    (units, self.bitstream) = (PacketUnits(track), bitstream)
  }

  /// Returns the units of a packet. A packet of NAL units comes with all of its units.
  ///
  /// - Returns: in `late`, units that belong to the frame of the packet before.
  package func split(_ packet: Packet) -> (late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>) {
    units?.split(packet) ?? ([], bitstream.metadataUnits(in: packet.bytes)[...])
  }

  /// Whether packets may carry the RPUs of Dolby Vision.
  package var carriesDolbyVision: Bool { bitstream.carries(DolbyVisionRPU.self) }
}
