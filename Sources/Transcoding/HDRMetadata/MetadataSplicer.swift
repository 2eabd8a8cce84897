internal import DolbyVision
internal import MediaCore
internal import NALUnits
internal import VideoEncoders

/// An encoder whose samples carry HDR metadata: messages for all pictures beside the parameter sets,
/// and in each sample the Dolby Vision RPU of its picture as its last NAL unit.
///
/// x265's own inputs for these repeat stale RPUs, know no SEI 148, and can write beyond their memory
/// (3.5).
final class MetadataSplicer: VideoEncoder, @unchecked Sendable {
  // Sendable although it has state: one thread at a time uses an encoder.
  let parameterSets: [UInt8]
  var parameterReport: EncoderParameterReport { encoder.parameterReport }

  private let encoder: any VideoEncoder
  private let timescale: Int32
  private let carriesRPUs: Bool
  /// The RPUs of the pictures that the encoder holds, by their time in the encoder's ticks.
  private var pending: [Int64: [UInt8]] = [:]
  private var last: [UInt8]?

  /// - Parameter timescale: ticks a second of the encoder's times.
  init(_ encoder: any VideoEncoder, _ plan: HDRMetadataPlan, timescale: Int32) {
    self.encoder = encoder
    self.timescale = timescale
    carriesRPUs = plan.dolbyVision != nil
    parameterSets = encoder.parameterSets + plan.units.flatMap(\.annexB)
  }

  func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    if carriesRPUs {
      // Every picture needs one; of a damaged sample without, the one before is nearest.
      last = frame.pixelBuffer.attachments.dolbyVisionRPU ?? last
      pending[frame.presentationTime.converted(to: timescale).value] = last
    }
    return try encoder.encode(frame).map(splice)
  }

  func drain() throws(VideoEncoderError) -> [EncodedSample] { try encoder.drain().map(splice) }

  private func splice(_ sample: EncodedSample) -> EncodedSample {
    let time = sample.presentationTime.converted(to: timescale).value
    guard let rpu = pending.removeValue(forKey: time) else { return sample }
    var sample = sample
    sample.bytes += NALUnit(dolbyVisionRPU: rpu).annexB
    return sample
  }
}
