// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience

/// What conversions are defined to be: one pixel in double precision, without the planner's steps
/// and without kernels.
///
/// Curves, matrices and quantization are the standards', as `ColorScience` has them. What no
/// standard says is the planner's policy, and stands here a second time: a white of 203 cd/m², a
/// spline as the tone curve with the blended norm, compression of the gamut and where it is clipped
/// instead. So this shows whether kernels compute what was planned, and not whether the plan is a
/// good one; the tests of `ColorScience` compare with published values.
public enum Definition {
  /// Code values of a Y'CbCr pixel in another color, unrounded.
  ///
  /// - Parameters:
  ///   - isMapped: whether tones and gamut are mapped as they are by default, or not at all.
  ///   - light: the peak in cd/m² and the share of bright pixels that the tone curve is made for.
  package static func convert(
    _ codes: Triple, from source: ColorDescription, to target: ColorDescription, sourceDepth: Int,
    targetDepth: Int, isFullSource: Bool = false, isFullTarget: Bool = false, isMapped: Bool = true,
    light: (peak: Double, brightShare: Double) = (1000, 0)
  ) throws -> Triple {
    let signal = decode(codes, source, sourceDepth, isFullSource)
    // Other components of the same R'G'B': no light is looked at, which functions would limit.
    if source.colorPrimaries.meansTheSame(as: target.colorPrimaries)
      && source.transferCharacteristics.meansTheSame(as: target.transferCharacteristics)
    {
      return quantize(signal, target, targetDepth, isFullTarget)
    }
    let curve = SplineToneCurve(
      sourcePeak: light.peak, targetPeak: 203, brightShare: light.brightShare)
    let shown = try mapped(
      displayLight(signal, source), source, target, isMapped ? curve : nil)
    return quantize(encode(shown, target), target, targetDepth, isFullTarget)
  }

  /// Code values of a Y'CbCr pixel of 10 bits in another color, unrounded.
  ///
  /// - Parameter map: from display light of the source to that of the target: SDR in units of its
  ///   white, HDR in cd/m².
  package static func convert(
    _ codes: Triple, from source: ColorDescription, to target: ColorDescription,
    map: (Triple) -> Triple
  ) -> Triple {
    let light = displayLight(decode(codes, source, 10, false), source)
    return quantize(encode(map(light), target), target, 10, false)
  }

  private static func decode(
    _ codes: Triple, _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> Triple {
    var components = Triple.zero
    for index in 0..<3 {
      components[index] = quantization(index, color, depth, isFull).signal(codes[index])
    }
    return SignalCoding(color)!.toRGB(components)
  }

  private static func quantization(
    _ component: Int, _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> Quantization {
    Quantization(
      component: component, of: color.matrixCoefficients, isFullRange: isFull, bitDepth: depth)
  }

  private static func each(_ color: Triple, _ function: (Double) -> Double) -> Triple {
    Triple(function(color.x), function(color.y), function(color.z))
  }

  /// SDR in units of its white, HDR in cd/m².
  private static func displayLight(_ signal: Triple, _ color: ColorDescription) -> Triple {
    switch color.transferCharacteristics {
    case .hlg:
      return HLG.ootf(
        each(signal, HLG.inverseOETF), weights: RGBSpace(color.colorPrimaries)!.luminanceWeights,
        peakLuminance: 1000)
    case .pq: return each(signal, PQ.eotf)
    default:
      return each(signal, ComponentTransfer(color.transferCharacteristics)!.toLinear)
    }
  }

  private static func mapped(
    _ light: Triple, _ source: ColorDescription, _ target: ColorDescription,
    _ curve: SplineToneCurve?
  ) throws -> Triple {
    let (from, to) = (source.transferCharacteristics, target.transferCharacteristics)
    var light = light
    if from.isHDR && !to.isHDR {
      let space = RGBSpace(source.colorPrimaries)!
      if let curve { light = ToneMap(curve, norm: .blend, space: space).map(light) }
      light /= 203
    } else if !from.isHDR && to.isHDR {
      light *= 203
    }
    let space = RGBSpace(target.colorPrimaries)!
    let matrix = RGBSpace(source.colorPrimaries)!.matrix(to: space)
    if source.colorPrimaries != target.colorPrimaries { light = matrix * light }
    let isInside =
      source.colorPrimaries == target.colorPrimaries || matrix.rows.allSatisfy { $0.min() >= 0 }
    if curve != nil && (from.isHDR && !to.isHDR || !isInside) {
      let peak = to == .hlg ? 1000 : to == .pq ? PQ.peakLuminance : 1
      let compression = GamutCompression(
        from: RGBSpace(source.colorPrimaries)!, to: space, isSoft: from.isHDR && !to.isHDR)
      // BT.601's gamuts and BT.709's nearly agree: what is outside is limited, all else stays.
      let isClipped = !from.isHDR && compression.limits.max() < 1.15
      light /= peak
      light = (isClipped ? ClippedGamut().map(light) : compression.map(light)) * peak
    }
    return light
  }

  private static func encode(_ light: Triple, _ color: ColorDescription) -> Triple {
    switch color.transferCharacteristics {
    case .hlg:
      return each(
        HLG.inverseOOTF(
          light, weights: RGBSpace(color.colorPrimaries)!.luminanceWeights, peakLuminance: 1000),
        HLG.oetf)
    case .pq: return each(light, PQ.inverseEOTF)
    default: return each(light, ComponentTransfer(color.transferCharacteristics)!.toSignal)
    }
  }

  private static func quantize(
    _ signal: Triple, _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> Triple {
    let components = SignalCoding(color)!.fromRGB(signal)
    var codes = Triple.zero
    for index in 0..<3 {
      let quantization = quantization(index, color, depth, isFull)
      codes[index] = min(max(quantization.code(components[index]), 0), quantization.maximum)
    }
    return codes
  }

  /// Code values of a signal, rounded.
  package static func codes(
    _ signal: Triple, of color: ColorDescription, depth: Int, isFull: Bool = false
  ) -> Triple {
    quantize(signal, color, depth, isFull).rounded(.toNearestOrAwayFromZero)
  }
}

extension Quantization {
  /// A signal as a code value: rounded to nearest, limited to what the depth can hold.
  public func quantized(_ signal: Double) -> Double {
    min(max(code(signal).rounded(), 0), maximum)
  }
}
