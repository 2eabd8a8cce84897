// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import Planning

/// Replaces HDR metadata in copied samples. Coded pictures stay as they are, byte for byte.
struct MetadataReplacement: Sendable {
  private let plan: HDRMetadataPlan
  private let frames: FrameMetadataTable?
  private let bitstream: any CodedBitstream
  private let configuration: [UInt8]

  /// - Returns: `nil` if nothing is replaced.
  init?(in track: DemuxedTrack, _ boxes: TrackBoxes) {
    guard !boxes.hdrMetadata.replaced.isEmpty, let bitstream = track.codec.bitstream else {
      return nil
    }
    (plan, frames, self.bitstream) = (boxes.hdrMetadata, boxes.frameMetadata, bitstream)
    configuration = track.codec.extradata
  }

  /// Returns a packet with the metadata of its frame.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the metadata is too long for the
  ///   samples.
  func replaced(_ packet: Packet) throws -> Packet {
    let metadata = packet.presentationTimeStamp.flatMap { frames?[$0] }
    let values = (metadata?.all ?? []).filter { plan.replaced.contains(.init(type(of: $0))) }
    let sample = packet.bytes
    let new = try bitstream.replacing(
      in: sample, configuration: configuration, with: values,
      packet.isSync ? plan.replacedMessages : [], rest: plan.withoutReplaced)
    return new == sample ? packet : try packet.replacing(new)
  }
}
