// SPDX-License-Identifier: GPL-2.0-or-later
/// A tone curve of one luminance that holds midtones and skin exactly and rolls off above them.
///
/// Up to the knee the output is the input, in cd/m². Above it, with u and v as the logarithms of
/// input and output relative to the knee, v = u/(1 + b·u), with b such that the source's peak
/// becomes the target's. The slope is 1 at the knee, falls all the way, and at the peak it is still
/// the square of the mean slope, so differences remain up to there.
///
/// For 1000 cd/m² on a target of 203 cd/m² with the default knee of 111.65 cd/m² (65 % HLG):
/// - every luminance up to the knee (78.0 % of a signal of gamma 2.4) stays exactly as it is;
/// - diffuse white (203 cd/m²) gets 90.0 % of the signal, where a clip gives 100 % and BT.2390
///   90.3 %;
/// - the highlights from 203 to 1000 cd/m² get the remaining 10.0 %, those from 400 cd/m² on 4.0 %
///   (BT.2390: 2.0 %) and those from 600 cd/m² on 1.9 % (BT.2390: 0.3 %).
///
/// With a lower knee, the slope can fall to `slope` within a tenth of u:
/// v = u · (r + s·u) / ((r + u) · (1 + b·u)), with r = 0.1 and s the slope. If a fifth of a frame
/// is above 203 cd/m², the highlights up to 1000 get 19 % of the signal.
package struct SplineToneCurve: ToneCurve {
  package static let summary = "keeps midtones and skin, and rolls off above"

  /// The brightest luminance that comes in, in cd/m².
  package let sourcePeak: Double
  /// The luminance that the brightest one becomes, in cd/m². A source that is not brighter stays as
  /// it is.
  package let targetPeak: Double
  /// The luminance up to which nothing changes, in cd/m².
  package let knee: Double
  /// The slope a little above the knee, in logarithms. At 1, only the bend makes it fall.
  package let slope: Double

  /// v = u · (1 + `rise` · u)/(1 + `bend` · u + `fall` · u²). For a slope of 1, `rise` and `fall`
  /// are 0, and `bend` is b.
  package let rise: Double
  /// The factor of u below the line; see ``rise``.
  package let bend: Double
  /// The factor of u² below the line; see ``rise``.
  package let fall: Double

  /// The r of the change of slope.
  private static let transition = 0.1

  /// Makes a curve between two peaks in cd/m², with its knee at 55 % of the target's.
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(sourcePeak: sourcePeak, targetPeak: targetPeak, knee: nil)
  }

  /// Makes a curve between two peaks in cd/m².
  ///
  /// - Parameters:
  ///   - knee: limited to 1…99 % of `targetPeak`. `nil` means 55 % of it.
  ///   - slope: the slope above the knee, from 0 to 1. It is raised if less would make the curve
  ///     steeper toward the peak.
  package init(sourcePeak: Double, targetPeak: Double, knee: Double?, slope: Double = 1) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    guard sourcePeak > targetPeak else {
      (self.knee, self.slope) = (targetPeak, 1)
      (rise, bend, fall) = (0, 0, 0)
      return
    }
    // 55 % of diffuse white is an octave above where BT.2446-1 (6.1.4) finds skin: 50 % HLG,
    // 51 cd/m². So skin stays as it is.
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
    // With less than this, the curve would have to get steeper again toward the peak.
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
    // Highlights of a small range need less room. Frames with much above white need more: the knee
    // comes down and the slope falls fast above it, so that only a few midtones become darker.
    let range = naturalLogarithm(sourcePeak / targetPeak) / naturalLogarithm(1000.0 / 203)
    let much = min(max(share / 0.2, 0), 1) * min(range, 1)
    // If half of a frame is bright and nothing is above 1000 cd/m², the curve is nearly a straight
    // line in logarithms.
    let most = min(max((share - 0.38) / 0.14, 0), 1) * min(range, 1)
    // A lower knee and slope help highlights of up to 1000 cd/m² more than they cost the midtones.
    // Highlights of a large range hardly gain from them.
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
