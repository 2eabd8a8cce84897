// SPDX-License-Identifier: GPL-2.0-or-later
/// The electrical-electrical transfer function of Report BT.2390 (5.4.1 "EETF", also BT.2408,
/// annex 5): one luminance of a brighter display as one of a darker display.
///
/// It works on PQ signals, normalized to the range between the source's black and peak. Signals
/// below the knee KS = 1.5·maxLum − 0.5 stay; above it a Hermite spline with slope 1 at the knee
/// and 0 at the end leads to the target's peak. Black is lifted by minLum·(1 − E2)⁴.
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

  // PQ signals of the source's black and of its range.
  private let blackSignal: Double
  private let signalRange: Double
  // The report's names, normalized to that range.
  private let minLum: Double
  private let maxLum: Double
  private let knee: Double

  /// The function between two displays whose black is 0; luminances in cd/m².
  package init(sourcePeak: Double, targetPeak: Double) {
    self.init(sourcePeak: sourcePeak, targetPeak: targetPeak, sourceBlack: 0)
  }

  /// The function between two displays; luminances in cd/m². A target at least as bright as the
  /// source leaves the highlights alone.
  package init(
    sourcePeak: Double, targetPeak: Double, sourceBlack: Double = 0, targetBlack: Double = 0
  ) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    self.sourceBlack = sourceBlack
    self.targetBlack = targetBlack
    blackSignal = PQ.inverseEOTF(sourceBlack)
    signalRange = max(PQ.inverseEOTF(sourcePeak) - blackSignal, 1e-9)
    minLum = max((PQ.inverseEOTF(targetBlack) - blackSignal) / signalRange, 0)
    maxLum = min((PQ.inverseEOTF(targetPeak) - blackSignal) / signalRange, 1)
    // For targets far below the source the report's knee would fall below black.
    knee = max(1.5 * maxLum - 0.5, 0)
  }

  /// A luminance of the source display as one of the target display, both in cd/m².
  ///
  /// Luminance above the source's peak becomes the target's peak; luminance below the source's
  /// black and NaN count as that black.
  package func map(_ luminance: Double) -> Double {
    let light = luminance > sourceBlack ? min(luminance, sourcePeak) : sourceBlack
    let signal = (PQ.inverseEOTF(light) - blackSignal) / signalRange
    // No rounding by PQ and back where nothing changes.
    if signal <= knee, minLum == 0 { return light }
    let compressed = signal <= knee ? signal : spline(signal)
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
