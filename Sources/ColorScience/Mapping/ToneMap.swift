// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve and the way in which it is applied to colors.
package struct ToneMap: Hashable, Sendable {
  /// The curve.
  package let curve: any ToneCurve
  /// Norm of a color to which the curve is applied.
  package let norm: ToneNorm
  /// The primaries of the colors.
  package let space: RGBSpace
  /// The share of the local contrast above the curve's knee that stays as it is, 0…1; see
  /// ``NormShift``. 0 for all curves but ``SplineToneCurve``, and for ``ToneNorm/ictcp``.
  package let highlightDetail: Double

  /// The contributions of R, G and B to luminance, for ``ToneNorm/value(of:weights:)``.
  package let weights: Triple
  /// ICtCp of the colors, for ``ToneNorm/ictcp``.
  package let ictcp: ICtCpLight

  /// A mapping of colors of a space.
  package init(
    _ curve: any ToneCurve, norm: ToneNorm, space: RGBSpace, highlightDetail: Double = 0
  ) {
    self.curve = curve
    self.norm = norm
    self.space = space
    self.highlightDetail = curve is SplineToneCurve && norm != .ictcp ? highlightDetail : 0
    weights = space.luminanceWeights
    ictcp = ICtCpLight(space: space)
  }

  /// True if curve, norm and primaries are the same.
  package static func == (one: ToneMap, other: ToneMap) -> Bool {
    AnyHashable(one.curve) == AnyHashable(other.curve) && one.norm == other.norm
      && one.space == other.space && one.highlightDetail == other.highlightDetail
  }

  /// Feeds curve, norm and primaries to a hash.
  package func hash(into hasher: inout Hasher) {
    curve.hash(into: &hasher)
    hasher.combine(norm)
    hasher.combine(space)
    hasher.combine(highlightDetail)
  }

  /// The same with another curve.
  package func with(_ curve: any ToneCurve) -> ToneMap {
    ToneMap(curve, norm: norm, space: space, highlightDetail: highlightDetail)
  }

  /// The factor of a color with a norm in cd/m²: curve(norm)/norm, and its limit at black.
  package func gain(norm: Double) -> Double {
    let light = norm > 1e-6 ? norm : 1e-6
    guard light < .infinity else { return 0 }
    return curve.map(light) / light
  }

  /// A color, linear display light in cd/m², after the curve: linear light in cd/m² on the same
  /// scale, its peak the curve's `targetPeak`.
  ///
  /// Components outside 0…10 000 cd/m² are limited to it, NaN counts as 0. Saturated colors can
  /// leave 0…`targetPeak` (all norms but `maxRGB`).
  package func map(_ light: Triple) -> Triple {
    let color = light.contained(in: 0...PQ.peakLuminance)
    guard let norm = norm.value(of: color, weights: weights) else { return mapIntensity(color) }
    return color * gain(norm: norm)
  }

  /// The same for a color in its surroundings: the gain is that of a norm that is closer to theirs,
  /// so that colors of about the same light keep their ratio.
  package func map(_ light: Triple, _ shift: NormShift) -> Triple {
    let color = light.contained(in: 0...PQ.peakLuminance)
    guard let spline = curve as? SplineToneCurve, spline.sourcePeak > spline.targetPeak,
      let norm = norm.value(of: color, weights: weights), norm > 0
    else { return map(light) }
    let share = min(max(norm / spline.knee - 1, 0), 1)
    let shifted = norm + share * (shift.slope * norm + shift.offset)
    return color * min(gain(norm: shifted), spline.targetPeak / norm)
  }

  /// The factor of I of ICtCp: that of its luminance as PQ tells it.
  package func intensityGain(_ intensity: Double) -> Double {
    intensity > 1e-9 ? PQ.inverseEOTF(curve.map(PQ.eotf(intensity))) / intensity : 0
  }

  /// The curve on I of ICtCp. Chroma shrinks with the change of I, whichever its direction
  /// (BT.2390, 5.4.2).
  private func mapIntensity(_ light: Triple) -> Triple {
    let signal = ictcp.signal(of: light)
    let gain = intensityGain(signal.x)
    guard gain > 0 else { return .zero }
    let scale = min(gain, 1 / gain)
    return ictcp.light(of: signal * Triple(gain, scale, scale))
  }
}

/// A step from a pixel's norm toward the norm of what surrounds it: slope · norm + offset, in
/// cd/m².
///
/// A tone curve takes its gain from the norm after this step, and multiplies the pixel by it. It
/// counts in full from twice the curve's knee on, and not at all below the knee, in a line between.
package struct NormShift: Hashable, Sendable {
  /// The factor of the norm, −1…0.
  package let slope: Double
  /// The summand, in cd/m².
  package let offset: Double

  /// No step.
  package static let none = NormShift(slope: 0, offset: 0)

  /// A step.
  package init(slope: Double, offset: Double) {
    (self.slope, self.offset) = (slope, offset)
  }
}
