// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
package import ColorConversion
internal import ColorScience
internal import ColorTagging
package import MediaCore

/// The signal that frames should get. A part that is `nil` stays as in the source.
package struct RequestedSignal {
  /// Primaries, transfer function and matrix.
  package var color: ColorDescription?
  /// Whether frames may stay wide gamut or HDR if no color is requested. If they may not, they are
  /// converted to BT.709.
  var allowsWideColor: Bool
  /// `true` for full range, `false` for limited.
  package var videoFullRangeFlag: Bool?
  /// Chroma location of 4:2:0.
  var chromaLocation: ChromaLocation?

  package init(
    color: ColorDescription? = nil, allowsWideColor: Bool = true,
    videoFullRangeFlag: Bool? = nil, chromaLocation: ChromaLocation? = nil
  ) {
    self.color = color
    self.allowsWideColor = allowsWideColor
    self.videoFullRangeFlag = videoFullRangeFlag
    self.chromaLocation = chromaLocation
  }

  /// Returns the tagging rule that applies to a source. If no color is requested and frames with
  /// this subsampling cannot have the source's color, they get the nearest color that is possible.
  func decision(
    for source: ColorDescription, _ subsampling: ChromaSubsampling
  ) -> TaggingDecision {
    let wanted = color ?? (!allowsWideColor && source.isWideOrHDR ? .bt709 : nil)
    let carried = source.carried(by: subsampling)
    if wanted == nil, carried != source {
      return TaggingDecision(propagating: source, with: carried)
    }
    return TaggingDecision(source: source, colorProperties: wanted)
  }
}

/// The tags of the output, and the conversion from the source's signal.
package struct SignalPlan: Equatable, Sendable {
  /// The meaning of the source's signal, and which place was believed.
  package let tags: SourceTags
  /// Which tagging rule applies, and its result.
  let decision: TaggingDecision
  /// The conversion of color, range, depth and chroma. Its source is the decoded frames.
  package let conversion: ConversionPlan

  /// Plans the conversion of frames.
  ///
  /// - Parameters:
  ///   - format: depth, subsampling and layout of the result.
  ///   - measuredPeak: the brightest light in the frames, in cd/m², or `nil` if not measured.
  /// - Throws: `ConversionRefusal` if the conversion is impossible.
  package init(
    of facts: VideoFacts, tags: SourceTags, wanted: RequestedSignal, format: PixelFormat,
    options: ConversionOptions, measuredPeak: Double? = nil
  ) throws(ConversionRefusal) {
    self.tags = tags
    decision = wanted.decision(for: tags.signal.color, format.chromaSubsampling)
    var (source, target) = (tags.signal, tags.signal)
    source.color = decision.source
    target.color = decision.output
    // R'G'B' usually has full range. The Y'CbCr that is made from it has limited range, as players
    // expect.
    if facts.isRGB, target.color.matrixCoefficients != .identity {
      target.videoFullRangeFlag = false
    }
    if let range = wanted.videoFullRangeFlag { target.videoFullRangeFlag = range }
    // Only 4:2:0 declares a chroma location. In all other subsamplings, chroma samples coincide
    // with luma samples.
    target.chromaLocation =
      format.chromaSubsampling == .cs420 ? wanted.chromaLocation ?? source.chromaLocation : nil
    conversion = try ConversionPlan(
      from: FrameDescription(facts, signal: source),
      to: FrameDescription(signal: target, format: format), options: options,
      measuredPeak: measuredPeak)
  }
}

extension ColorDescription {
  /// Returns the nearest color that frames with a subsampling can have.
  func carried(by subsampling: ChromaSubsampling) -> ColorDescription {
    // R'G'B' cannot be subsampled. It becomes Y'CbCr with BT.709's matrix.
    guard matrixCoefficients == .identity, subsampling != .cs444 else { return self }
    var color = self
    color.matrixCoefficients = .bt709
    return color
  }

  /// Whether colors or light go beyond BT.709 and BT.601.
  var isWideOrHDR: Bool {
    transferCharacteristics.isHDR || colorPrimaries.isWideGamut
  }
}

extension FrameDescription {
  /// Describes a track's decoded frames.
  ///
  /// - Parameter signal: what the frames mean, decided from all places of the file.
  init(_ facts: VideoFacts, signal: SignalDescription) {
    self.init(
      signal: signal, format: facts.format, isInterlaced: facts.fieldOrder != .progressive)
    staticHDRMetadata = facts.hdrMetadata.staticMetadata
    toneMap = facts.hdrMetadata.frames[HeadroomAdaptiveGain.self]?.toneMap
  }
}

/// The author's tone maps of frames in presentation order. A frame without a tone map uses the tone
/// map of the previous frame.
struct AuthoredToneMaps {
  private var latest: (payload: [UInt8], toneMap: HeadroomAdaptiveToneMap)?

  /// - Returns: `nil` before the first frame that has a tone map, or if the plan does not follow
  ///   the author.
  mutating func next(
    _ metadata: FrameMetadata, _ plan: ConversionPlan
  ) -> HeadroomAdaptiveToneMap? {
    guard plan.followsAuthor else { return nil }
    // Frames usually repeat the bytes of the previous frame's metadata, so parse only new bytes.
    if let gain = metadata[HeadroomAdaptiveGain.self], gain.payload != latest?.payload,
      let toneMap = gain.toneMap
    {
      latest = (gain.payload, toneMap)
    }
    return latest?.toneMap
  }
}
