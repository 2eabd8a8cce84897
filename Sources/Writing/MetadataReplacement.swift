// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Planning
internal import Reading

/// Replaces HDR metadata in copied samples. Coded frames stay as they are, byte for byte.
struct MetadataReplacement: Sendable {
  private let plan: HDRMetadataPlan
  private let frames: FrameMetadataTable?
  private let bitstream: any CodedBitstream
  private let configuration: [UInt8]
  /// Finds the RPUs in samples; `nil` if the source's RPUs are not used.
  private let units: PacketMetadata?
  /// The first RPU of the track, with which the others are compared.
  private let firstRPU: DolbyVisionRPU?
  /// The last usable RPU, as the output has it. Before the first sample with a usable RPU, this is
  /// made from the track's first RPU.
  private var lastRPU: DolbyVisionRPU?
  /// How many samples got another sample's RPU, because their own is missing or damaged, plus how
  /// many samples have several RPUs.
  private(set) var repeatedRPUCount = 0

  /// - Returns: `nil` if nothing is replaced.
  init?(in track: DemuxedTrack, _ boxes: TrackBoxes) {
    guard !boxes.hdrMetadata.replaced.isEmpty, let bitstream = track.codec.bitstream else {
      return nil
    }
    (plan, frames, self.bitstream) = (boxes.hdrMetadata, boxes.frameMetadata, bitstream)
    configuration = track.codec.extradata
    units = plan.completesRPUs ? PacketMetadata(track) : nil
    firstRPU = plan.completesRPUs ? boxes.origin?.firstMetadata(DolbyVisionRPU.self) : nil
    lastRPU = firstRPU?.kept(by: plan)
  }

  /// Returns the packet, with the metadata of its frame.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the metadata is too long for the
  ///   samples.
  mutating func replaced(_ packet: Packet) throws -> Packet {
    var metadata = packet.presentationTimeStamp.flatMap { frames?[$0] } ?? FrameMetadata()
    if let units { metadata[DolbyVisionRPU.self] = completedRPU(of: packet, metadata, units) }
    let values = metadata.all.filter { plan.replaced.contains(.init(type(of: $0))) }
    let sample = packet.bytes
    let new = try bitstream.replacing(
      in: sample, configuration: configuration, with: values,
      packet.isSync ? plan.replacedMessages : [], rest: plan.withoutReplaced)
    return new == sample ? packet : try packet.replacing(new)
  }

  /// Returns a sample's RPU as the output has it. The RPU is made from the frame's new metadata,
  /// `found`. If `found` has no RPU, the sample's own RPU is used instead. If there is neither, or
  /// if the chosen one is not usable, the last usable RPU is returned.
  private mutating func completedRPU(
    of packet: Packet, _ found: FrameMetadata, _ units: PacketMetadata
  ) -> DolbyVisionRPU? {
    let inSample = units.split(packet).own
    let candidate =
      found[DolbyVisionRPU.self]
      ?? DolbyVisionRPU.payload(in: inSample).map(DolbyVisionRPU.init(payload:))
    guard let own = candidate, own.isUsable(beside: firstRPU ?? own), let kept = own.kept(by: plan)
    else {
      repeatedRPUCount += 1
      return lastRPU
    }
    // Of several RPUs, the last one counts.
    if inSample.count(where: { $0.isDolbyVisionRPU }) > 1 { repeatedRPUCount += 1 }
    lastRPU = kept
    return kept
  }
}
