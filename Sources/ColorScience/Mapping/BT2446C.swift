// SPDX-License-Identifier: GPL-2.0-or-later
private import CodePoints

/// Method C of Report BT.2446-1, clause 6: HDR of 1000 cd/m² to SDR and exactly back.
///
/// A crosstalk matrix brings R, G and B closer together. Luminance is then mapped linearly up to
/// 80 % of SDR's signal and logarithmically above. The inverse crosstalk restores saturation. The
/// report's constants map skin at 50 % HLG to 70 % SDR, and HDR's reference white (75 % HLG,
/// 203 cd/m²) to 96 % SDR. If SDR's peak is 100 cd/m², 1000 cd/m² become 118.3868 cd/m². SDR's
/// signals have room for that, because they go up to 109 %. The caller decides whether to clip
/// light above SDR's peak.
package struct BT2446C: Hashable, Sendable {
  // Clause 6.1.4, equation 10, has these constants.
  private static let k1 = 0.83802
  private static let k2 = 15.09968
  private static let k3 = 0.74204
  private static let k4 = 78.99439
  /// Up to this value, in cd/m² (peak 100), SDR's luminance is proportional to HDR's.
  package static let sdrInflection = 58.5
  /// The luminance of HDR that becomes ``sdrInflection``. The report's rounded figures make the
  /// curve jump there by 0.04 cd/m².
  package static let inflection = sdrInflection / k1
  /// SDR's peak in the report's figures, in cd/m².
  package static let reportPeak = 100.0
  private static let referenceWhite = 203.0
  package static let sourcePeak = 1000.0

  /// The crosstalk, from 0 to 0.33 (clause 6.1.2).
  package let alpha: Double
  /// The strength of the optional chroma correction above reference white (clause 6.1.8), or 0 for
  /// none.
  package let sigma: Double
  /// The luminance, in cd/m², that the report's SDR peak (100 cd/m²) gets in the result.
  package let targetPeak: Double

  /// How much R, G and B contribute to luminance.
  package let weights: Triple
  private let lab: CIELAB?
  private let correctionStart: Double
  private let correctionSpan: Double

  /// Prepares the method. `alpha` is limited to 0…0.33.
  package init(alpha: Double = 0, sigma: Double = 0, targetPeak: Double = 203) {
    // At 1/3 the crosstalk makes every color gray, so it has no inverse.
    self.alpha = min(max(alpha, 0), 0.33)
    self.sigma = max(sigma, 0)
    self.targetPeak = targetPeak
    let space = RGBSpace(.bt2020)
    weights = space?.luminanceWeights ?? Triple(0.2627, 0.6780, 0.0593)
    lab = space.map { CIELAB(space: $0, white: Self.sourcePeak) }
    correctionStart = CIELAB.lightness(Self.referenceWhite / Self.sourcePeak)
    correctionSpan = CIELAB.lightness(1) - correctionStart
  }

  /// Maps HDR luminance to SDR luminance, both in cd/m², with SDR's peak at 100 (clause 6.1.4).
  package static func tone(_ luminance: Double) -> Double {
    luminance < inflection
      ? k1 * luminance : k2 * naturalLogarithm(luminance / inflection - k3) + k4
  }

  /// Maps SDR luminance to HDR luminance, both in cd/m², with SDR's peak at 100 (clause 6.2).
  package static func inverseTone(_ luminance: Double) -> Double {
    luminance < sdrInflection
      ? luminance / k1 : inflection * (exponential((luminance - k4) / k2) + k3)
  }

  /// Maps a color of BT.2020, linear display light in cd/m², to SDR light, in which the report's
  /// 100 cd/m² become `targetPeak`. Components are limited to 0…10 000 cd/m², and NaN counts as 0.
  package func map(_ light: Triple) -> Triple {
    let mixed = corrected(crosstalk(light.contained(in: 0...PQ.peakLuminance)))
    let luminance = (mixed * weights).sum()
    guard luminance > 0 else { return .zero }
    let gain = Self.tone(luminance) / luminance
    return inverseCrosstalk(mixed) * (gain * targetPeak / Self.reportPeak)
  }

  /// The largest magnitude of components of SDR light, in cd/m². Larger ones are limited to it.
  package var inverseLimit: Double { 25 * targetPeak }

  /// The matrix that brings R, G and B closer together (clause 6.1.2).
  package var crosstalk: Matrix3x3 {
    let (own, other) = (1 - 2 * alpha, alpha)
    return Matrix3x3([own, other, other], [other, own, other], [other, other, own])
  }

  /// Maps SDR light to HDR display light in cd/m². It undoes ``map(_:)`` except for its chroma
  /// correction.
  package func inverse(_ light: Triple) -> Triple {
    // Blue with a luminance of 1000 cd/m² becomes 20 times the peak, and the limit is 25 times the
    // peak. So the limit changes no color that comes from HDR.
    let sdr = light.contained(in: -inverseLimit...inverseLimit) * (Self.reportPeak / targetPeak)
    let mixed = crosstalk(sdr)
    let luminance = (mixed * weights).sum()
    guard luminance > 0 else { return .zero }
    return inverseCrosstalk(mixed) * (Self.inverseTone(luminance) / luminance)
  }

  private func crosstalk(_ color: Triple) -> Triple {
    color * (1 - 3 * alpha) + alpha * color.sum()
  }

  private func inverseCrosstalk(_ color: Triple) -> Triple {
    (color - alpha * color.sum()) / (1 - 3 * alpha)
  }

  /// Lowers the CIELAB chroma of a color above reference white. Hue and lightness do not change.
  private func corrected(_ color: Triple) -> Triple {
    guard sigma > 0, let lab else { return color }
    var coordinates = lab.coordinates(of: color)
    guard coordinates.x > correctionStart else { return color }
    let factor = max(1 - sigma * (coordinates.x - correctionStart) / correctionSpan, 0)
    coordinates.y *= factor
    coordinates.z *= factor
    return lab.color(of: coordinates)
  }
}
