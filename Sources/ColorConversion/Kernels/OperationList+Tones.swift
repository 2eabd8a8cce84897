// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

extension RowOperation.Norm {
  /// Makes the kernels' form of a map's norm. Returns `nil` for ``ToneNorm/ictcp``, which takes
  /// several operations.
  init?(_ map: ToneMap) {
    switch map.norm {
    case .maxRGB: self = .maximum
    case .luminance: self = .luminance
    case .blend: self = map.toTarget == nil ? .blend : .vividBlend
    case .ictcp: return nil
    }
  }
}

/// Tone operators as operations on rows.
extension OperationList {
  /// The relative uncertainty of components that were raised to powers in single precision.
  private static let uncertaintyOfPowers = 1e-5
  /// The steepest gain for which light from PQ is precise enough, in stops for each increase of
  /// light by a factor of e. It turns the relative error of that light, up to 2.5e-6, into about
  /// 5e-5. That does not show: a sample of SDR changes by one code value only if light changes by
  /// 0.27 %.
  private static let steepest = 30.0

  mutating func append(_ tone: ToneOperator) {
    switch tone {
    case .curve(let map): append(map)
    case .bt2446A(let method): append(method)
    case .bt2446B(let method): append(method)
    case .bt2446C(let method): append(method)
    case .authored(let rendition): append(rendition)
    }
  }

  mutating func appendInverse(_ tone: ToneOperator) {
    switch tone {
    case .curve, .bt2446B, .authored: break
    case .bt2446A(let method): appendInverse(method)
    case .bt2446C(let method): appendInverse(method)
    }
  }

  private mutating func append(_ map: ToneMap) {
    guard let norm = RowOperation.Norm(map) else { return appendIntensity(map) }
    // A curve with a knee below the source's peak is divided into pieces from the knee to that
    // peak. All other curves get a table, including curves with a knee that roll off nothing.
    if let curve = map.curve as? any KneeToneCurve, curve.rollsOff {
      append(
        map.highlightDetail > 0
          ? .gainBySurroundings(
            curve, norm: norm, weights: map.weights, toTarget: map.toTarget, map.gain)
          : .gain(
            curve, norm: norm, weights: map.weights, toTarget: map.toTarget, precision, map.gain))
    } else {
      let table = SampledCurve(upTo: PQ.peakLuminance, edge: map.curve.edge, map.gain)
      appendTable(.gainByTable, table, norm: norm, weights: map.weights)
    }
  }

  /// Applies the curve to I of ICtCp: converts light to ICtCp, multiplies by a gain that depends on
  /// I, and converts back.
  private mutating func appendIntensity(_ map: ToneMap) {
    // PQ has no signal for light outside its range, so light is limited, as in the definition.
    scale(1 / PQ.peakLuminance)
    append(.limit(0...1))
    append(map.ictcp.toLMS)
    append(toSignal: .pq, kept: .full)
    append(map.ictcp.toOpponents)
    let edge = PQ.inverseEOTF(map.curve.edge)
    appendTable(.intensityGain, SampledCurve(upTo: 1, edge: edge, map.intensityGain))
    append(map.ictcp.fromOpponents)
    append(toLinear: .pq)
    mix(map.ictcp.fromLMS)
    scale(PQ.peakLuminance)
  }

  private mutating func append(_ rendition: HeadroomRendition) {
    append(.limit(0...PQ.peakLuminance))
    scale(rendition.scale)
    if let toGainSpace = rendition.toGainSpace {
      mix(toGainSpace)
      // Gains that are computed from negative components can send a color far out of any gamut,
      // where the errors of single precision would show.
      var outside = RowOperation(.doubtOutside)
      outside.limits = [0, .greatestFiniteMagnitude]
      appendDoubt(outside)
    }
    if !rendition.shares.isEmpty { append(.gainByHeadroom(rendition.shares)) }
    // No sensible curve jumps, but a file can state a curve that does, and the errors of single
    // precision would show at the jump.
    if rendition.shares.contains(where: { $0.alternate.curve.steepness > Self.steepest }) {
      appendDoubt(.doubtEverything)
    }
    if let fromGainSpace = rendition.fromGainSpace { mix(fromGainSpace) }
    scale(rendition.white)
  }

