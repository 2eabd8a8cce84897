// SPDX-License-Identifier: GPL-2.0-or-later
/// The electrical-electrical transfer function of Report BT.2390 (5.4.1 "EETF", also BT.2408, annex
/// 5). It maps the luminance of a brighter display to that of a darker one.
///
/// It works on PQ signals, normalized to the range between the source's black and peak. In this
/// range, minLum is the target's black and maxLum is the target's peak. Signals below the knee
/// KS = 1.5·maxLum − 0.5 do not change. Above it, a Hermite spline leads to maxLum, with a slope of
/// 1 at the knee and 0 at the end. Then the result E2 is lifted by minLum·(1 − E2)⁴.
package struct BT2390EETF: ToneCurve {
  package static let summary = "is the EETF of BT.2390"

  /// The peak luminance of the source in cd/m².
  package let sourcePeak: Double
  /// The peak luminance of the target in cd/m².
  package let targetPeak: Double
  /// The black luminance of the source in cd/m².
  package let sourceBlack: Double
  /// The black luminance of the target in cd/m².
  package let targetBlack: Double

  // The PQ signal of the source's black, and the distance from there to the signal of the source's
  // peak.
  private let blackSignal: Double
  private let signalRange: Double
  // On the scale of these signals, the source's black is 0, and its peak is 1. `minLum` and
  // `maxLum` are the report's names, and the knee is its KS.
  private let minLum: Double
  private let maxLum: Double
  private let knee: Double

  /// Makes the curve between two displays whose black is 0. Luminances are in cd/m².
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(sourcePeak: sourcePeak, targetPeak: targetPeak, sourceBlack: 0)
  }

  /// Makes the curve between two displays. Luminances are in cd/m². If the target is at least as
  /// bright as the source, highlights do not change.
  package init(
    sourcePeak: Double, targetPeak: Double, sourceBlack: Double = 0, targetBlack: Double = 0
  ) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    self.sourceBlack = sourceBlack
    self.targetBlack = targetBlack
    blackSignal = PQ.inverseEOTF(sourceBlack)
    // This is a divisor, so it must not be 0, even if the source's peak is its black.
    signalRange = max(PQ.inverseEOTF(sourcePeak) - blackSignal, 1e-9)
    minLum = max((PQ.inverseEOTF(targetBlack) - blackSignal) / signalRange, 0)
    maxLum = min((PQ.inverseEOTF(targetPeak) - blackSignal) / signalRange, 1)
    // If the target is much darker than the source, the report's knee would fall below black.
    knee = max(1.5 * maxLum - 0.5, 0)
  }

  /// Maps one luminance to another, both in cd/m².
  ///
  /// Luminance above the source's peak counts as that peak. Luminance below the source's black, and
  /// NaN, count as that black.
  package func map(_ luminance: Double) -> Double {
    let light = luminance > sourceBlack ? min(luminance, sourcePeak) : sourceBlack
    let signal = (PQ.inverseEOTF(light) - blackSignal) / signalRange
    // Conversion to PQ and back would round luminances that should not change.
    if signal <= knee, minLum == 0 { return light }
    let compressed = signal <= knee ? signal : spline(signal)
    // The lift fades with the fourth power, so only the darkest tones are raised.
    let room = 1 - compressed
    let lifted = compressed + minLum * room * room * room * room
    return PQ.eotf(lifted * signalRange + blackSignal)
  }

  private func spline(_ signal: Double) -> Double {
    guard knee < 1 else { return min(signal, 1) }
    let t = min((signal - knee) / (1 - knee), 1)
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee)
      + (3 * t2 - 2 * t3) * maxLum
  }
}
