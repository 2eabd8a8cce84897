internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Why one kind of picture cannot be made from another; names both ends.
public struct ConversionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What there is.
  public let source: PictureDescription
  /// What is wanted.
  public let target: PictureDescription
  /// What stands in the way.
  public let reason: String

  /// The reason with both ends.
  public var description: String {
    "cannot convert \(source.signal.color) to \(target.signal.color): \(reason)"
  }
}

/// The steps from pictures of one meaning to pictures of another, in their order.
///
/// Two meanings are compared by their functions, not their numbers, and what either side leaves
/// unstated is no difference; reading a picture, an unstated range counts as limited and an
/// unstated chroma location as left.
public struct ConversionPlan: Hashable, Sendable {
  /// What there is.
  public let source: PictureDescription
  /// What is wanted.
  public let target: PictureDescription
  /// What is done, in order; empty where pixels stay as they are.
  public let steps: [ConversionStep]

  /// Plans a conversion.
  ///
  /// - Throws: ``ConversionRefusal`` where a function of either end is not known.
  public init(
    from source: PictureDescription, to target: PictureDescription,
    options: ConversionOptions = ConversionOptions()
  ) throws(ConversionRefusal) {
    self.source = source
    self.target = target
    var planner = Planner(source: source, target: target, options: options)
    steps = try planner.plan()
  }

  /// Whether pixels stay as they are.
  public var isIdentity: Bool { steps.isEmpty }

  /// Whether each component is converted by itself: its depth, range or layout alone.
  var isPlanewise: Bool {
    source.format.componentCount == target.format.componentCount
      && steps.allSatisfy { step in
        switch step {
        case .dequantize, .quantize: true
        default: false
        }
      }
  }

  /// How rounding is hidden.
  var dither: Dither {
    if case .quantize(_, _, let dither) = steps.last { dither } else { .none }
  }

  /// Whether code values stay as they are, and at most lie elsewhere in memory.
  public var keepsCodeValues: Bool {
    source.format.planar == target.format.planar && source.format.layout != .halfRGBA
      && target.format.layout != .halfRGBA
      && steps.allSatisfy { step in
        switch step {
        case .dequantize: true
        case .quantize(_, let isFull, let dither): isFull == source.isFullRange && dither == .none
        default: false
        }
      }
  }
}

/// Works out the steps of a plan.
private struct Planner {
  let source: PictureDescription
  let target: PictureDescription
  let options: ConversionOptions
  private var steps: [ConversionStep] = []

  init(source: PictureDescription, target: PictureDescription, options: ConversionOptions) {
    self.source = source
    self.target = target
    self.options = options
  }

  mutating func plan() throws(ConversionRefusal) -> [ConversionStep] {
    if target.isRGB && target.format.chromaSubsampling != .cs444 {
      throw refusal("R'G'B' needs 4:4:4")
    }
    // What is unstated is no difference, but whether samples are R'G'B' is never unstated.
    let sameColor =
      source.isRGB == target.isRGB && source.sampleColor.meansTheSame(as: target.sampleColor)
    let rangeDiffers =
      target.signal.videoFullRangeFlag.map { $0 != source.isFullRange } ?? false
    let siteDiffers = source.format.chromaSubsampling == .cs420 && resamplesSite
    let layoutDiffers = source.format != target.format
    guard !sameColor || rangeDiffers || siteDiffers || layoutDiffers else { return [] }
    let dither = ditherForTarget
    let isResampled =
      !sameColor || siteDiffers
      || source.format.chromaSubsampling != target.format.chromaSubsampling
    if isResampled && source.format.chromaSubsampling.isSubsampled {
      steps.append(.upsampleChroma(source.format.chromaSubsampling, source.chromaLocation))
    }
    steps.append(
      .dequantize(source.format, isFullRange: source.isFullRange))
    if !sameColor { try planColor() }
    if isResampled && target.format.chromaSubsampling.isSubsampled {
      steps.append(.downsampleChroma(target.format.chromaSubsampling, targetLocation))
    }
    steps.append(
      .quantize(
        target.format,
        isFullRange: target.signal.videoFullRangeFlag ?? source.isFullRange, dither))
    return steps
  }

  private var resamplesSite: Bool {
    target.format.chromaSubsampling == .cs420
      && target.signal.chromaLocation.map { $0 != source.chromaLocation } ?? false
  }

  /// Where the target's chroma samples lie: where it says, or else where the source's do.
  private var targetLocation: ChromaLocation {
    target.signal.chromaLocation ?? source.chromaLocation
  }

  private var ditherForTarget: Dither {
    guard target.format.layout != .halfRGBA else { return .none }
    let isReduced = target.format.bitDepth < source.format.bitDepth || target.format.bitDepth == 8
    return isReduced ? options.dither : .none
  }

  private mutating func planColor() throws(ConversionRefusal) {
    let from = try completed(source)
    let to = try completed(target)
    steps.append(.toRGB(from.matrixCoefficients, from.colorPrimaries))
    if !from.sameLight(as: to) {
      steps.append(.toLinear(from.transferCharacteristics, as: options.sdrReading))
      try planLight(from, to)
      steps.append(.toSignal(to.transferCharacteristics, as: options.sdrReading))
    }
    steps.append(.fromRGB(to.matrixCoefficients, to.colorPrimaries))
  }

