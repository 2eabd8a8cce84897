// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve of one luminance that holds midtones and skin exactly and rolls off above them.
///
/// Two pieces that meet with equal slopes. Up to the knee the output is the input, in cd/m². Above
/// it, with u and v as the logarithms of input and output relative to the knee, v = u/(1 + b·u),
/// with b such that the source's peak becomes the target's: slope 1 at the knee, falling all the
/// way, and at the peak still the square of the mean slope, so that differences remain up to there.
///
/// For 1000 cd/m² on a target of 203 cd/m² and its default knee of 111.65 cd/m² (65 % HLG), an
/// octave above where BT.2446-1 (6.1.4) finds skin (50 % HLG, 51 cd/m²):
/// - every luminance up to the knee (78.0 % of a signal of gamma 2.4) stays exactly as it is;
/// - diffuse white (203 cd/m²) gets 90.0 % of the signal, where a clip gives 100 % and BT.2390
///   90.3 %;
/// - the highlights from 203 to 1000 cd/m² get the remaining 10.0 %, those from 400 cd/m² on 4.0 %
///   (BT.2390: 2.0 %) and those from 600 cd/m² on 1.9 % (BT.2390: 0.3 %).
package struct SplineToneCurve: ToneCurve {
  package static let summary = "keeps midtones and skin, and rolls off above"

  /// The brightest luminance that comes in, in cd/m².
  package let sourcePeak: Double
  /// The luminance that it becomes, in cd/m². A source that is not brighter stays as it is.
  package let targetPeak: Double
  /// The luminance up to which nothing changes, in cd/m².
  package let knee: Double

  /// The b of the roll-off.
  package let bend: Double

  /// A curve between two peaks in cd/m², with its knee at 55 % of the target's.
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(sourcePeak: sourcePeak, targetPeak: targetPeak, knee: nil)
  }

  /// A curve between two peaks in cd/m².
  ///
  /// - Parameter knee: limited to 1…99 % of `targetPeak`; nil: 55 % of it.
  package init(sourcePeak: Double, targetPeak: Double, knee: Double?) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    guard sourcePeak > targetPeak else {
      self.knee = targetPeak
      bend = 0
      return
    }
    let limited = min(max(knee ?? 0.55 * targetPeak, 0.01 * targetPeak), 0.99 * targetPeak)
    self.knee = limited
    bend = 1 / naturalLogarithm(targetPeak / limited) - 1 / naturalLogarithm(sourcePeak / limited)
  }

  /// The source's peak above the knee in octaves.
  package var octaves: Double { binaryLogarithm(max(sourcePeak / knee, 1)) }

  /// A luminance after the curve, both in cd/m². Luminances above the source's peak become the
  /// target's peak; negative luminances and NaN count as 0.
  package func map(_ luminance: Double) -> Double {
    guard luminance > knee else { return luminance > 0 ? luminance : 0 }
    guard luminance < sourcePeak else { return targetPeak }
    let u = naturalLogarithm(luminance / knee)
    return min(knee * exponential(u / (1 + bend * u)), targetPeak)
  }
}
