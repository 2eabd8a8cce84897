// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Planning

/// Replaces HDR metadata in copied samples. Coded pictures stay as they are, byte for byte.
struct MetadataReplacement: Sendable {
  private let plan: HDRMetadataPlan
  private let frames: FrameMetadataTable?
  private let codec: NALCodec
  /// How samples are divided into NAL units.
  private let configuration: DecoderConfiguration

  /// - Returns: `nil` if nothing is replaced.
  init?(in track: DemuxedTrack, _ boxes: TrackBoxes) {
    guard !boxes.hdrMetadata.replaced.isEmpty, let codec = track.codec.nalCodec,
      let configuration = try? DecoderConfiguration(track.codec.extradata, codec)
    else { return nil }
    (plan, frames, self.codec) = (boxes.hdrMetadata, boxes.frameMetadata, codec)
    self.configuration = configuration
  }

  /// Returns a packet with the metadata of its frame.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the metadata is too long for the
  ///   samples.
  func replaced(_ packet: Packet) throws -> Packet {
    let units = configuration.split(packet.bytes)
    let metadata = packet.presentationTimeStamp.flatMap { frames?[$0] }
    let values = (metadata?.all ?? []).filter { plan.replaced.contains(.init(type(of: $0))) }
    let isRepeated = !codec.configurationHoldsMessages && packet.isSync
    let new =
      (isRepeated ? plan.replacedMessages : []).map { NALUnit(messages: [$0], codec) }
      + values.map { $0.nalUnit(codec) }
    let result = NALUnit.inserting(new, into: units.compactMap(plan.withoutReplaced))
    guard result != units else { return packet }
    return try packet.replacing(try result.flatMap(bytes))
  }

  private func bytes(_ unit: NALUnit) throws -> [UInt8] {
    guard let size = configuration.lengthSize else { return unit.annexB }
    guard size > 3 || unit.bytes.count < 1 << (8 * size) else {
      throw TranscodingError(
        .unusableInput,
        "the samples give \(size.counted("byte")) to the length of a NAL unit, which is too few "
          + "for new metadata")
    }
    return unit.lengthPrefixed(size)
  }
}
