// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import Bitstreams
package import CodePoints
internal import ColorConversion
internal import ColorTagging
package import LibAV
internal import MediaCore
internal import NALUnits
internal import Settings
package import VideoEncoders

/// Parts of the encoding stage that carry out a plan for frames.
extension EncodingPlan {
  package func makeEncoder() throws(VideoEncoderError) -> any VideoEncoder {
    let opened = try codec.encoder.init(encoder)
    guard codec.nalCodec?.carriesHDRMetadata == true else { return opened }
    return MetadataSplicer(
      opened, encoder, hdrMetadata, conversion.target, activeArea, lightMeter: lightMeter)
  }

  /// Part that measures light levels; nil where they are not wanted.
  private var lightMeter: ContentLightMeter? {
    guard hdrMetadata.measuresContentLightLevel else { return nil }
    return ContentLightMeter(
      conversion.target, activeArea, peakLuminance: settings.conversion.hlgPeakLuminance)
  }

  private var activeArea: ActiveArea {
    ActiveArea(
      composition: pictures.composition, scaling: geometry.scaling,
      sourceSize: pictures.facts.size,
      size: encoder.size)
  }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where light levels are to be measured
  ///   of an output that has none, or none that can be measured.
  func refuseImpossibleMeasurement() throws {
    try settings.refuseMeasuring(signal.decision.output)
    guard hdrMetadata.measuresContentLightLevel, lightMeter == nil else { return }
    throw SettingsReader.error(
      VideoSettings.contentLightLevelKey,
      "is 'measure', which needs a matrix of R'G'B' (0, 9 and others): not "
        + "\(signal.decision.output.matrixCoefficients)")
  }

  /// Returns the description of the encoded frames for the muxer.
  package func trackFormat(of encoder: any VideoEncoder) throws -> VideoTrackFormat {
    trackFormat(parameterSets: try parameterSets(encoder.parameterSets))
  }

  /// - Parameter parameterSets: parameter sets of the track, which state the whole signal.
  package func trackFormat(parameterSets: [UInt8]) -> VideoTrackFormat {
    VideoTrackFormat(
      codecName: codec.rawValue, sampleEntry: codec.sampleEntry, size: encoder.size,
      sampleAspectRatio: encoder.sampleAspectRatio,
      parameterSets: parameterSets, timescale: encoder.timescale,
      frameRate: encoder.frameRate, language: pictures.language)
  }

  /// An encoder's parameter sets, made to state the whole signal: encoders know fewer code points
  /// than H.273 has, and x264 does not state a chroma location of 0.
  private func parameterSets(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let nalCodec = codec.nalCodec else { return bytes }
    let hasFields = encoder.fieldOrder != .progressive
    return try NALUnit.split(annexB: bytes, nalCodec).flatMap { unit -> [UInt8] in
      let unit = hasFields ? unit.ofInterlacedSource : unit
      guard case .sequenceParameterSet = TagCarrier(unit) else {
        return unit.annexB
      }
      let stated = try SequenceParameterSet.retagging(unit) { $0 = vuiSignal }
      return stated.annexB
    }
  }

  /// Signal that the output's VUI states.
  private var vuiSignal: SignalDescription {
    encoder.signal.inVUI(fallback: hdrMetadata.fallbackTransfer)
  }

  /// Promise about the output's frames, for verification.
  package var promise: OutputPromise {
    OutputPromise(
      sampleEntry: codec.sampleEntry, nalCodec: codec.nalCodec, size: encoder.size,
      signal: encoder.signal,
      vuiSignal: vuiSignal)
  }
}

/// Promise about an output's frames: sample entry, size and signal.
package struct OutputPromise: Sendable {
  package let sampleEntry: FourCC
  /// The kind of NAL units that samples are made of; nil for others.
  package let nalCodec: NALCodec?
  package let size: VideoDimensions
  /// Meaning of the frames, which boxes state.
  package let signal: SignalDescription
  /// Signal that their VUI states.
  package let vuiSignal: SignalDescription

  package init(
    sampleEntry: FourCC, nalCodec: NALCodec?, size: VideoDimensions, signal: SignalDescription,
    vuiSignal: SignalDescription
  ) {
    self.sampleEntry = sampleEntry
    self.nalCodec = nalCodec
    self.size = size
    self.signal = signal
    self.vuiSignal = vuiSignal
  }

  /// The signal whose gamma `gama` of a QuickTime movie states; nil where it has none.
  package var gamma: SignalDescription? {
    signal.color.transferCharacteristics.gamma == nil ? nil : signal
  }
}
