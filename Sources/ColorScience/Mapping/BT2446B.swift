// SPDX-License-Identifier: GPL-2.0-or-later
private import CodePoints

/// Method B of Report BT.2446-1, clause 5: HDR to SDR, with midtones that look as if the frames had
/// been graded in SDR.
///
/// The method computes HLG's light on a display with a peak of 291 cd/m² and a system gamma of
/// 1.03. Up to 78 % of SDR's signal, this light is the result. Above 78 %, luminance rolls off to
/// SDR's peak, and chromaticity does not change. Reference white becomes 86 % of SDR's signal.
///
/// The method is made for HLG. PQ is treated as the light of an HLG display with the source's peak,
/// so a brighter peak makes everything else darker: reference white becomes 86 % for a peak of
/// 1000 cd/m² and 66 % for one of 4000.
package struct BT2446B: Hashable, Sendable {
  // These figures are second-hand: 291, 1.03 and "around 90 %" for reference white come from pull
  // request 15 of nyanmisaka/jellyfin-ffmpeg, and comments in soufianekhiat/alwan and
  // imazen/zentone give 78 %. Together, these figures turn reference white into 88 % before the
  // curve.

  /// The peak of the HLG display whose light is computed, in cd/m².
  package static let displayPeak = 291.0
  /// The system gamma of that display.
  package static let displayGamma = 1.03
  /// SDR's peak in the report's figures, in cd/m².
  package static let reportPeak = 100.0
  private static let kneeSignal = 0.78

  /// The peak of the HDR frame, in cd/m².
  package let sourcePeak: Double
  /// The luminance, in cd/m², that the report's SDR peak (100 cd/m²) gets in the result.
  package let targetPeak: Double
  /// How much R, G and B contribute to luminance.
  package let weights: Triple
  /// The curve from the display's light to SDR's, in cd/m².
  package let curve: SplineToneCurve
  /// Luminance, as a share of the source's peak, is raised to this exponent.
  package let exponent: Double

  /// Prepares the method for HLG on a display with this peak luminance in the reference surround,
  /// or for PQ with this peak.
  package init(sourcePeak: Double = 1000, targetPeak: Double = 203) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    weights = RGBSpace(.bt2020)?.luminanceWeights ?? Triple(0.2627, 0.6780, 0.0593)
    exponent = Self.displayGamma / HLG.systemGamma(peakLuminance: sourcePeak)
    // Above 78 %, the report draws the curve but gives no equation. Here, a spline follows the
    // straight piece. It begins with the slope of that piece, and maps HDR's peak to SDR's.
    curve = SplineToneCurve(
      sourcePeak: Self.displayPeak, targetPeak: Self.reportPeak,
      knee: Self.reportPeak * ComponentTransfer.bt1886.toLinear(Self.kneeSignal))
  }

  /// Maps the luminance of the frame to that of the display with ``displayPeak``, both in cd/m².
  package func displayLuminance(_ luminance: Double) -> Double {
    Self.displayPeak * signedPower(luminance / sourcePeak, exponent)
  }

  /// Maps a color of BT.2020, linear display light in cd/m², to SDR light, in which the report's
  /// 100 cd/m² become `targetPeak`.
  ///
  /// Components are limited to 0…`sourcePeak`, and NaN counts as 0. The result of saturated colors
  /// can be outside 0…`targetPeak`.
  package func map(_ light: Triple) -> Triple {
    let color = light.contained(in: 0...sourcePeak)
    let luminance = (color * weights).sum()
    guard luminance > 0 else { return .zero }
    let gain = curve.map(displayLuminance(luminance)) / luminance
    return color * (gain * targetPeak / Self.reportPeak)
  }
}
