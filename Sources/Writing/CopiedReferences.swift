// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import NALUnits
internal import Reading

/// Copies a part of a track. Its RPUs may refer to RPUs before the part, which the copy lacks. So
/// the first RPU with such a reference is written whole, and later ones may refer to it.
struct CopiedReferences: Sendable {
  private let bitstream: any CodedBitstream
  private let configuration: [UInt8]
  private let units: PacketMetadata
  private var memory: MappingMemory

  /// - Returns: `nil` if nothing comes before what is copied, or if there are no RPUs.
  init?(
    in track: DemuxedTrack, of origin: AssetTrack?, checkpoint: @escaping Pipeline.Checkpoint
  ) {
    guard let origin, let span = origin.copiedSpan, span.samples.lowerBound > 0,
      origin.video?.hdrMetadata.frames.has(DolbyVisionRPU.self) == true,
      let bitstream = track.codec.bitstream, let units = PacketMetadata(track)
    else { return nil }
    (self.bitstream, self.units) = (bitstream, units)
    configuration = track.codec.extradata
    memory = MappingMemory(origin, checkpoint: checkpoint)
  }

  /// Remembers the RPUs of the packets that the copy leaves out before this one. Call this for each
  /// packet of the source, and pass the packet as it is in the source.
  mutating func passLeftOut(before packet: Packet) {
    memory.pass(leftOutBefore: packet, units)
  }

  /// Returns the packet. If its RPU refers to data that the copy lacks, the RPU gets that data.
  mutating func completed(_ packet: Packet) throws -> Packet {
    let (late, own) = units.split(packet)
    if let payload = DolbyVisionRPU.payload(in: late) {
      memory.pass(DolbyVisionRPU(payload: payload), isCopied: true)
    }
    guard let payload = DolbyVisionRPU.payload(in: own) else { return packet }
    let rpu = try memory.completed(DolbyVisionRPU(payload: payload), isCopied: true)
    guard rpu.payload != payload else { return packet }
    return try packet.replacing(
      bitstream.replacing(
        in: packet.bytes, configuration: configuration, with: [rpu], []
      ) { $0.isDolbyVisionRPU ? nil : $0 })
  }
}
