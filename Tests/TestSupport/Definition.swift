// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience

/// Computes what conversions should give for one pixel, in double precision and without the
/// planner's steps or kernels.
///
/// Curves, matrices and quantization come from the standards, as implemented in `ColorScience`. No
/// standard specifies the planner's policy, so it is repeated here: a white of 203 cd/m², a spline
/// with the blended norm as the tone curve, gamut compression, and the rule for when the gamut is
/// clipped instead. A comparison with these values therefore shows whether kernels compute what was
/// planned, but not whether the plan is a good one. For that, the tests of `ColorScience` compare
/// with published values.
public enum Definition {
  /// Returns the unrounded code values of a Y'CbCr pixel that is converted to another color.
  ///
  /// - Parameters:
  ///   - isMapped: whether tones and gamut are mapped as they are by default, or not at all.
  ///   - curve: the tone curve of conversions to SDR.
  package static func convert(
    _ codes: Triple, from source: ColorDescription, to target: ColorDescription, sourceDepth: Int,
    targetDepth: Int, isFullSource: Bool = false, isFullTarget: Bool = false, isMapped: Bool = true,
    curve: any KneeToneCurve = SplineToneCurve(sourcePeak: 1000, targetPeak: 203)
  ) throws -> Triple {
    conversion(
      from: source, to: target, sourceDepth: sourceDepth, targetDepth: targetDepth,
      isFullSource: isFullSource, isFullTarget: isFullTarget, isMapped: isMapped, curve: curve)(
        codes)
  }

  /// Returns a function that converts pixels as `convert` does. It looks up curves and matrices
  /// only once, because looking them up takes longer than converting a pixel.
  package static func conversion(
    from source: ColorDescription, to target: ColorDescription, sourceDepth: Int, targetDepth: Int,
    isFullSource: Bool = false, isFullTarget: Bool = false, isMapped: Bool = true,
    curve: any KneeToneCurve = SplineToneCurve(sourcePeak: 1000, targetPeak: 203)
  ) -> (Triple) -> Triple {
    let decode = decoder(source, sourceDepth, isFullSource)
    let quantize = quantizer(target, targetDepth, isFullTarget)
    // R'G'B' stays the same, and only its coding as Y'CbCr changes. Converting to light would limit
    // values.
    if source.colorPrimaries.meansTheSame(as: target.colorPrimaries)
      && source.transferCharacteristics.meansTheSame(as: target.transferCharacteristics)
    {
      return { quantize(decode($0)) }
    }
    let map = mapping(source, target, isMapped ? curve : nil)
    let (show, encode) = (displayLight(of: source), encoder(target))
    return { quantize(encode(map(show(decode($0))))) }
  }

  /// Returns the unrounded code values of a 10-bit Y'CbCr pixel that is converted to another color.
  ///
  /// - Parameter map: maps display light of the source to display light of the target. SDR is in
  ///   units of its white, HDR in cd/m².
  package static func convert(
    _ codes: Triple, from source: ColorDescription, to target: ColorDescription,
    map: (Triple) -> Triple
  ) -> Triple {
    let light = displayLight(of: source)(decoder(source, 10, false)(codes))
    return quantizer(target, 10, false)(encoder(target)(map(light)))
  }

