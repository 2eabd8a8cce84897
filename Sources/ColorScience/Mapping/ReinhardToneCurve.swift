// SPDX-License-Identifier: GPL-2.0-or-later
/// The tone curve of Reinhard (2002), formula 4, between two peaks.
///
/// If it is applied to the largest of R, G and B (``ToneNorm/maxRGB``), it equals `tonemap_maxrgb`
/// in Warren Moore's "Rendering HDR Video with AVFoundation and Metal".
package struct ReinhardToneCurve: ToneCurve {
  package static let summary = "is Reinhard's curve"

  package let sourcePeak: Double
  package let targetPeak: Double

  package init(sourcePeak: Double, targetPeak: Double) {
    (self.sourcePeak, self.targetPeak) = (sourcePeak, targetPeak)
  }

  package func map(_ luminance: Double) -> Double {
    let light = luminance > 0 ? min(luminance, max(sourcePeak, targetPeak)) : 0
    return min(light * gain(light / targetPeak), targetPeak)
  }

  /// Returns the factor for light. The light is in units of the target's peak.
  private func gain(_ light: Double) -> Double {
    let brightest = sourcePeak / targetPeak
    // If the source is not brighter than the target, no curve is needed, and the formula would make
    // light brighter.
    guard brightest > 1 else { return 1 }
    let a = 1 / (brightest * brightest)
    return (1 + a * light) / (1 + light)
  }
}
