// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
package import ColorConversion
internal import ColorTagging
package import MediaCore

/// Signal that frames are to have; a part that is nil stays as in the source.
package struct WantedSignal {
  /// Primaries, transfer function and matrix.
  package var color: ColorDescription?
  /// True if frames without a wanted color may be wide or HDR; they become BT.709 otherwise.
  var allowsWideColor: Bool
  /// True if samples take the full range.
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

  /// The rule of tagging that applies to a source, with what follows from a subsampling that cannot
  /// carry the source's color.
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

/// Plan from the meaning of a source's frames to the wanted one: the tags, and the conversion.
package struct SignalPlan: Equatable, Sendable {
  /// Meaning of the source's signal, and the place that states it.
  package let tags: SourceTags
  /// The rule of tagging that applies, and the tags.
  let decision: TaggingDecision
  /// Conversion of color, range, depth and chroma. Its source is the frames as they are decoded.
  package let conversion: ConversionPlan

  /// Plans the conversion of frames.
  ///
  /// - Parameters:
  ///   - format: depth, subsampling and layout of the result.
  ///   - options: the options of a conversion.
  ///   - measuredPeak: the brightest light that pictures show, in cd/m²; nil where none was looked
  ///     at.
  /// - Throws: `ConversionRefusal` for what cannot be converted.
  package init(
    of facts: VideoFacts, tags: SourceTags, wanted: WantedSignal, format: PixelFormat,
    options: ConversionOptions, measuredPeak: Double? = nil
  ) throws(ConversionRefusal) {
    self.tags = tags
    decision = wanted.decision(for: tags.signal.color, format.chromaSubsampling)
    var (source, target) = (tags.signal, tags.signal)
    source.color = decision.source
    target.color = decision.output
    // The full range of R'G'B' says nothing of the Y'CbCr that is made of it.
    if facts.isRGB, target.color.matrixCoefficients != .identity {
      target.videoFullRangeFlag = false
    }
    if let range = wanted.videoFullRangeFlag { target.videoFullRangeFlag = range }
    // Of other subsamplings it is never stated: their chroma samples lie on luma samples.
    target.chromaLocation =
      format.chromaSubsampling == .cs420 ? wanted.chromaLocation ?? source.chromaLocation : nil
    conversion = try ConversionPlan(
      from: PictureDescription(facts, signal: source),
      to: PictureDescription(signal: target, format: format), options: options,
      measuredPeak: measuredPeak)
  }
}

extension ColorDescription {
  /// The nearest color that frames with a subsampling can have: R'G'B' cannot be subsampled, and
  /// becomes Y'CbCr by BT.709's matrix.
  func carried(by subsampling: ChromaSubsampling) -> ColorDescription {
    guard matrixCoefficients == .identity, subsampling != .cs444 else { return self }
    var color = self
    color.matrixCoefficients = .bt709
    return color
  }

  /// True if colors or light go beyond BT.709 and BT.601.
  var isWideOrHDR: Bool {
    transferCharacteristics.isHDR || colorPrimaries.isWideGamut
  }
}

extension PictureDescription {
  /// A track's frames as they are decoded.
  ///
  /// - Parameter signal: their meaning, after all was weighed.
  fileprivate init(_ facts: VideoFacts, signal: SignalDescription) {
    self.init(
      signal: signal, format: facts.format, isInterlaced: facts.fieldOrder != .progressive)
    staticHDRMetadata = facts.hdrMetadata.staticMetadata
  }
}
