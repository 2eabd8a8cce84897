// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience

/// What conversions are defined to be: one pixel in double precision, written from the standards
/// and not from the planner's steps.
public enum Definition {
  /// Code values of a Y'CbCr pixel in another color, unrounded.
  public static func convert(
    _ codes: Triple, from source: ColorDescription, to target: ColorDescription, sourceDepth: Int,
    targetDepth: Int, isFullSource: Bool = false, isFullTarget: Bool = false
  ) throws -> Triple {
    let signal = decode(codes, source, sourceDepth, isFullSource)
    let light = displayLight(signal, source)
    let mapped = try mapped(light, source, target)
    let result = encode(mapped, target)
    return quantize(result, target, targetDepth, isFullTarget)
  }

  private static func decode(
    _ codes: Triple, _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> Triple {
    var signal = Triple.zero
    for index in 0..<3 {
      signal[index] = Quantization(isChroma: index > 0, isFullRange: isFull, bitDepth: depth)
        .signal(codes[index])
    }
    return YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries)!.toRGB * signal
  }

  private static func each(_ color: Triple, _ function: (Double) -> Double) -> Triple {
    Triple(function(color.x), function(color.y), function(color.z))
  }

  /// SDR in units of its white, HDR in cd/m².
  private static func displayLight(_ signal: Triple, _ color: ColorDescription) -> Triple {
    switch color.transferCharacteristics {
    case .hlg:
      return HLG.ootf(
        each(signal, HLG.inverseOETF), weights: RGBSpace(.bt2020)!.luminanceWeights,
        peakLuminance: 1000)
    case .pq: return each(signal, PQ.eotf)
    default:
      return each(signal, ComponentTransfer(color.transferCharacteristics)!.toLinear)
    }
  }

  private static func mapped(
    _ light: Triple, _ source: ColorDescription, _ target: ColorDescription
  ) throws -> Triple {
    let (from, to) = (source.transferCharacteristics, target.transferCharacteristics)
    var light = light
    if from.isHDR && !to.isHDR {
      let white = from == .hlg ? 100.0 : 203
      light = MaxRGBReinhard(maxInput: 1000 / white, maxOutput: 1).map(light / white)
    } else if !from.isHDR && to.isHDR {
      light *= 203
    }
    if source.colorPrimaries != target.colorPrimaries {
      let space = RGBSpace(target.colorPrimaries)!
      light = RGBSpace(source.colorPrimaries)!.matrix(to: space) * light
      if !to.isHDR { light = PerceptualGamut(weights: space.luminanceWeights).map(light) }
    }
    return light
  }

  private static func encode(_ light: Triple, _ color: ColorDescription) -> Triple {
    switch color.transferCharacteristics {
    case .hlg:
      return each(
        HLG.inverseOOTF(
          light, weights: RGBSpace(.bt2020)!.luminanceWeights, peakLuminance: 1000), HLG.oetf)
    case .pq: return each(light, PQ.inverseEOTF)
    default: return each(light, ComponentTransfer(color.transferCharacteristics)!.toSignal)
    }
  }

  private static func quantize(
    _ signal: Triple, _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> Triple {
    let matrix = YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries)!
    let components = matrix.fromRGB * signal
    var codes = Triple.zero
    for index in 0..<3 {
      let quantization = Quantization(isChroma: index > 0, isFullRange: isFull, bitDepth: depth)
      codes[index] = min(max(quantization.code(components[index]), 0), quantization.maximum)
    }
    return codes
  }
}
