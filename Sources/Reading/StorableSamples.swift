// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import LibAV

/// Makes the samples of a copy from the packets of a track.
package struct StorableSamples: Sendable {
  /// The number of packets that are damaged or cut off, or were left out. Packets whose damage the
  /// demuxer reports do not count.
  package var damagedCount: Int { cutOffCount + superframes.lostCount }

  private var cutOffCount = 0
  private var superframes: VP9Superframes
  // A muxer that parses samples fails if a unit is damaged, and writes no sample for a packet that
  // has nothing to store.
  /// The bitstream, if muxers parse it; otherwise, `nil`.
  private let bitstream: (any CodedBitstream)?

  package init(_ track: DemuxedTrack) {
    superframes = VP9Superframes(track)
    bitstream = track.codec.bitstream.flatMap { $0.isParsedByMuxers ? $0 : nil }
  }

  /// Returns the sample, or `nil` if it has to wait for more packets or if there is nothing to
  /// store.
  package mutating func sample(of packet: Packet) throws(LibAVError) -> Packet? {
    guard let bitstream else { return try superframes.joined(packet) }
    let bytes = packet.bytes
    if bitstream.isCutOff(bytes), !packet.isCorrupt { cutOffCount += 1 }
    let stored = bitstream.storable(bytes)
    guard !stored.isEmpty else { return nil }
    return stored == bytes ? packet : try packet.replacing(stored)
  }
}
