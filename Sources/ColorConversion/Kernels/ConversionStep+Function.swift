// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience

extension ConversionStep {
  /// The definition of the step: a function of one color, in double precision. `nil` for steps that
  /// work on samples.
  var function: (@Sendable (Triple) -> Triple)? {
    switch self {
    case .reshape(let reshaping, let middle):
      return { reshaping.light(of: $0 + [0, middle, middle], middle: middle) }
    case .toRGB(let color):
      guard let coding = SignalCoding(color) else { return nil }
      return { coding.toRGB($0) }
    case .fromRGB(let color):
      guard let coding = SignalCoding(color) else { return nil }
      return { coding.fromRGB($0) }
    case .toLinear(let transfer, let reading):
      guard let transfer = ComponentTransfer(transfer, as: reading) else { return nil }
      return { $0.componentwise(transfer.toLinear) }
    case .toSignal(let transfer, let reading):
      guard let transfer = ComponentTransfer(transfer, as: reading) else { return nil }
      return { $0.componentwise(transfer.toSignal) }
    case .upsampleChroma, .dequantize, .downsampleChroma, .quantize: return nil
    default: return lightFunction
    }
  }

  private var lightFunction: (@Sendable (Triple) -> Triple)? {
    switch self {
    case .ootf(let system, let primaries, let peak, let surround):
      let weights = primaries.luminanceWeights
      return { system.ootf($0, weights: weights, peak: peak, surround: surround) }
    case .inverseOOTF(let system, let primaries, let peak):
      let weights = primaries.luminanceWeights
      return { system.inverseOOTF($0, weights: weights, peak: peak) }
    case .scale(let factor, _): return { $0 * factor }
    case .toneMap(let tone, _): return { tone.map($0) }
    case .inverseToneMap(let tone, _): return { tone.inverse($0) }
    case .changePrimaries(let from, let to):
      let matrix = from.matrix(to: to)
      return { matrix * $0 }
    case .mapGamut(let map, _): return { map.map($0) }
    case .lightToICtCp(let coding):
      return {
        // This does not go through R'G'B', which would cut off negative components.
        coding.lmsToICtCp * (ICtCp.rgbToLMS * $0).componentwise(coding.transfer.toSignal)
      }
    default: return nil
    }
  }
}

extension ColorPrimaries {
  /// How much R, G and B contribute to luminance.
  var luminanceWeights: Triple { RGBSpace(self)?.luminanceWeights ?? Triple(0, 1, 0) }

  /// Returns the matrix from linear R, G, B to linear R, G, B of other primaries.
  func matrix(to other: ColorPrimaries) -> Matrix3x3 {
    guard let old = RGBSpace(self), let new = RGBSpace(other) else { return .identity }
    return old.matrix(to: new)
  }
}
