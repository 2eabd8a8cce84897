// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import NALUnits
package import VideoEncoders

/// An encoder that adds HDR metadata. Depending on the codec, messages about all frames go into the
/// parameter sets or into sync samples. The dynamic metadata of a frame goes into its sample.
final class MetadataSplicer: VideoEncoder {
  // x265 3.5 can take such metadata itself, but it repeats stale RPUs, does not know SEI 148, and
  // can write beyond its memory.

  let parameterSets: [UInt8]
  var parameterReport: EncoderParameterReport { encoder.parameterReport }

  private let encoder: any VideoEncoder
  private let bitstream: any CodedBitstream
  private let timescale: Int32
  private let composer: FrameMetadataComposer
  /// Returns the gain curves of the frame at a time of the track's media timeline; `nil` if no
  /// curves are wanted.
  private let gain: (@Sendable (MediaTime) -> HeadroomAdaptiveGain)?
  /// The messages about all frames.
  private let messages: [SEIMessage]
  /// The field order that each frame declares.
  private let fieldOrder: FieldOrder
  /// Measures light levels if requested.
  private var lightMeter: ContentLightMeter?
  /// Whether the metadata of any frame so far repeats the light levels, so that the measured levels
  /// have to be put into it at the end.
  private(set) var samplesStateLightLevels = false
  private var shots = ShotDetector()
  /// Metadata of frames inside the encoder, by presentation time in the encoder's ticks. The
  /// encoder reorders frames, so the presentation time tells which frame a sample was made from.
  private var pending: [Int64: (metadata: FrameMetadata, beginsShot: Bool)] = [:]
  private var last = FrameMetadata()

  /// - Parameters:
  ///   - settings: the encoder's settings.
  ///   - light: measures the frames that a decoder shows.
  ///   - area: the active area of the output.
  ///   - gain: returns the gain curves of the frame at a time, if they are wanted.
  init(
    _ encoder: any VideoEncoder, _ bitstream: any CodedBitstream, _ settings: VideoEncoderSettings,
    _ plan: HDRMetadataPlan, _ light: FrameLight, _ area: ActiveArea,
    gain: (@Sendable (MediaTime) -> HeadroomAdaptiveGain)?
  ) {
    (self.encoder, self.bitstream, self.gain) = (encoder, bitstream, gain)
    lightMeter = plan.measuresContentLightLevel ? ContentLightMeter(light) : nil
    (timescale, fieldOrder) = (settings.timescale, settings.fieldOrder)
    composer = FrameMetadataComposer(plan, light, area)
    messages = plan.messages
    parameterSets = bitstream.adding(messages, to: encoder.parameterSets)
  }

  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    if !composer.kinds.isEmpty || lightMeter != nil {
      // A damaged frame may lack metadata that every frame needs. In that case, take the metadata
      // of the previous frame.
      var metadata = frame.metadata
      metadata.fill(from: last)
      last = metadata
      if let gain { metadata.put(gain(frame.presentationTimeStamp)) }
      pending[frame.presentationTimeStamp.converted(to: timescale).value] = (
        metadata, composer.computes && shots.beginsShot(frame.pixelBuffer)
      )
    }
    return try splice(encoder.encode(frame))
  }

  func follow(_ frame: VideoFrame) throws(VideoEncoderError) {
    // The frame before a segment is not encoded, but it shows whether the segment's first frame
    // begins a shot.
    try encoder.follow(frame)
    note(frame)
  }

  func note(_ frame: VideoFrame) {
    var metadata = frame.metadata
    metadata.fill(from: last)
    last = metadata
    if composer.computes { _ = shots.beginsShot(frame.pixelBuffer) }
  }

  var contentLightLevel: ContentLightLevel? { lightMeter?.contentLightLevel }

  func drain() throws(VideoEncoderError) -> [EncodedSample] { try splice(encoder.drain()) }

  private func splice(_ samples: [EncodedSample]) throws(VideoEncoderError) -> [EncodedSample] {
    var result: [EncodedSample] = []
    for var sample in samples {
      var values: [any DynamicHDRMetadataKind] = []
      let time = sample.presentationTimeStamp.converted(to: timescale).value
      if let (metadata, beginsShot) = pending.removeValue(forKey: time) {
        // Measure the decoded frame, because metadata must describe the frames that viewers see.
        if let picture = sample.picture { lightMeter?.add(picture, source: metadata) }
        values = try composer.values(of: sample.picture, metadata, beginsShot: beginsShot)
        if lightMeter != nil, !samplesStateLightLevels {
          samplesStateLightLevels = values.contains(where: \.repeatsLightLevels)
        }
      }
      sample.bytes = bitstream.splicing(
        values, sample.isSync ? messages : [], fieldOrder, into: sample.bytes)
      // Decoded frames are large, so do not keep them while samples wait for the muxer.
      sample.picture = nil
      result.append(sample)
    }
    return result
  }
}

extension VideoCodec {
  /// The bitstream of the codec's encoders, if this package understands it.
  package var bitstream: (any CodedBitstream)? { CodecParameters.bitstream(named: rawValue) }
}
