// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
internal import DolbyVision
internal import MediaCore
internal import NALUnits
internal import VideoEncoders

/// An encoder whose samples carry HDR metadata: messages for all frames beside the parameter
/// sets, and in each sample the Dolby Vision RPU of its frame as its last NAL unit.
///
/// x265's own inputs for these repeat stale RPUs, know no SEI 148, and can write beyond their
/// memory (3.5).
final class MetadataSplicer: VideoEncoder {
  let parameterSets: [UInt8]
  var parameterReport: EncoderParameterReport { encoder.parameterReport }

  private let encoder: any VideoEncoder
  private let timescale: Int32
  private let carriesRPUs: Bool
  private let carriesHDR10Plus: Bool
  /// Computes RPUs; nil where frames keep their source's.
  private let composer: RPUComposer?
  /// Moves the active area of the source's RPUs; nil where it stays.
  private let activeArea: ActiveArea?
  /// The order of fields that each frame states.
  private let fieldOrder: FieldOrder
  /// Measures light levels; nil where they are not wanted.
  private var lightMeter: ContentLightMeter?
  private var shots = ShotDetector()
  /// Metadata of frames that the encoder holds, by their time in the encoder's ticks.
  private var pending: [Int64: Pending] = [:]
  private var last: [UInt8]?

  private struct Pending {
    let source: [UInt8]?
    let hdr10Plus: [UInt8]?
    let beginsShot: Bool
  }

  /// - Parameters:
  ///   - composer: nil where frames keep their source's RPUs.
  ///   - activeArea: the move of the active area of the source's RPUs; nil where it stays.
  ///   - lightMeter: nil where no light levels are measured.
  ///   - timescale: ticks a second of the encoder's times.
  init(
    _ encoder: any VideoEncoder, _ plan: HDRMetadataPlan, composer: RPUComposer?,
    activeArea: ActiveArea? = nil, lightMeter: ContentLightMeter?, timescale: Int32,
    fieldOrder: FieldOrder = .progressive
  ) {
    self.fieldOrder = fieldOrder
    self.encoder = encoder
    self.timescale = timescale
    self.composer = composer
    self.activeArea = activeArea
    self.lightMeter = lightMeter
    carriesRPUs = plan.dolbyVision != nil
    carriesHDR10Plus = plan.carriesHDR10Plus
    parameterSets = encoder.parameterSets + plan.units.flatMap(\.annexB)
  }

  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    if carriesRPUs || carriesHDR10Plus || lightMeter != nil {
      // Every frame needs one; of a damaged sample without, the one before is nearest.
      last = frame.sourceRPU ?? frame.pixelBuffer.attachments.dolbyVisionRPU ?? last
      pending[frame.presentationTime.converted(to: timescale).value] = Pending(
        source: last, hdr10Plus: carriesHDR10Plus ? frame.sourceHDR10Plus : nil,
        beginsShot: composer == nil ? false : shots.beginsShot(frame.pixelBuffer))
    }
    return try splice(encoder.encode(frame))
  }

  func follow(_ frame: VideoFrame) throws(VideoEncoderError) {
    try encoder.follow(frame)
    last = frame.sourceRPU ?? frame.pixelBuffer.attachments.dolbyVisionRPU
    if composer != nil { _ = shots.beginsShot(frame.pixelBuffer) }
  }

  var contentLightLevel: ContentLightLevel? { lightMeter?.contentLightLevel }

  func drain() throws(VideoEncoderError) -> [EncodedSample] { try splice(encoder.drain()) }

  private func splice(_ samples: [EncodedSample]) throws(VideoEncoderError) -> [EncodedSample] {
    var result: [EncodedSample] = []
    for var sample in samples {
      sample.bytes = fieldMessage(of: sample) + sample.bytes
      let time = sample.presentationTime.converted(to: timescale).value
      if let frame = pending.removeValue(forKey: time) {
        if let payload = frame.hdr10Plus {
          let message = SEIMessage(hdr10Plus: payload)
          sample.bytes = NALUnit(hevcPrefixSEI: [message]).annexB + sample.bytes
        }
        if let picture = sample.picture { lightMeter?.add(picture, source: frame.source) }
        if carriesRPUs, let rpu = try rpu(of: frame, sample) {
          sample.bytes += NALUnit(dolbyVisionRPU: rpu).annexB
        }
      }
      sample.picture = nil
      result.append(sample)
    }
    return result
  }

  /// The message that states the order of fields; nothing for whole frames, and where the encoder
  /// wrote one.
  private func fieldMessage(of sample: EncodedSample) -> [UInt8] {
    guard fieldOrder != .progressive else { return [] }
    let isStated = NALUnit.split(annexB: sample.bytes, .hevc).contains { unit in
      unit.type.isSEI && SEIMessage.messages(in: unit).contains(where: \.isPictureTiming)
    }
    let message = SEIMessage.fields(isTopFirst: fieldOrder == .topFirst)
    return isStated ? [] : NALUnit(hevcPrefixSEI: [message]).annexB
  }

  private func rpu(
    of frame: Pending, _ sample: EncodedSample
  ) throws(VideoEncoderError) -> [UInt8]? {
    do throws(DolbyVisionError) {
      guard let composer, let picture = sample.picture else {
        return try activeArea?.moved(in: frame.source) ?? frame.source
      }
      return try composer.rpu(
        of: picture, source: frame.source, beginsShot: frame.beginsShot)
    } catch {
      throw .metadataFailed("the Dolby Vision RPU of the frame: \(error)")
    }
  }
}
