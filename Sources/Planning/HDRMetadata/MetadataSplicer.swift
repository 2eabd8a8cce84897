// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import NALUnits
package import VideoEncoders

/// An encoder that adds HDR metadata. Messages for all frames go into the parameter sets, and the
/// dynamic metadata of each frame goes into its sample.
final class MetadataSplicer: VideoEncoder {
  // x265 3.5 can take such metadata itself, but it repeats stale RPUs, does not know SEI 148, and
  // can write beyond its memory.

  let parameterSets: [UInt8]
  var parameterReport: EncoderParameterReport { encoder.parameterReport }

  private let encoder: any VideoEncoder
  private let bitstream: any CodedBitstream
  private let timescale: Int32
  /// The kinds of dynamic metadata that samples get.
  private let kinds: [any DynamicHDRMetadataKind.Type]
  /// Functions that compute metadata, by the key of their kind. Other kinds keep the source's
  /// values.
  private let composers: [String: MetadataComposer]
  /// Moves the active area in the source's metadata, or `nil` if the area stays.
  private let activeArea: ActiveArea?
  /// The field order that each frame declares.
  private let fieldOrder: FieldOrder
  /// Measures light levels if requested.
  private var lightMeter: ContentLightMeter?
  private var shots = ShotDetector()
  /// Metadata of frames inside the encoder, by presentation time in the encoder's ticks. The
  /// encoder reorders frames, and only presentation times connect samples with frames again.
  private var pending: [Int64: (metadata: FrameMetadata, beginsShot: Bool)] = [:]
  private var last = FrameMetadata()

  /// - Parameters:
  ///   - settings: the encoder's settings.
  ///   - frames: the frames that the encoder gets.
  ///   - area: the active area of the output.
  ///   - lightMeter: measures light levels if requested.
  init(
    _ encoder: any VideoEncoder, _ bitstream: any CodedBitstream, _ settings: VideoEncoderSettings,
    _ plan: HDRMetadataPlan,
    _ frames: FrameDescription, _ area: ActiveArea, lightMeter: ContentLightMeter?
  ) {
    (self.encoder, self.bitstream) = (encoder, bitstream)
    self.lightMeter = lightMeter
    (timescale, fieldOrder) = (settings.timescale, settings.fieldOrder)
    kinds = plan.dynamicKinds
    let composers = kinds.map { kind in
      (kind.key, (kind as? any FittedHDRMetadataKind.Type)?.composer(plan, frames, area))
    }
    self.composers = Dictionary(uniqueKeysWithValues: composers).compactMapValues { $0 }
    activeArea = plan.movesActiveArea ? area : nil
    parameterSets = encoder.parameterSets + plan.units.flatMap(\.annexB)
  }

  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    if !kinds.isEmpty || lightMeter != nil {
      // A damaged frame may lack metadata that every frame needs. In that case, take the metadata
      // of the previous frame.
      var metadata = frame.metadata
      metadata.fill(from: last)
      last = metadata
      pending[frame.presentationTimeStamp.converted(to: timescale).value] = (
        metadata, composers.isEmpty ? false : shots.beginsShot(frame.pixelBuffer)
      )
    }
    return try splice(encoder.encode(frame))
  }

  func follow(_ frame: VideoFrame) throws(VideoEncoderError) {
    // The frame before a segment is not encoded, but it shows whether the segment's first frame
    // begins a shot.
    try encoder.follow(frame)
    last = frame.metadata
    if !composers.isEmpty { _ = shots.beginsShot(frame.pixelBuffer) }
  }

  var contentLightLevel: ContentLightLevel? { lightMeter?.contentLightLevel }

  func drain() throws(VideoEncoderError) -> [EncodedSample] { try splice(encoder.drain()) }

  private func splice(_ samples: [EncodedSample]) throws(VideoEncoderError) -> [EncodedSample] {
    var result: [EncodedSample] = []
    for var sample in samples {
      var values: [any DynamicHDRMetadataKind] = []
      let time = sample.presentationTimeStamp.converted(to: timescale).value
      if let (metadata, beginsShot) = pending.removeValue(forKey: time) {
        // Measure the decoded frame, because metadata must describe what the stream shows.
        if let picture = sample.picture { lightMeter?.add(picture, source: metadata) }
        for kind in kinds {
          values += try [value(kind, of: metadata, beginsShot, sample.picture)].compactMap { $0 }
        }
      }
      sample.bytes = bitstream.splicing(values, fieldOrder, into: sample.bytes)
      // Decoded frames are large, so do not keep them while samples wait for the muxer.
      sample.picture = nil
      result.append(sample)
    }
    return result
  }

  /// Returns the metadata of a kind for a sample, if the sample gets any.
  private func value<Kind: DynamicHDRMetadataKind>(
    _ kind: Kind.Type, of metadata: FrameMetadata, _ beginsShot: Bool, _ picture: PixelBuffer?
  ) throws(VideoEncoderError) -> (any DynamicHDRMetadataKind)? {
    do {
      if let composer = composers[Kind.key], let picture {
        return try composer(picture, metadata, beginsShot)
      }
      let own = metadata[kind]
      guard let activeArea, let fitted = own as? any FittedHDRMetadataKind else { return own }
      return try fitted.moved(by: activeArea)
    } catch {
      throw .metadataFailed("the \(Kind.item) of the frame: \(error)")
    }
  }
}

/// A kind of dynamic metadata that can be fitted to changed frames: areas in it are moved, or it is
/// computed from the frames.
protocol FittedHDRMetadataKind: DynamicHDRMetadataKind {
  /// Returns a function that computes values, or `nil` if the source's values are kept or the
  /// frames cannot be measured.
  ///
  /// - Parameters:
  ///   - frames: the output's frames.
  ///   - area: their active area.
  static func composer(
    _ plan: HDRMetadataPlan, _ frames: FrameDescription, _ area: ActiveArea
  ) -> MetadataComposer?

  /// Returns the value for a cropped frame.
  ///
  /// - Parameter area: how the active area moves.
  func moved(by area: ActiveArea) throws -> Self
}

/// Makes the metadata of a decoded frame.
///
/// - Parameter source: the metadata of its source frame.
typealias MetadataComposer = (
  _ picture: PixelBuffer, _ source: FrameMetadata, _ beginsShot: Bool
) throws -> any DynamicHDRMetadataKind

extension VideoCodec {
  /// The bitstream of the codec's encoders, if this package understands it.
  package var bitstream: (any CodedBitstream)? { CodecParameters.bitstream(named: rawValue) }
}
