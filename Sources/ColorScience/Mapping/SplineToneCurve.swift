// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve that does not change midtones and skin, and rolls off above them.
///
/// Up to the knee, the output is the input, in cd/m². Above the knee, u and v are the logarithms of
/// input and output relative to the knee, and v = u/(1 + b·u). b is chosen so that the source's
/// peak becomes the target's peak. The slope is 1 at the knee and falls from there on. At the peak,
/// it is still the square of the mean slope, so differences remain up to there.
///
/// For 1000 cd/m² on a target of 203 cd/m² with the default knee of 111.65 cd/m² (65 % HLG):
/// - no luminance up to the knee (78.0 % of a signal of gamma 2.4) changes;
/// - diffuse white (203 cd/m²) gets 90.0 % of the signal (clipping: 100 %, BT.2390: 90.3 %);
/// - highlights from 203 to 1000 cd/m² get the remaining 10.0 % of the signal: those above
///   400 cd/m² get 4.0 % (BT.2390: 2.0 %), and those above 600 cd/m² get 1.9 % (BT.2390: 0.3 %).
///
/// With a lower knee, the slope can fall to `slope` within about 0.1 of u:
/// v = u · (r + s·u) / ((r + u) · (1 + b·u)), where r is 0.1 and s is the slope. If a fifth of a
/// frame is above 203 cd/m², highlights up to 1000 cd/m² get 19 % of the signal.
package struct SplineToneCurve: ToneCurve {
  package static let summary = "keeps midtones and skin, and compresses brighter light"

  /// The brightest luminance of the input, in cd/m².
  package let sourcePeak: Double
  /// The luminance that the brightest input becomes, in cd/m². A source that is not brighter than
  /// this does not change.
  package let targetPeak: Double
  /// The luminance up to which nothing changes, in cd/m².
  package let knee: Double
  /// The slope a little above the knee, in logarithms. At 1, the slope falls only because of
  /// ``bend``.
  package let slope: Double

  /// v = u · (1 + `rise` · u)/(1 + `bend` · u + `fall` · u²). For a slope of 1, `rise` and `fall`
  /// are 0, and `bend` is b.
  package let rise: Double
  /// The factor of u in the denominator; see ``rise``.
  package let bend: Double
  /// The factor of u² in the denominator; see ``rise``.
  package let fall: Double

  /// The r of the formula above: how fast the slope falls to ``slope``.
  private static let transition = 0.1

  /// Makes a curve between two peaks in cd/m², with its knee at 55 % of the target's peak.
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(sourcePeak: sourcePeak, targetPeak: targetPeak, knee: nil)
  }

  /// Makes a curve between two peaks in cd/m².
  ///
  /// - Parameters:
  ///   - knee: limited to 1…99 % of `targetPeak`. `nil` means 55 % of it.
  ///   - slope: the slope above the knee, from 0 to 1. It is raised if the curve would otherwise
  ///     become steeper toward the peak.
  package init(sourcePeak: Double, targetPeak: Double, knee: Double?, slope: Double = 1) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    guard sourcePeak > targetPeak else {
      (self.knee, self.slope) = (targetPeak, 1)
      (rise, bend, fall) = (0, 0, 0)
      return
    }
    // BT.2446-1 (6.1.4) puts skin at 50 % HLG, or 51 cd/m². 55 % of diffuse white is an octave
    // above that, so skin does not change.
    let limited = min(max(knee ?? 0.55 * targetPeak, 0.01 * targetPeak), 0.99 * targetPeak)
    self.knee = limited
    let (source, target) = (
      naturalLogarithm(sourcePeak / limited), naturalLogarithm(targetPeak / limited)
    )
    guard slope < 1 else {
      self.slope = 1
      (rise, bend, fall) = (0, 1 / target - 1 / source, 0)
      return
    }
    let r = Self.transition
    // With a smaller slope, the curve would have to become steeper again toward the peak.
    let least = (target * (r + source) / source - r) / source
    let kept = min(max(slope, least), 1)
    self.slope = kept
    let b = max((r + kept * source) / ((r + source) * target) - 1 / source, 0)
    (rise, bend, fall) = (kept / r, 1 / r + b, b / r)
  }

  /// Makes a curve between two peaks in cd/m², for frames in which this share of pixels, 0…1, is
  /// brighter than the target's peak.
  package init(sourcePeak: Double, targetPeak: Double, brightShare share: Double) {
    guard sourcePeak > targetPeak else {
      self.init(sourcePeak: sourcePeak, targetPeak: targetPeak)
      return
    }
    // Highlights of a small range need less room. Frames with many bright pixels need more room:
    // the knee comes down and the slope falls fast above it, so that only a few midtones become
    // darker.
    let range = naturalLogarithm(sourcePeak / targetPeak) / naturalLogarithm(1000.0 / 203)
    let much = min(max(share / 0.2, 0), 1) * min(range, 1)
    // If half of a frame is bright and nothing is above 1000 cd/m², the curve is nearly a straight
    // line in logarithms.
    let most = min(max((share - 0.38) / 0.14, 0), 1) * min(range, 1)
    // A lower knee and slope help highlights up to 1000 cd/m² more than they harm the midtones, but
    // hardly help highlights of a larger range.
    let near = min(max(1 - 2 * (range - 1), 0), 1)
    self.init(
      sourcePeak: sourcePeak, targetPeak: targetPeak,
      knee: (0.55 - 0.17 * much - (0.035 + 0.105 * near) * most) * targetPeak,
      slope: 1 - 0.5 * much - 0.5 * near * most)
  }

  /// Maps one luminance to another, both in cd/m². Luminance above the source's peak becomes the
  /// target's peak. Negative luminance and NaN count as 0.
  package func map(_ luminance: Double) -> Double {
    guard luminance > knee else { return luminance > 0 ? luminance : 0 }
    guard luminance < sourcePeak else { return targetPeak }
    let u = naturalLogarithm(luminance / knee)
    let v = u * (1 + rise * u) / (1 + (bend + fall * u) * u)
    // The logarithm and its inverse may round to a little above the peak.
    return min(knee * exponential(v), targetPeak)
  }
}
