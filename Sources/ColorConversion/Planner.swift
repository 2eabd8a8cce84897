internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Works out the steps of a plan.
struct Planner {
  let source: PictureDescription
  let target: PictureDescription
  let options: ConversionOptions
  var steps: [ConversionStep] = []

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
      && !limitsPeak
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
    steps.append(.toRGB(from))
    if !from.sameLight(as: to) || limitsPeak {
      steps.append(.toLinear(from.transferCharacteristics, as: options.sdrReading))
      try planLight(from, to)
      steps.append(.toSignal(to.transferCharacteristics, as: options.sdrReading))
    }
    steps.append(.fromRGB(to))
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
    guard SignalCoding(color) != nil else {
      throw refusal(
        "the matrix \(color.matrixCoefficients) is not supported with "
          + "\(color.transferCharacteristics)")
    }
    if color.matrixCoefficients == .identity && picture.format.chromaSubsampling != .cs444 {
      throw refusal("R'G'B' needs 4:4:4")
    }
    return color
  }

  func refusal(_ reason: String) -> ConversionRefusal {
    ConversionRefusal(source: source, target: target, reason: reason)
  }
}

extension ColorDescription {
  /// Whether primaries and transfer function mean the same, so that only the matrix can differ.
  func sameLight(as other: ColorDescription) -> Bool {
    colorPrimaries.meansTheSame(as: other.colorPrimaries)
      && transferCharacteristics.meansTheSame(as: other.transferCharacteristics)
  }
}

extension ChromaSubsampling {
  /// Whether there are fewer chroma samples than luma samples, but some.
  var isSubsampled: Bool { self == .cs420 || self == .cs422 }
}
