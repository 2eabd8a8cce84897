// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve that does not change midtones and skin, and compresses brighter light.
///
/// Up to the knee, the output is the input, in cd/m². Above the knee, u and v are the logarithms of
/// input and output relative to the knee, and v = u/(1 + b·u). b is chosen so that the source's
/// peak becomes the target's peak. The slope is 1 at the knee and falls from there on. At the peak,
/// the slope is still the square of the mean slope, so differences remain up to the peak.
///
/// For 1000 cd/m² on a target of 203 cd/m² with the default knee of 111.65 cd/m² (65 % HLG):
/// - no luminance up to the knee (78.0 % of a signal of gamma 2.4) changes;
/// - diffuse white (203 cd/m²) gets 90.0 % of the signal (clipping: 100 %, BT.2390: 90.3 %);
/// - highlights from 203 to 1000 cd/m² get the remaining 10.0 % of the signal. The part above
///   400 cd/m² gets 4.0 % (BT.2390: 2.0 %), and the part above 600 cd/m² gets 1.9 % (BT.2390:
///   0.3 %).
package struct SplineToneCurve: KneeToneCurve {
  package static let summary = "keeps midtones and skin, and compresses brighter light"

  package let sourcePeak: Double
  package let targetPeak: Double
  package let knee: Double

  /// The b of the formula above.
  private let bend: Double

  /// Makes a curve between two peaks in cd/m², with its knee at 55 % of the target's peak.
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(sourcePeak: sourcePeak, targetPeak: targetPeak, knee: nil)
  }

  /// Makes a curve between two peaks in cd/m².
  ///
  /// - Parameter knee: limited to 1…99 % of `targetPeak`. `nil` means 55 % of it.
  package init(sourcePeak: Double, targetPeak: Double, knee: Double?) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    guard sourcePeak > targetPeak else {
      (self.knee, bend) = (targetPeak, 0)
      return
    }
    // BT.2446-1 (6.1.4) puts skin at 50 % HLG, or 51 cd/m². 55 % of diffuse white (203 cd/m²) is
    // more than twice that, so skin does not change.
    let limited = min(max(knee ?? 0.55 * targetPeak, 0.01 * targetPeak), 0.99 * targetPeak)
    self.knee = limited
    bend = 1 / naturalLogarithm(targetPeak / limited) - 1 / naturalLogarithm(sourcePeak / limited)
  }

  package func map(_ luminance: Double) -> Double {
    guard luminance > knee else { return luminance > 0 ? luminance : 0 }
    guard luminance < sourcePeak else { return targetPeak }
    let u = naturalLogarithm(luminance / knee)
    // The logarithm and its inverse may round to a little above the peak.
    return min(knee * exponential(u / (1 + bend * u)), targetPeak)
  }
}
