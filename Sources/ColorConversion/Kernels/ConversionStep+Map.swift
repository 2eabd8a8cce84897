internal import CodePoints
internal import ColorScience
internal import RowOperations

extension ConversionStep {
  /// The peaks of a step that is done by a table; nil for others.
  var tablePeaks: SampledCube.Peaks? {
    switch self {
    case .toneMap(.curve(let map), _) where map.norm != .ictcp: nil
    // Saturated colors can leave the target's range; a gamut mapping follows.
    case .toneMap(let tone, _): (tone.sourcePeak, 4 * tone.targetPeak)
    case .inverseToneMap(let tone, _): (tone.targetPeak, tone.sourcePeak)
    default: nil
    }
  }

  /// A color after the step, in double precision: what the step is defined to do. Steps on samples
  /// leave it as it is.
  func map(_ color: Triple) -> Triple {
    switch self {
    case .toLinear(let transfer, let reading):
      ComponentTransfer(transfer, as: reading).map { color.componentwise($0.toLinear) } ?? color
    case .toSignal(let transfer, let reading):
      ComponentTransfer(transfer, as: reading).map { color.componentwise($0.toSignal) } ?? color
    case .hlgOOTF(let primaries, let peak, let surround):
      HLG.ootf(
        color, weights: primaries.luminanceWeights, peakLuminance: peak, surround: surround)
    case .inverseHLGOOTF(let primaries, let peak):
      HLG.inverseOOTF(color, weights: primaries.luminanceWeights, peakLuminance: peak)
    case .scale(let factor, _): color * factor
    case .toneMap(let tone, _): tone.map(color)
    case .inverseToneMap(let tone, _): tone.inverse(color)
    case .changePrimaries(let from, let to): from.matrix(to: to) * color
    case .mapGamut(let map, _): map.map(color)
    default: color
    }
  }
}

extension ColorPrimaries {
  /// The contributions of R, G and B to luminance.
  var luminanceWeights: Triple { RGBSpace(self)?.luminanceWeights ?? Triple(0, 1, 0) }

  /// The matrix from linear R, G, B to those of other primaries.
  func matrix(to other: ColorPrimaries) -> Matrix3x3 {
    guard let old = RGBSpace(self), let new = RGBSpace(other) else { return .identity }
    return old.matrix(to: new)
  }
}
