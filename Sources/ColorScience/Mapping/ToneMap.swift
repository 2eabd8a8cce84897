// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve and how it is applied to colors.
package struct ToneMap: Hashable, Sendable {
  /// Maps the norm of a color.
  package let curve: any ToneCurve
  /// The number of a color that the curve is applied to.
  package let norm: ToneNorm
  /// The primaries of the colors.
  package let space: RGBSpace
  /// The share of the local contrast above the curve's knee that stays as it is, 0…1; see
  /// ``NormShift``. It is 0 for all curves except ``SplineToneCurve``, and for ``ToneNorm/ictcp``.
  package let highlightDetail: Double

  /// How much R, G and B contribute to luminance, for ``ToneNorm/value(of:weights:)``.
  package let weights: Triple
  /// ICtCp of the colors, for ``ToneNorm/ictcp``.
  package let ictcp: ICtCpLight

  /// Prepares a mapping for colors of a space.
  package init(
    _ curve: any ToneCurve, norm: ToneNorm, space: RGBSpace, highlightDetail: Double = 0
  ) {
    self.curve = curve
    self.norm = norm
    self.space = space
    // Only this curve has a knee below which a norm may not be shifted, and ICtCp has no norm.
    self.highlightDetail = curve is SplineToneCurve && norm != .ictcp ? highlightDetail : 0
    weights = space.luminanceWeights
    ictcp = ICtCpLight(space: space)
  }

  /// Whether curve, norm and primaries are the same.
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

  /// Returns the same map with another curve.
  package func with(_ curve: any ToneCurve) -> ToneMap {
    ToneMap(curve, norm: norm, space: space, highlightDetail: highlightDetail)
  }

  /// Returns curve(norm)/norm for a norm in cd/m², or its limit at black.
  package func gain(norm: Double) -> Double {
    // At black the quotient is 0/0, so take it from light that is nearly black.
    let light = norm > 1e-6 ? norm : 1e-6
    guard light < .infinity else { return 0 }
    return curve.map(light) / light
  }

  /// Maps a color, linear display light in cd/m², to linear light in cd/m² on the same scale, whose
  /// peak is the curve's `targetPeak`.
  ///
  /// Components outside 0…10 000 cd/m² are limited to it, and NaN counts as 0. With all norms
  /// except `maxRGB`, saturated colors can leave 0…`targetPeak`.
  package func map(_ light: Triple) -> Triple {
    let color = light.contained(in: 0...PQ.peakLuminance)
    guard let norm = norm.value(of: color, weights: weights) else { return mapIntensity(color) }
    return color * gain(norm: norm)
  }

  /// Maps a color in its surroundings. The gain belongs to a norm between the color's and its
  /// surroundings', so that colors of about the same light keep their ratio.
  package func map(_ light: Triple, _ shift: NormShift) -> Triple {
    let color = light.contained(in: 0...PQ.peakLuminance)
    guard let spline = curve as? SplineToneCurve, spline.sourcePeak > spline.targetPeak,
      let norm = norm.value(of: color, weights: weights), norm > 0
    else { return map(light) }
    let share = min(max(norm / spline.knee - 1, 0), 1)
    let shifted = norm + share * (shift.slope * norm + shift.offset)
    // Nothing may become brighter than white, however dark its surroundings are.
    return color * min(gain(norm: shifted), spline.targetPeak / norm)
  }

  /// Returns the factor of I of ICtCp, by the curve of its luminance.
  package func intensityGain(_ intensity: Double) -> Double {
    intensity > 1e-9 ? PQ.inverseEOTF(curve.map(PQ.eotf(intensity))) / intensity : 0
  }

  /// Applies the curve to I of ICtCp.
  private func mapIntensity(_ light: Triple) -> Triple {
    let signal = ictcp.signal(of: light)
    let gain = intensityGain(signal.x)
    guard gain > 0 else { return .zero }
    // BT.2390, 5.4.2: chroma shrinks with the change of I, whichever its direction.
    let scale = min(gain, 1 / gain)
    return ictcp.light(of: signal * Triple(gain, scale, scale))
  }
}

/// A step from a pixel's norm toward the norm of what surrounds it: slope · norm + offset, in
/// cd/m².
///
/// A tone curve takes its gain from the norm after this step, and multiplies the pixel by it. The
/// step counts fully from twice the curve's knee, not at all below the knee, and linearly between.
package struct NormShift: Hashable, Sendable {
  /// The factor of the norm, −1…0.
  package let slope: Double
  /// The addend, in cd/m².
  package let offset: Double

  /// Leaves the norm where it is.
  package static let none = NormShift(slope: 0, offset: 0)

  /// Makes a step from its parts.
  package init(slope: Double, offset: Double) {
    (self.slope, self.offset) = (slope, offset)
  }
}