  /// Applies method A of BT.2446.
  private mutating func append(_ method: BT2446A) {
    // In the report, each component c becomes tone(Y) + (c − Y) · tone(Y)/(1.1 · Y), minus a term
    // that darkens reds. That is tone(Y)/Y · (Y + (c − Y)/1.1), minus the same term. So the method
    // is a linear map that keeps Y, then a gain that depends on Y, then the darkening of reds.
    append(.limit(0...method.sourcePeak))
    scale(1 / method.sourcePeak)
    append(.power(1 / BT2446A.gamma, precision))
    append(.saturation(1 / BT2446A.chromaDivisor, BT2446A.weights))
    let table = SampledCurve(upTo: 1, edge: method.edge) { $0 > 0 ? method.tone($0) / $0 : 0 }
    appendTable(.gainByTable, table, weights: BT2446A.weights)
    var reds = RowOperation(.darkenReds)
    reds.weights = .init(BT2446A.weights)
    reds.scale = Float(BT2446A.redDarkening / BT2446A.crScale)
    append(reds)
    append(.power(BT2446A.gamma, precision))
    scale(method.targetPeak)
    // The errors of the powers would show in dark components beside bright ones.
    doubt.read(uncertainty: Self.uncertaintyOfPowers)
  }

  private mutating func appendInverse(_ method: BT2446A) {
    append(.limit(0...method.targetPeak))
    scale(1 / method.targetPeak)
    append(.power(1 / BT2446A.gamma, precision))
    append(.saturation(BT2446A.inverseChromaFactor, BT2446A.weights))
    let table = SampledCurve(upTo: 1) { $0 > 0 ? BT2446A.inverseTone($0) / $0 : 0 }
    appendTable(.gainByTable, table, weights: BT2446A.weights)
    append(.limit(0...1))
    append(.power(BT2446A.gamma, precision))
    scale(method.sourcePeak)
    doubt.read(uncertainty: Self.uncertaintyOfPowers)
  }

  private mutating func append(_ method: BT2446B) {
    append(.limit(0...method.sourcePeak))
    scale(1 / method.sourcePeak)
    append(
      .gainByPower(
        method.weights, exponent: method.exponent - 1, scale: BT2446B.displayPeak, precision))
    append(
      .gain(method.curve, norm: .luminance, weights: method.weights, precision) {
        method.curve.map($0) / $0
      })
    scale(method.targetPeak / BT2446B.reportPeak)
  }

  private mutating func append(_ method: BT2446C) {
    // Chroma correction has no kernel, so every pixel is computed with the exact definition.
    if method.sigma > 0 { appendDoubt(.doubtEverything) }
    append(.limit(0...PQ.peakLuminance))
    append(method.crosstalk)
    let table = SampledCurve(upTo: PQ.peakLuminance, edge: BT2446C.inflection) {
      $0 > 0 ? BT2446C.tone($0) / $0 : 0
    }
    appendTable(.gainByTable, table, weights: method.weights)
    append(method.crosstalk.inverse)
    scale(method.targetPeak / BT2446C.reportPeak)
  }

  private mutating func appendInverse(_ method: BT2446C) {
    append(.limit(-method.inverseLimit...method.inverseLimit))
    scale(BT2446C.reportPeak / method.targetPeak)
    append(method.crosstalk)
    // Far beyond the curve's range, its exponential would overflow single precision. So results are
    // limited to 1e9.
    let table = SampledCurve(
      upTo: method.inverseLimit * BT2446C.reportPeak / method.targetPeak,
      edge: BT2446C.sdrInflection
    ) { $0 > 0 ? min(BT2446C.inverseTone($0), 1e9) / $0 : 0 }
    appendTable(.gainByTable, table, weights: method.weights)
    append(method.crosstalk.inverse)
  }
}