  /// Everything between linear light of the source and linear light of the target.
  private mutating func planLight(
    _ from: ColorDescription, _ to: ColorDescription
  ) throws(ConversionRefusal) {
    let isFromHDR = from.transferCharacteristics.isHDR
    let isToHDR = to.transferCharacteristics.isHDR
    if isFromHDR { planDisplayLight(from) }
    let isToLinear = to.transferCharacteristics == .linear
    let white = options.hdrReferenceWhite
    if isFromHDR && isToLinear {
      steps.append(.scale(1 / white, reason: "\(Int(white)) cd/m² as 1"))
    } else if isFromHDR && !isToHDR {
      planToneMapping(from)
    } else if !isFromHDR && isToHDR {
      steps.append(.scale(white, reason: "SDR white at \(Int(white)) cd/m²"))
    }
    if !from.colorPrimaries.meansTheSame(as: to.colorPrimaries) {
      steps.append(.changePrimaries(from: from.colorPrimaries, to: to.colorPrimaries))
      if options.gamutMapping != .none && !isToHDR && !isToLinear {
        steps.append(.mapGamut(options.gamutMapping, to.colorPrimaries))
      }
    }
    if isToHDR { planSignalLight(to) }
  }

  /// Linear light of HDR, in its own unit, becomes display light in cd/m².
  private mutating func planDisplayLight(_ from: ColorDescription) {
    if from.transferCharacteristics == .hlg {
      steps.append(.hlgOOTF(peakLuminance: options.hlgPeakLuminance))
    } else {
      steps.append(.scale(PQ.peakLuminance, reason: "PQ as display light in cd/m²"))
    }
  }

  /// Display light in cd/m² becomes linear light of HDR, in its own unit.
  private mutating func planSignalLight(_ to: ColorDescription) {
    if to.transferCharacteristics == .hlg {
      steps.append(.inverseHLGOOTF(peakLuminance: options.hlgPeakLuminance))
    } else {
      steps.append(.scale(1 / PQ.peakLuminance, reason: "display light in cd/m² as PQ"))
    }
  }

  private mutating func planToneMapping(_ from: ColorDescription) {
    // HLG is anchored at 100 cd/m² and PQ at 203, after the article that the curve comes from;
    // without a curve, diffuse white is SDR white.
    let isHLG = from.transferCharacteristics == .hlg
    let white =
      options.toneMapping == .none ? options.hdrReferenceWhite : isHLG ? 100 : 203
    steps.append(.scale(1 / white, reason: "\(Int(white)) cd/m² as SDR white"))
    guard options.toneMapping != .none else { return }
    let peak = isHLG ? options.hlgPeakLuminance : pqPeak
    steps.append(.toneMap(MaxRGBReinhard(maxInput: peak / white, maxOutput: 1)))
  }

  /// The brightest light that a PQ source is said to have, where that is plausible.
  private var pqPeak: Double {
    let candidates = [
      source.contentLightLevel.map { Double($0.maxContentLightLevel) },
      source.masteringDisplay?.maximumLuminance,
    ]
    return candidates.lazy.compactMap { $0 }.first { (400...10_000).contains($0) } ?? 1000
  }

  /// A description whose three functions are known. What one end leaves open is as the other has
  /// it, so that it does not change.
  private func completed(
    _ picture: PictureDescription
  ) throws(ConversionRefusal) -> ColorDescription {
    let other = picture == source ? target.signal.color : source.signal.color
    var color = picture.sampleColor
    if !color.colorPrimaries.isSpecified { color.colorPrimaries = other.colorPrimaries }
    if !color.transferCharacteristics.isSpecified {
      color.transferCharacteristics = other.transferCharacteristics
    }
    if !color.matrixCoefficients.isSpecified {
      color.matrixCoefficients =
        other.matrixCoefficients == .identity ? .unspecified : other.matrixCoefficients
    }
    // What neither end states does not change; only a matrix is looked for then.
    if !color.colorPrimaries.isSpecified { color.colorPrimaries = .bt709 }
    if !color.transferCharacteristics.isSpecified { color.transferCharacteristics = .bt709 }
    if !color.matrixCoefficients.isSpecified {
      color.matrixCoefficients = color.colorPrimaries == .bt2020 ? .bt2020NonConstant : .bt709
    }
    guard RGBSpace(color.colorPrimaries) != nil else {
      throw refusal("the primaries \(color.colorPrimaries) are not known")
    }
    guard ComponentTransfer(color.transferCharacteristics) != nil else {
      throw refusal("the transfer function \(color.transferCharacteristics) is not known")
    }
    guard YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries) != nil else {
      throw refusal("the matrix \(color.matrixCoefficients) is not supported")
    }
    if color.matrixCoefficients == .identity && picture.format.chromaSubsampling != .cs444 {
      throw refusal("R'G'B' needs 4:4:4")
    }
    return color
  }

  private func refusal(_ reason: String) -> ConversionRefusal {
    ConversionRefusal(source: source, target: target, reason: reason)
  }
}

extension ColorDescription {
  /// Whether primaries and transfer function mean the same, so that only the matrix can differ.
  fileprivate func sameLight(as other: ColorDescription) -> Bool {
    colorPrimaries.meansTheSame(as: other.colorPrimaries)
      && transferCharacteristics.meansTheSame(as: other.transferCharacteristics)
  }
}

extension ChromaSubsampling {
  /// Whether there are fewer chroma samples than luma samples, but some.
  var isSubsampled: Bool { self == .cs420 || self == .cs422 }
}
