// SPDX-License-Identifier: GPL-2.0-or-later
private import CodePoints

/// Method C of Report BT.2446-1, clause 6: HDR of 1000 cd/m² to SDR and exactly back.
///
/// A crosstalk matrix brings R, G and B together, luminance is mapped linearly up to 80 % of SDR's
/// signal and logarithmically above, and the inverse crosstalk restores saturation. The report's
/// constants take skin at 50 % HLG to 70 % SDR and HDR reference white (75 % HLG, 203 cd/m²) to
/// 96 % SDR; 1000 cd/m² become 118.3868 cd/m² where SDR's peak is 100, which an SDR signal holds
/// up to its 109 %: brighter light is for the caller to clip or keep.
package struct BT2446C: Hashable, Sendable {
  // Clause 6.1.4, equation 10.
  private static let k1 = 0.83802
  private static let k2 = 15.09968
  private static let k3 = 0.74204
  private static let k4 = 78.99439
  /// The luminance of SDR in cd/m² (peak 100) up to which it is proportional to that of HDR.
  package static let sdrInflection = 58.5
  /// The same luminance of HDR. By the report's rounded figures the curve jumps there by 0.04
  /// cd/m².
  package static let inflection = sdrInflection / k1
  /// SDR's peak in cd/m² in the report's figures.
  package static let reportPeak = 100.0
  private static let referenceWhite = 203.0
  package static let sourcePeak = 1000.0

  /// The crosstalk, from 0 to 0.33 (clause 6.1.2).
  package let alpha: Double
  /// The strength of the optional chroma correction above reference white, 0: none (clause 6.1.8).
  package let sigma: Double
  /// Luminance of SDR's 100 cd/m² in the result, in cd/m².
  package let targetPeak: Double

  /// The contributions of R, G and B to luminance.
  package let weights: Triple
  private let lab: CIELAB?
  private let correctionStart: Double
  private let correctionSpan: Double

  /// The method with its parameters; `alpha` is limited to 0…0.33 (at 1/3 no inverse exists).
  package init(alpha: Double = 0, sigma: Double = 0, targetPeak: Double = 203) {
    self.alpha = min(max(alpha, 0), 0.33)
    self.sigma = max(sigma, 0)
    self.targetPeak = targetPeak
    let space = RGBSpace(.bt2020)
    weights = space?.luminanceWeights ?? Triple(0.2627, 0.6780, 0.0593)
    lab = space.map { CIELAB(space: $0, white: Self.sourcePeak) }
    correctionStart = CIELAB.lightness(Self.referenceWhite / Self.sourcePeak)
    correctionSpan = CIELAB.lightness(1) - correctionStart
  }

  /// SDR luminance in cd/m² (peak 100) from HDR luminance in cd/m² (clause 6.1.4).
  package static func tone(_ luminance: Double) -> Double {
    luminance < inflection
      ? k1 * luminance : k2 * naturalLogarithm(luminance / inflection - k3) + k4
  }

  /// HDR luminance in cd/m² from SDR luminance in cd/m² (clause 6.2).
  package static func inverseTone(_ luminance: Double) -> Double {
    luminance < sdrInflection
      ? luminance / k1 : inflection * (exponential((luminance - k4) / k2) + k3)
  }

  /// A color of BT.2020, linear display light in cd/m², as SDR light whose 100 cd/m² are
  /// `targetPeak`. Components outside 0…10 000 cd/m² are limited to it, NaN counts as 0.
  package func map(_ light: Triple) -> Triple {
    let mixed = corrected(crosstalk(light.contained(in: 0...PQ.peakLuminance)))
    let luminance = (mixed * weights).sum()
    guard luminance > 0 else { return .zero }
    let gain = Self.tone(luminance) / luminance
    return inverseCrosstalk(mixed) * (gain * targetPeak / Self.reportPeak)
  }

  /// The magnitude in cd/m² that components of SDR light are limited to: what blue of 1000 cd/m²
  /// luminance becomes is 20 times the peak.
  package var inverseLimit: Double { 25 * targetPeak }

  /// The matrix that brings R, G and B together (clause 6.1.2).
  package var crosstalk: Matrix3x3 {
    let (own, other) = (1 - 2 * alpha, alpha)
    return Matrix3x3([own, other, other], [other, own, other], [other, other, own])
  }

  /// SDR light as HDR display light in cd/m²: undoes ``map(_:)`` but for its chroma correction.
  package func inverse(_ light: Triple) -> Triple {
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

  /// Chroma lowered above reference white, in CIELAB, hue and lightness kept.
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
