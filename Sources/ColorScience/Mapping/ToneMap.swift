// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve and how it is applied to colors.
package struct ToneMap: Hashable, Sendable {
  /// The curve that maps the norm of a color.
  package let curve: any ToneCurve
  /// Which measure of a color the curve is applied to.
  package let norm: ToneNorm
  /// The primaries of the colors.
  package let space: RGBSpace
  /// The primaries of the output, if they differ.
  package let target: RGBSpace?
  /// How much of the local contrast above the curve's knee is kept, 0…1; see ``NormShift``. It is 0
  /// for curves without a knee, and for ``ToneNorm/ictcp``.
  package let highlightDetail: Double

  /// How much R, G and B contribute to luminance, for ``ToneNorm/value(of:weights:)``.
  package let weights: Triple
  /// ICtCp of the colors, for ``ToneNorm/ictcp``.
  package let ictcp: ICtCpLight
  /// The matrix from ``space`` to ``target`` if vivid highlights get a larger norm, else `nil`; see
  /// ``grown(_:of:)``.
  package let toTarget: Matrix3x3?

  /// Prepares a mapping for colors of a space.
  ///
  /// - Parameter target: the primaries of the output, or `nil` if they are the same.
  package init(
    _ curve: any ToneCurve, norm: ToneNorm, space: RGBSpace, target: RGBSpace? = nil,
    highlightDetail: Double = 0
  ) {
    self.curve = curve
    self.norm = norm
    self.space = space
    self.target = target == space ? nil : target
    let hasKnee = curve is any KneeToneCurve
    // Norms are shifted only above a knee, and ICtCp has no norm.
    self.highlightDetail = hasKnee && norm != .ictcp ? highlightDetail : 0
    let isVivid = (curve as? any KneeToneCurve).map { $0.vividness > 0 } ?? false
    toTarget = isVivid && norm == .blend ? self.target.map { space.matrix(to: $0) } : nil
    weights = space.luminanceWeights
    ictcp = ICtCpLight(space: space)
  }

  /// Whether curve, norm, primaries and highlight detail are the same.
  package static func == (one: ToneMap, other: ToneMap) -> Bool {
    AnyHashable(one.curve) == AnyHashable(other.curve) && one.norm == other.norm
      && one.space == other.space && one.target == other.target
      && one.highlightDetail == other.highlightDetail
  }

  package func hash(into hasher: inout Hasher) {
    curve.hash(into: &hasher)
    hasher.combine(norm)
    hasher.combine(space)
    hasher.combine(target)
    hasher.combine(highlightDetail)
  }

  /// Returns the same map with another curve.
  package func with(_ curve: any ToneCurve) -> ToneMap {
    ToneMap(curve, norm: norm, space: space, target: target, highlightDetail: highlightDetail)
  }

  /// Returns curve(norm)/norm for a norm in cd/m², or its limit at black.
  package func gain(norm: Double) -> Double {
    // At black, the quotient is 0/0, so it is computed for light that is nearly black.
    let light = norm > 1e-6 ? norm : 1e-6
    guard light < .infinity else { return 0 }
    return curve.map(light) / light
  }

  /// Maps a color to the range whose peak is the curve's `targetPeak`. Both colors are linear
  /// display light in cd/m², on the same scale.
  ///
  /// Components are limited to 0…10 000 cd/m², and NaN counts as 0. With all norms except `maxRGB`,
  /// saturated colors can get a result outside 0…`targetPeak`.
  package func map(_ light: Triple) -> Triple {
    let color = light.contained(in: 0...PQ.peakLuminance)
    guard let norm = norm.value(of: color, weights: weights) else { return mapIntensity(color) }
    return color * gain(norm: grown(norm, of: color))
  }

  /// Returns a norm that is larger for vivid colors. The part above the knee grows with a ratio:
  /// the color's largest component in the output's primaries, which are closer to white, divided by
  /// its largest component in the source's primaries.
  private func grown(_ norm: Double, of color: Triple) -> Double {
    guard let toTarget, let curve = curve as? any KneeToneCurve, norm > curve.knee else {
      return norm
    }
    // Without this, all vivid highlights would end above the output's range. Only the gamut mapping
    // would keep them apart, and it has little room for that.
    let ratio = (toTarget * color).max() / color.max()
    return norm + curve.vividness * max(ratio - 1, 0) * (norm - curve.knee)
  }

  /// Maps a color in its surroundings. The gain is computed for a norm between the norms of the
  /// color and of its surroundings, so that nearby colors of similar light keep their ratio.
  package func map(_ light: Triple, _ shift: NormShift) -> Triple {
    let color = light.contained(in: 0...PQ.peakLuminance)
    guard let curve = curve as? any KneeToneCurve, curve.rollsOff,
      let norm = norm.value(of: color, weights: weights), norm > 0
    else { return map(light) }
    let share = min(max(norm / curve.knee - 1, 0), 1)
    let shifted = norm + share * (shift.slope * norm + shift.offset)
    // No color may become brighter than white, however dark its surroundings are.
    return color * min(gain(norm: grown(shifted, of: color)), curve.targetPeak / norm)
  }

  /// Returns the factor by which I of ICtCp is multiplied. It follows from the curve's result for
  /// the luminance that I stands for.
  package func intensityGain(_ intensity: Double) -> Double {
    intensity > 1e-9 ? PQ.inverseEOTF(curve.map(PQ.eotf(intensity))) / intensity : 0
  }

  /// Applies the curve to I of ICtCp.
  private func mapIntensity(_ light: Triple) -> Triple {
    let signal = ictcp.signal(of: light)
    let gain = intensityGain(signal.x)
    guard gain > 0 else { return .zero }
    // BT.2390, 5.4.2: chroma is reduced if I changes, whether I rises or falls.
    let scale = min(gain, 1 / gain)
    return ictcp.light(of: signal * Triple(gain, scale, scale))
  }
}

/// A step from a pixel's norm toward the norm of its surroundings: slope · norm + offset, in cd/m².
///
/// The tone curve's gain is computed for the norm after this step, and the pixel is multiplied by
/// that gain. Below the curve's knee, the step does not count. At twice the knee and above, it
/// counts fully, and in between, its share grows linearly.
package struct NormShift: Hashable, Sendable {
  /// The factor of the norm, −1…0.
  package let slope: Double
  /// The addend, in cd/m².
  package let offset: Double

  /// A step that does not change the norm.
  package static let none = NormShift(slope: 0, offset: 0)

  package init(slope: Double, offset: Double) {
    (self.slope, self.offset) = (slope, offset)
  }
}
