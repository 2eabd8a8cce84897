// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import NALUnits
package import VideoEncoders

/// An encoder whose samples carry HDR metadata: messages for all frames beside the parameter
/// sets, and in each sample the dynamic metadata of its frame.
///
/// x265's own inputs for these repeat stale RPUs, know no SEI 148, and can write beyond their
/// memory (3.5).
final class MetadataSplicer: VideoEncoder {
  let parameterSets: [UInt8]
  var parameterReport: EncoderParameterReport { encoder.parameterReport }

  private let encoder: any VideoEncoder
  private let bitstream: any CodedBitstream
  private let timescale: Int32
  /// The kinds of dynamic metadata that samples get.
  private let kinds: [any DynamicHDRMetadataKind.Type]
  /// Parts that compute metadata, by the keys of their kinds; frames keep their source's of others.
  private let composers: [String: MetadataComposer]
  /// Moves the active area of the source's metadata; nil where it stays.
  private let activeArea: ActiveArea?
  /// The order of fields that each frame states.
  private let fieldOrder: FieldOrder
  /// Measures light levels; nil where they are not wanted.
  private var lightMeter: ContentLightMeter?
  private var shots = ShotDetector()
  /// Metadata of frames that the encoder holds, by their time in the encoder's ticks.
  private var pending: [Int64: (metadata: FrameMetadata, beginsShot: Bool)] = [:]
  private var last = FrameMetadata()

  /// - Parameters:
  ///   - settings: the settings of the encoder.
  ///   - pictures: the frames that it gets.
  ///   - area: the active area of the output.
  ///   - lightMeter: nil where no light levels are measured.
  init(
    _ encoder: any VideoEncoder, _ bitstream: any CodedBitstream, _ settings: VideoEncoderSettings,
    _ plan: HDRMetadataPlan,
    _ pictures: PictureDescription, _ area: ActiveArea, lightMeter: ContentLightMeter?
  ) {
    (self.encoder, self.bitstream) = (encoder, bitstream)
    self.lightMeter = lightMeter
    (timescale, fieldOrder) = (settings.timescale, settings.fieldOrder)
    kinds = plan.dynamicKinds
    let composers = kinds.map { kind in
      (kind.key, (kind as? any FittedHDRMetadataKind.Type)?.composer(plan, pictures, area))
    }
    self.composers = Dictionary(uniqueKeysWithValues: composers).compactMapValues { $0 }
    activeArea = plan.movesActiveArea ? area : nil
    parameterSets = encoder.parameterSets + plan.units.flatMap(\.annexB)
  }

  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    if !kinds.isEmpty || lightMeter != nil {
      // For a damaged sample without what every frame needs, that of the one before is nearest.
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
        if let picture = sample.picture { lightMeter?.add(picture, source: metadata) }
        for kind in kinds {
          values += try [value(kind, of: metadata, beginsShot, sample.picture)].compactMap { $0 }
        }
      }
      sample.bytes = bitstream.splicing(values, fieldOrder, into: sample.bytes)
      sample.picture = nil
      result.append(sample)
    }
    return result
  }

  /// The value of a kind that a sample gets; nil for none.
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

/// A kind of dynamic HDR metadata that can be fitted to frames that are not the source's any more:
/// parts of a value move with them, or values are computed.
protocol FittedHDRMetadataKind: DynamicHDRMetadataKind {
  /// Part that computes values; nil where the source's are kept, or frames cannot be measured.
  ///
  /// - Parameters:
  ///   - pictures: the output's frames.
  ///   - area: the active area of them.
  static func composer(
    _ plan: HDRMetadataPlan, _ pictures: PictureDescription, _ area: ActiveArea
  ) -> MetadataComposer?

  /// The value of a frame that was cut.
  ///
  /// - Parameter area: the move of the active area.
  func moved(by area: ActiveArea) throws -> Self
}

/// Makes the metadata of a frame as it will be decoded.
///
/// - Parameter source: the metadata of the frame that it was made from.
typealias MetadataComposer = (
  _ picture: PixelBuffer, _ source: FrameMetadata, _ beginsShot: Bool
) throws -> any DynamicHDRMetadataKind

extension VideoCodec {
  /// The bitstream that encoders of the codec give; nil where it is not understood.
  package var bitstream: (any CodedBitstream)? { CodecParameters.bitstream(named: rawValue) }
}
