// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import LibAV
package import MediaCore
internal import OBUs

/// Encodes AV1 with SVT-AV1 through FFmpeg's libavcodec.
package final class SVTAV1Encoder: EncoderLibrary {
  package static let name = "SVT-AV1"
  package static var version: String { VideoCompressor.svtAV1Version ?? "not built in" }

  /// The content of `av1C`.
  package let parameterSets: [UInt8]
  /// The requested parameters. The list of parameters in use is empty, because libavcodec does not
  /// report them.
  package let parameterReport: EncoderParameterReport

  private let compressor: VideoCompressor
  /// Decodes the encoded samples, or `nil` if samples are returned without their frames.
  private let decoder: VideoDecoder?
  private let timescale: Int32
  private let signal: SignalDescription
  private var pending = PendingDurations()
  /// Samples whose frames have not come out of the decoder yet.
  private var undecoded: [EncodedSample] = []

  /// Checks settings for everything that SVT-AV1 would refuse.
  ///
  /// - Throws: ``VideoEncoderError``, as opening an encoder does.
  package static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    try SVTAV1Parameters.check(settings)
    // SVT-AV1 is known to accept our own parameters. Only two things need a trial: the caller's
    // options, and key frames alone, which not all versions make at every kind of rate control.
    if !settings.options.isEmpty || settings.maxKeyFrameInterval == 1 {
      _ = try SVTAV1Encoder(settings)
    }
  }

  /// Opens an encoder.
  ///
  /// - Throws: ``VideoEncoderError`` for what SVT-AV1 lacks or refuses.
  package init(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    try SVTAV1Parameters.check(settings)
    let parameters = SVTAV1Parameters(settings)
    do throws(LibAVError) {
      compressor = try VideoCompressor(parameters.settings)
      decoder = settings.returnsDecodedFrames ? try compressor.makeDecoder() : nil
    } catch {
      throw Self.refusal(of: settings)
    }
    (timescale, signal) = (settings.timescale, settings.signal)
    var record = AV1ConfigurationRecord(compressor.configuration)
    // SVT-AV1 does not know all code points of H.273, so write the signal into the record here.
    record.replaceUnits { [signal] in $0.stating(signal) }
    parameterSets = record.bytes
    parameterReport = EncoderParameterReport(
      encoder: "\(Self.name) \(Self.version)", requested: parameters.requested, effective: [])
  }

  /// Returns an error that names the refused option, if it can be found. SVT-AV1 does not say which
  /// option it refuses, so each one is tried alone.
  private static func refusal(of settings: VideoEncoderSettings) -> VideoEncoderError {
    var trial = settings
    trial.options = [:]
    if case .averageBitRate = trial.rateControl, trial.maxKeyFrameInterval == 1, isRefused(trial) {
      return .keyFramesAloneUnavailable(encoder: "\(name) \(version)")
    }
    for (name, value) in settings.options.sorted(by: { $0.key < $1.key }) {
      trial.options = [name: value]
      if isRefused(trial) {
        return .invalidOption(encoder: Self.name, name: name, value: value)
      }
    }
    return .openFailed(encoder: name)
  }

  private static func isRefused(_ settings: VideoEncoderSettings) -> Bool {
    (try? VideoCompressor(SVTAV1Parameters(settings).settings)) == nil
  }

  /// Takes a frame and returns the samples that have become ready.
  package func encode(_ frame: VideoFrame) throws(VideoEncoderError) -> [EncodedSample] {
    _ = pending.add(frame, timescale: timescale)
    return try samples { () throws(LibAVError) in try compressor.encode(frame) }
  }

  /// Returns the samples that SVT-AV1 still holds.
  package func drain() throws(VideoEncoderError) -> [EncodedSample] {
    let samples = try samples { () throws(LibAVError) in try compressor.finish() }
    guard let decoder, !undecoded.isEmpty else { return samples }
    do throws(LibAVError) {
      try decoder.send(nil)
      let rest = try decoded(by: decoder)
      // If the decoder has returned too few frames, return the remaining samples without frames.
      defer { undecoded = [] }
      return samples + rest + undecoded
    } catch {
      throw .encodingFailed(encoder: Self.name, code: Int(error.code))
    }
  }

  private func samples(
    _ packets: () throws(LibAVError) -> [Packet]
  ) throws(VideoEncoderError) -> [EncodedSample] {
    do throws(LibAVError) {
      var result: [EncodedSample] = []
      for packet in try packets() {
        let sample = sample(packet)
        guard let decoder else {
          result.append(sample)
          continue
        }
        undecoded.append(sample)
        try decoder.send(packet)
        result += try decoded(by: decoder)
      }
      return result
    } catch {
      throw .encodingFailed(encoder: Self.name, code: Int(error.code))
    }
  }

  /// Returns samples with their frames. Each temporal unit shows one frame, so frames come in the
  /// order of the samples.
  private func decoded(by decoder: VideoDecoder) throws(LibAVError) -> [EncodedSample] {
    var samples: [EncodedSample] = []
    while !undecoded.isEmpty, let frame = try decoder.receive() {
      var sample = undecoded.removeFirst()
      sample.picture = frame.pixelBuffer
      samples.append(sample)
    }
    return samples
  }

  private func sample(_ packet: Packet) -> EncodedSample {
    let time = packet.presentationTimeStamp ?? .zero
    let units = OBU.split(packet.bytes).filter(\.belongsInSample).map { $0.stating(signal) }
    // Temporal units are in presentation order, so decode times are equal to presentation times.
    return EncodedSample(
      bytes: units.flatMap(\.bytes), presentationTimeStamp: time, decodeTimeStamp: time,
      duration: pending.take(time.converted(to: timescale).value),
      isSync: units.contains { $0.kind == .sequenceHeader })
  }
}
