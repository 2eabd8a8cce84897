// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Works out the steps of a plan.
struct Planner {
  let source: FrameDescription
  let target: FrameDescription
  let options: ConversionOptions
  /// The brightest light in the source's frames, in cd/m², or `nil` if it was not measured.
  let measuredPeak: Double?
  var steps: [ConversionStep] = []

  mutating func plan() throws(ConversionRefusal) -> [ConversionStep] {
    if target.isRGB && target.format.chromaSubsampling != .cs444 {
      throw refusal("R'G'B' needs 4:4:4")
    }
    guard !hasSameColor || rangeDiffers || siteDiffers || source.format != target.format else {
      return []
    }
    let (old, new) = (source.format.chromaSubsampling, target.format.chromaSubsampling)
    let isResampled = !hasSameColor || siteDiffers || old != new
    // Conversion of color mixes the components of a pixel, so each luma sample needs its own chroma
    // first.
    if isResampled && old.isSubsampled {
      steps.append(.upsampleChroma(old, source.chromaLocation, inFields: hasFields(old)))
    }
    steps.append(.dequantize(source.format, isFullRange: source.isFullRange))
    if !hasSameColor { try planColor() }
    if isResampled && new.isSubsampled {
      let location = target.chromaLocation(madeFrom: source)
      steps.append(.downsampleChroma(new, location, inFields: hasFields(new)))
    }
    let isFull = target.isFullRange(madeFrom: source)
    steps.append(.quantize(target.format, isFullRange: isFull, ditherForTarget))
    return steps
  }

  /// Whether colors need no conversion. Parts that are not declared do not count.
  private var hasSameColor: Bool {
    // `meansTheSame` ignores a matrix that is not declared. But it is always known whether samples
    // are R'G'B' or Y'CbCr, and these two never mean the same.
    source.isRGB == target.isRGB && source.sampleColor.meansTheSame(as: target.sampleColor)
      && !limitsPeak && !source.needsReshaping
  }

  private var rangeDiffers: Bool {
    target.isFullRange(madeFrom: source) != source.isFullRange
  }

  /// Whether chroma samples would have to move although the subsampling stays the same.
  private var siteDiffers: Bool {
    let (old, new) = (source.chromaLocation, target.chromaLocation(madeFrom: source))
    guard source.format.chromaSubsampling == target.format.chromaSubsampling else { return false }
    switch target.format.chromaSubsampling {
    case .cs420: return old != new
    case .cs422: return old.isCositedHorizontally != new.isCositedHorizontally
    default: return false
    }
  }

  /// Whether chroma rows alternate between the two fields.
  private func hasFields(_ subsampling: ChromaSubsampling) -> Bool {
    // In 4:2:2 and 4:4:4 every row has its own chroma, so fields make no difference.
    source.isInterlaced && subsampling == .cs420
  }

  private var ditherForTarget: ConversionOptions.Dither {
    guard target.format.layout != .halfRGBA else { return .none }
    // Eight bits from eight are dithered, too, because a conversion makes numbers between the
    // codes.
    let isReduced = target.format.bitDepth < source.format.bitDepth || target.format.bitDepth == 8
    return isReduced ? options.dither : .none
  }

  private mutating func planColor() throws(ConversionRefusal) {
    let from = try completed(source)
    let to = try completed(target)
    // If only the matrix differs, R'G'B' is enough, and going through light would only add rounding
    // errors.
    let changesLight = !from.sameLight(as: to) || limitsPeak
    if source.needsReshaping {
      steps.append(.reshape(.ipt, middle: source.chromaMiddle))
    } else {
      steps.append(.toRGB(from))
      if changesLight {
        steps.append(.toLinear(from.transferCharacteristics, as: options.sdrReading))
      }
    }
    if changesLight { try planLight(from, to) }
    if changesLight || source.needsReshaping {
      steps.append(.toSignal(to.transferCharacteristics, as: options.sdrReading))
    }
    steps.append(.fromRGB(to))
  }

  /// Returns the color of the source or the target, with missing parts taken from the other one.
  /// The primaries, transfer function and matrix of the result must be supported.
  private func completed(
    _ picture: FrameDescription
  ) throws(ConversionRefusal) -> ColorDescription {
    // A part that only one of source and target declares counts for both, so that it does not
    // change.
    let other = picture == source ? target : source
    let color = picture.sampleColor.completed(from: other.signal.color)
    guard RGBSpace(color.colorPrimaries) != nil else {
      throw refusal("the primaries \(color.colorPrimaries) are not known")
    }
    guard ComponentTransfer(color.transferCharacteristics) != nil else {
      throw refusal("the transfer function \(color.transferCharacteristics) is unknown")
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
  /// Whether there are chroma samples, but fewer than luma samples.
  var isSubsampled: Bool { self == .cs420 || self == .cs422 }
}
