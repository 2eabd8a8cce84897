// SPDX-License-Identifier: GPL-2.0-or-later
/// The tone curve that is fitted to the highlights of a shot.
///
/// Up to the knee, nothing changes. From there to the shoulder, the curve is a straight line in
/// logarithms, so that all these highlights keep the same share of their contrast. Above the
/// shoulder, the line is flatter.
package struct FittedToneCurve: KneeToneCurve {
  package static let summary = "keeps midtones, and gives highlights the room that they need"

  package let sourcePeak: Double
  package let targetPeak: Double
  package let knee: Double
  /// The luminance above which highlights keep less of their contrast, in cd/m².
  package let shoulder: Double

  // With u = ln(luminance/knee) and v = ln(result/knee), the curve is
  // v = a·u + (1 − a)·r·u/(u + r) − b·(h(u − s) − h(−s)). The second term makes the slope 1 at the
  // knee. The third one bends the line at the shoulder s; h(x) = (x + √(x² + w²))/2 is a smooth
  // ramp.

  /// The a of the formula: the slope of the line.
  private let slope: Double
  /// The b of the formula: by how much the shoulder lowers the slope.
  private let bend: Double
  /// The s of the formula.
  private let shoulderPlace: Double

  /// The r of the formula: how soon above the knee the slope falls from 1.
  private static let transition = 0.1
  /// The w of the formula: the width of the shoulder.
  private static let width = 0.4
  /// The share of the slope that the shoulder takes away.
  private static let lost = 0.7
  /// The factor of ``vividness``. If it is larger, highlights keep more of their chroma; if it is
  /// smaller, more of their contrast.
  private static let growth = 3.35
  /// The largest ``vividness``. If it were larger, neon in PQ would lose its structure, because
  /// PQ's neon is brighter than HLG can show.
  private static let mostVivid = 1.15
  /// The range of knees, as shares of the target's peak. At the upper end, a gray of 203 cd/m² gets
  /// nine tenths of the signal. The lower end is at 50 % HLG, where BT.2446-1 (6.1.4) finds skin.
  package static let knees = 0.26...0.65

  /// Makes a curve for a shot without highlights.
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(
      sourcePeak: sourcePeak, targetPeak: targetPeak, shoulder: sourcePeak,
      knee: Self.knees.upperBound * targetPeak)
  }

  /// Makes a curve between two peaks in cd/m².
  ///
  /// - Parameters:
  ///   - shoulder: the luminance above which highlights keep less of their contrast, in cd/m². It
  ///     is limited to the range between the two peaks.
  ///   - knee: the luminance up to which nothing changes, in cd/m², below the target's peak.
  package init(sourcePeak: Double, targetPeak: Double, shoulder: Double, knee: Double) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    self.shoulder = min(max(shoulder, targetPeak), max(sourcePeak, targetPeak))
    guard sourcePeak > targetPeak else {
      (self.knee, slope, bend, shoulderPlace) = (targetPeak, 1, 0, 0)
      return
    }
    self.knee = knee
    let (source, target) = (
      naturalLogarithm(sourcePeak / knee), naturalLogarithm(targetPeak / knee)
    )
    let place = naturalLogarithm(self.shoulder / knee)
    // If the two peaks are close to each other, a full shoulder would need a slope above 1.
    let lost = Self.lost * min((source - target) / 0.5, 1)
    let early = Self.transition * source / (source + Self.transition)
    let ramp = Self.ramp(source - place) - Self.ramp(-place)
    let slope = (target - early) / (source - early - lost * ramp)
    (self.slope, bend, shoulderPlace) = (slope, lost * slope, place)
  }

  /// Makes a curve between two peaks in cd/m², with the knee that gives diffuse white a certain
  /// share of the signal. Diffuse white is a gray of the target's peak.
  ///
  /// - Parameter white: the share of the signal, for a display with a gamma of 2.4 (BT.1886). It is
  ///   limited to what the range of knees allows.
  package init(sourcePeak: Double, targetPeak: Double, shoulder: Double, white: Double) {
    var (low, high) = (Self.knees.lowerBound, Self.knees.upperBound)
    func curve(_ knee: Double) -> Self {
      Self(
        sourcePeak: sourcePeak, targetPeak: targetPeak, shoulder: shoulder,
        knee: knee * targetPeak)
    }
    // A lower knee makes white darker. Each step halves the range, so 30 steps leave a billionth of
    // it.
    for _ in 0..<30 {
      let middle = (low + high) / 2
      if curve(middle).white < white { low = middle } else { high = middle }
    }
    self = curve(high)
  }

  /// How much the norm of a vivid color is enlarged before its gain is computed; see
  /// ``KneeToneCurve``. A color's gain falls as its enlarged norm rises. With too much enlargement,
  /// the gain would fall faster than the light rises, and a brighter color would come out darker.
  /// So a flatter curve allows less enlargement.
  package var vividness: Double {
    guard rollsOff else { return 0 }
    let rise = slope / (1 - slope)
    return min(Self.growth * rise * rise, Self.mostVivid)
  }

  /// The share of the signal that diffuse white gets, on a display with a gamma of 2.4.
  package var white: Double { signedPower(map(targetPeak) / targetPeak, 1 / 2.4) }

  private static func ramp(_ x: Double) -> Double { (x + (x * x + width * width).squareRoot()) / 2 }

  package func map(_ luminance: Double) -> Double {
    guard luminance > knee else { return luminance > 0 ? luminance : 0 }
    guard luminance < sourcePeak else { return targetPeak }
    let u = naturalLogarithm(luminance / knee)
    let r = Self.transition
    let ramp = Self.ramp(u - shoulderPlace) - Self.ramp(-shoulderPlace)
    let v = slope * u + (1 - slope) * r * u / (u + r) - bend * ramp
    // The logarithm and its inverse may round to a little above the peak.
    return min(knee * exponential(v), targetPeak)
  }
}