  private static func decoder(
    _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> (Triple) -> Triple {
    let quantizations = quantizations(color, depth, isFull)
    let coding = SignalCoding(color)!
    return { codes in
      var components = Triple.zero
      for index in 0..<3 { components[index] = quantizations[index].signal(codes[index]) }
      return coding.toRGB(components)
    }
  }

  private static func quantizations(
    _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> [Quantization] {
    (0..<3).map { component in
      Quantization(
        component: component, of: color.matrixCoefficients, isFullRange: isFull, bitDepth: depth)
    }
  }

  private static func each(_ color: Triple, _ function: (Double) -> Double) -> Triple {
    Triple(function(color.x), function(color.y), function(color.z))
  }

  /// Returns a function that turns R'G'B' into display light: SDR in units of its white, HDR in
  /// cd/m².
  private static func displayLight(of color: ColorDescription) -> (Triple) -> Triple {
    switch color.transferCharacteristics {
    case .hlg:
      let weights = RGBSpace(color.colorPrimaries)!.luminanceWeights
      return { HLG.ootf(each($0, HLG.inverseOETF), weights: weights, peakLuminance: 1000) }
    case .pq: return { each($0, PQ.eotf) }
    default:
      let transfer = ComponentTransfer(color.transferCharacteristics)!
      return { each($0, transfer.toLinear) }
    }
  }

  private static func mapping(
    _ source: ColorDescription, _ target: ColorDescription, _ curve: (any KneeToneCurve)?
  ) -> (Triple) -> Triple {
    let (from, to) = (source.transferCharacteristics, target.transferCharacteristics)
    let isReduced = from.isHDR && !to.isHDR
    let (before, after) = (RGBSpace(source.colorPrimaries)!, RGBSpace(target.colorPrimaries)!)
    let tones =
      isReduced ? curve.map { ToneMap($0, norm: .blend, space: before, target: after) } : nil
    let scale = !from.isHDR && to.isHDR ? 203.0 : 1
    let matrix = before.matrix(to: after)
    let isSame = source.colorPrimaries == target.colorPrimaries
    let isInside = isSame || matrix.rows.allSatisfy { $0.min() >= 0 }
    let gamut = curve != nil && (isReduced || !isInside) ? gamut(source, target) : { $0 }
    return { light in
      let light = (tones?.map(light) ?? light) * scale / (isReduced ? 203 : 1)
      return gamut(isSame ? light : matrix * light)
    }
  }

  /// Returns a function that brings light into the target's gamut.
  private static func gamut(
    _ source: ColorDescription, _ target: ColorDescription
  ) -> (Triple) -> Triple {
    let (from, to) = (source.transferCharacteristics, target.transferCharacteristics)
    let peak = to == .hlg ? 1000 : to == .pq ? PQ.peakLuminance : 1
    let compression = GamutCompression(
      from: RGBSpace(source.colorPrimaries)!, to: RGBSpace(target.colorPrimaries)!,
      isSoft: from.isHDR && !to.isHDR)
    // BT.601's gamuts are nearly the same as BT.709's, so colors outside the target's gamut are
    // clipped, and all others stay.
    let isClipped = !from.isHDR && compression.limits.max() < 1.15
    return { light in
      let light = light / peak
      return (isClipped ? ClippedGamut().map(light) : compression.map(light)) * peak
    }
  }

  private static func encoder(_ color: ColorDescription) -> (Triple) -> Triple {
    switch color.transferCharacteristics {
    case .hlg:
      let weights = RGBSpace(color.colorPrimaries)!.luminanceWeights
      return { each(HLG.inverseOOTF($0, weights: weights, peakLuminance: 1000), HLG.oetf) }
    case .pq: return { each($0, PQ.inverseEOTF) }
    default:
      let transfer = ComponentTransfer(color.transferCharacteristics)!
      return { each($0, transfer.toSignal) }
    }
  }

  private static func quantizer(
    _ color: ColorDescription, _ depth: Int, _ isFull: Bool
  ) -> (Triple) -> Triple {
    let coding = SignalCoding(color)!
    let quantizations = quantizations(color, depth, isFull)
    return { signal in
      let components = coding.fromRGB(signal)
      var codes = Triple.zero
      for index in 0..<3 {
        let quantization = quantizations[index]
        codes[index] = min(max(quantization.code(components[index]), 0), quantization.maximum)
      }
      return codes
    }
  }

  /// Returns the rounded code values of a signal.
  package static func codes(
    _ signal: Triple, of color: ColorDescription, depth: Int, isFull: Bool = false
  ) -> Triple {
    coder(of: color, depth: depth, isFull: isFull)(signal)
  }

  /// Returns a function that gives the rounded code values of any signal.
  package static func coder(
    of color: ColorDescription, depth: Int, isFull: Bool = false
  ) -> (Triple) -> Triple {
    let quantize = quantizer(color, depth, isFull)
    return { quantize($0).rounded(.toNearestOrAwayFromZero) }
  }
}

extension Quantization {
  /// Returns a signal as a code value, rounded to the nearest one and limited to what the depth can
  /// hold.
  public func quantized(_ signal: Double) -> Double {
    min(max(code(signal).rounded(), 0), maximum)
  }
}
