// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Bitstreams
package import CodePoints
internal import ColorConversion
internal import ColorTagging
package import LibAV
internal import MediaCore
internal import Settings
package import VideoEncoders

/// Parts of the encoding stage that carry out a plan for frames.
extension EncodingPlan {
  package func makeEncoder() throws(VideoEncoderError) -> any VideoEncoder {
    let opened = try codec.encoder.init(encoder)
    guard let bitstream = codec.bitstream, bitstream.carriesHDRMetadata else { return opened }
    return MetadataSplicer(
      opened, bitstream, encoder, hdrMetadata, conversion.target, activeArea, lightMeter: lightMeter
    )
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
    let isInterlaced = self.encoder.fieldOrder != .progressive
    let sets =
      try codec.bitstream?.stating(vuiSignal, isInterlaced: isInterlaced, in: encoder.parameterSets)
    return trackFormat(parameterSets: sets ?? encoder.parameterSets)
  }

  /// - Parameter parameterSets: parameter sets of the track, which state the whole signal.
  package func trackFormat(parameterSets: [UInt8]) -> VideoTrackFormat {
    VideoTrackFormat(
      codecName: codec.rawValue, sampleEntry: codec.sampleEntry, size: encoder.size,
      sampleAspectRatio: encoder.sampleAspectRatio,
      parameterSets: parameterSets, timescale: encoder.timescale,
      frameRate: encoder.frameRate, language: pictures.language)
  }

  /// Signal that the output's VUI states.
  private var vuiSignal: SignalDescription {
    encoder.signal.inVUI(fallback: hdrMetadata.fallbackTransfer)
  }

  /// The encoder with its speed and its control of the amount of data, for people; those that it
  /// does not have are left out.
  var rateText: String {
    let library = codec.encoder
    let speed = library.speeds.isEmpty ? "" : " \(encoder.speed)"
    return library.name + speed + (library.rateFactors == nil ? "" : ", \(encoder.rateControl)")
  }

  /// Promise about the output's frames, for verification.
  package var promise: OutputPromise {
    OutputPromise(
      sampleEntry: codec.sampleEntry, bitstream: codec.bitstream, size: encoder.size,
      signal: encoder.signal,
      vuiSignal: vuiSignal)
  }
}

/// Promise about an output's frames: sample entry, size and signal.
package struct OutputPromise: Sendable {
  package let sampleEntry: FourCC
  /// The bitstream of the samples; nil where it is not understood.
  package let bitstream: (any CodedBitstream)?
  package let size: VideoDimensions
  /// Meaning of the frames, which boxes state.
  package let signal: SignalDescription
  /// Signal that their VUI states.
  package let vuiSignal: SignalDescription

  package init(
    sampleEntry: FourCC, bitstream: (any CodedBitstream)?, size: VideoDimensions,
    signal: SignalDescription,
    vuiSignal: SignalDescription
  ) {
    self.sampleEntry = sampleEntry
    self.bitstream = bitstream
    self.size = size
    self.signal = signal
    self.vuiSignal = vuiSignal
  }

  /// The transfer function that the VUI states; the frames' own where it has no number to state.
  var transfer: TransferCharacteristics {
    let own = signal.color.transferCharacteristics
    return own == own.numbered ? vuiSignal.color.transferCharacteristics : own
  }

  /// The signal whose gamma `gama` of a QuickTime movie states; nil where it has none.
  package var gamma: SignalDescription? {
    signal.color.transferCharacteristics.gamma == nil ? nil : signal
  }
}
