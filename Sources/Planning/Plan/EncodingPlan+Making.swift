// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Bitstreams
package import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import Host
package import LibAV
package import MediaCore
internal import Settings
internal import Shots
package import VideoEncoders

/// Makes the parts that carry out an encoding plan.
extension EncodingPlan {
  package func makeEncoder() throws(VideoEncoderError) -> any VideoEncoder {
    let opened = try codec.encoder.init(encoder)
    guard let bitstream = codec.bitstream, bitstream.carriesHDRMetadata else { return opened }
    return MetadataSplicer(
      opened, bitstream, encoder, hdrMetadata, light, activeArea, gain: gain)
  }

  /// Returns the headroom-adaptive gain curves of the frame that is presented at a time of the
  /// track's media timeline. The curves are derived from the light of the frame's shot. `nil` if no
  /// curves are wanted.
  private var gain: (@Sendable (MediaTime) -> HeadroomAdaptiveGain)? {
    guard hdrMetadata.measuresHeadroom else { return nil }
    let peak = settings.conversion.hlgPeakLuminance
    return { time in
      let brightest = shots?.brightest(at: time) ?? 0
      return HeadroomAdaptiveGain(
        forBrightest: conversion.targetLuminance(of: brightest, hlgPeakLuminance: peak))
    }
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if gain curves are to be derived from
  ///   light that cannot be measured before frames are encoded.
  func refuseUnmeasurableHeadroom() throws {
    let source = conversion.source
    let isMeasurable =
      frameSource.composition == nil && source.format.layout == .planar
      && LightMeter(source, size: frameSource.facts.size) != nil
    guard hdrMetadata.measuresHeadroom, !isMeasurable else { return }
    let reason =
      frameSource.composition == nil
      ? "they are \(source.signal.color), \(source.format)" : "they are composed from other frames"
    throw TranscodingError(
      .unusableInput,
      "\(frameSource.name): \(HeadroomAdaptiveGain.name) needs the light of the frames, which "
        + "cannot be measured before they are encoded: \(reason)")
  }

  private var light: FrameLight {
    FrameLight(
      hdrMetadata, encodedFrames, activeArea,
      hlgPeakLuminance: settings.conversion.hlgPeakLuminance)
  }

  /// The frames that the encoder gets. They may be interlaced.
  private var encodedFrames: FrameDescription {
    var frames = conversion.target
    frames.isInterlaced = encoder.fieldOrder != .progressive
    return frames
  }

  private var activeArea: ActiveArea {
    ActiveArea(
      composition: frameSource.composition, scaling: geometry.scaling,
      sourceSize: frameSource.facts.size,
      size: encoder.size)
  }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the settings ask for metadata that
  ///   the output cannot have, or that cannot be measured in its frames.
  func refuseImpossibleHDRMetadata() throws {
    try settings.refuseHDRMetadata(of: signal.decision.output)
    let mode = settings.hdrMetadata.dolbyVision
    if mode.transferCharacteristics != nil, hdrMetadata.dolbyVision == nil {
      throw SettingsReader.error(
        VideoSettings.dolbyVisionKey,
        "is '\(mode.rawValue)', which needs BT.2020 in 10 bits, 4:2:0 and limited range, and a "
          + "size and rate that a level of Dolby Vision allows")
    }
    guard hdrMetadata.measuresContentLightLevel, !light.measuresLuminance else { return }
    throw SettingsReader.error(
      VideoSettings.contentLightLevelKey,
      "is 'measure', which needs a matrix that converts to R'G'B' (such as 0 or 9), not "
        + "\(signal.decision.output.matrixCoefficients)")
  }

  /// Returns the description of the encoded track for the muxer.
  package func trackFormat(of encoder: any VideoEncoder) throws -> VideoTrackFormat {
    let isInterlaced = self.encoder.fieldOrder != .progressive
    // Encoders know fewer code points than H.273 has, and x264 does not write a chroma location of
    // 0. So the VUI is rewritten before anybody reads it.
    let sets =
      try codec.bitstream?.stating(vuiSignal, isInterlaced: isInterlaced, in: encoder.parameterSets)
    return trackFormat(parameterSets: sets ?? encoder.parameterSets)
  }

  /// - Parameter parameterSets: the parameter sets of the track, which declare the whole signal.
  package func trackFormat(parameterSets: [UInt8]) -> VideoTrackFormat {
    VideoTrackFormat(
      codecName: codec.rawValue, sampleEntry: codec.sampleEntry, size: encoder.size,
      sampleAspectRatio: encoder.sampleAspectRatio,
      parameterSets: parameterSets, timescale: encoder.timescale,
      frameRate: encoder.frameRate, language: frameSource.language)
  }

  /// The signal in the output's VUI.
  private var vuiSignal: SignalDescription {
    let signal = encoder.signal.inVUI(fallback: hdrMetadata.fallbackTransfer)
    return codec.bitstream?.declared(signal) ?? signal
  }

  /// The encoder as text, with its speed and its rate control if it has them.
  var rateText: String {
    let library = codec.encoder
    let speed = library.speeds.isEmpty ? "" : " \(encoder.speed)"
    return library.name + speed + (library.rateFactors == nil ? "" : ", \(encoder.rateControl)")
  }

  /// The promise that the output's frames are verified against.
  package var promise: OutputPromise {
    OutputPromise(
      sampleEntry: codec.sampleEntry, bitstream: codec.bitstream, size: encoder.size,
      signal: encoder.signal,
      vuiSignal: vuiSignal)
  }
}

/// What is promised about an output's frames.
package struct OutputPromise: Sendable {
  package let sampleEntry: FourCC
  /// The bitstream of the samples, if this package understands it.
  package let bitstream: (any CodedBitstream)?
  package let size: VideoDimensions
  /// The signal as boxes declare it.
  package let signal: SignalDescription
  /// The signal as the VUI declares it.
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

  /// The transfer function that the VUI declares, or the frames' own transfer function if H.273 has
  /// no number for it.
  var transfer: TransferCharacteristics {
    // A gamma that has no number in H.273 is 2 (unspecified) in the VUI, which would look as if
    // nothing were promised.
    let own = signal.color.transferCharacteristics
    return own == own.numbered ? vuiSignal.color.transferCharacteristics : own
  }

  /// Returns the facts that the output will state about its frames.
  package func facts(_ shape: FrameShape, in container: FileType) -> [Fact] {
    var facts = [
      Fact(.sampleEntry, "\(sampleEntry)"), Fact(size: size),
      Fact(.containerColor, signal.numbered),
    ]
    if bitstream != nil { facts.append(Fact(.bitstreamColor, vuiSignal.numbered)) }
    if let order = Fact(containerFieldOrder: shape.fieldOrder) { facts.append(order) }
    if let aperture = shape.cleanAperture { facts.append(Fact(cleanAperture: aperture)) }
    // A transfer function without a number in H.273 is stated in `gama`, which only QuickTime has.
    if container.statesGamma, signal.color.transferCharacteristics.gamma != nil {
      facts.append(Fact(.gammaColor, signal.gammaAlone))
    }
    return facts
  }
}

extension SignalDescription {
  /// The signal for places that can contain only numbers of H.273.
  fileprivate var numbered: SignalDescription {
    var signal = self
    signal.color = color.numbered
    return signal
  }

  /// The transfer function alone, as `gama` states it.
  fileprivate var gammaAlone: SignalDescription {
    SignalDescription(
      color: ColorDescription(.unspecified, color.transferCharacteristics, .unspecified))
  }
}
