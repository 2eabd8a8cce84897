// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading

/// Replaces HDR metadata in copied samples. Coded pictures stay as they are, byte for byte.
struct MetadataReplacement: Sendable {
  private let plan: HDRMetadataPlan
  private let frames: FrameMetadataTable?
  private let bitstream: any CodedBitstream
  private let configuration: [UInt8]
  /// Finds the RPUs in samples; `nil` if no RPUs are converted.
  private let units: PacketMetadata?
  /// The RPU of the last sample that had one. Before the first such sample, the first RPU of the
  /// track.
  private var lastRPU: DolbyVisionRPU?
  /// How many samples got the RPU of another sample, because their own is missing or damaged.
  private(set) var repeatedRPUCount = 0

  /// - Returns: `nil` if nothing is replaced.
  init?(in track: DemuxedTrack, _ boxes: TrackBoxes) {
    guard !boxes.hdrMetadata.replaced.isEmpty, let bitstream = track.codec.bitstream else {
      return nil
    }
    (plan, frames, self.bitstream) = (boxes.hdrMetadata, boxes.frameMetadata, bitstream)
    configuration = track.codec.extradata
    units = plan.convertsRPUs ? PacketMetadata(track) : nil
    lastRPU =
      plan.convertsRPUs
      ? boxes.origin?.firstMetadata(DolbyVisionRPU.self)?.forBaseLayerAlone : nil
  }

  /// Returns a packet with the metadata of its frame.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the metadata is too long for the
  ///   samples.
  mutating func replaced(_ packet: Packet) throws -> Packet {
    var metadata = packet.presentationTimeStamp.flatMap { frames?[$0] } ?? FrameMetadata()
    if let units { metadata[DolbyVisionRPU.self] = convertedRPU(of: packet, metadata, units) }
    let values = metadata.all.filter { plan.replaced.contains(.init(type(of: $0))) }
    let sample = packet.bytes
    let new = try bitstream.replacing(
      in: sample, configuration: configuration, with: values,
      packet.isSync ? plan.replacedMessages : [], rest: plan.withoutReplaced)
    return new == sample ? packet : try packet.replacing(new)
  }

  /// Returns the RPU of a sample for the base layer alone: the one that was found for its frame, or
  /// the one in the sample itself.
  private mutating func convertedRPU(
    of packet: Packet, _ found: FrameMetadata, _ units: PacketMetadata
  ) -> DolbyVisionRPU? {
    let own =
      found[DolbyVisionRPU.self]
      ?? DolbyVisionRPU.payload(in: units.split(packet).own).map(DolbyVisionRPU.init(payload:))
    if let converted = own?.forBaseLayerAlone {
      lastRPU = converted
    } else {
      repeatedRPUCount += 1
    }
    return lastRPU
  }
}
