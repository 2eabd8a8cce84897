// SPDX-License-Identifier: GPL-2.0-or-later
/// The tone curve of Reinhard (2002), formula 4, between two peaks.
package struct ReinhardToneCurve: ToneCurve {
  package static let summary = "is Reinhard's curve"

  package let sourcePeak: Double
  package let targetPeak: Double

  package init(sourcePeak: Double, targetPeak: Double) {
    (self.sourcePeak, self.targetPeak) = (sourcePeak, targetPeak)
  }

  package func map(_ luminance: Double) -> Double {
    let light = luminance > 0 ? min(luminance, max(sourcePeak, targetPeak)) : 0
    let curve = MaxRGBReinhard(maxInput: sourcePeak / targetPeak, maxOutput: 1)
    return min(light * curve.gain(light / targetPeak), targetPeak)
  }
}

/// The tone curve of Reinhard (2002), formula 4, applied to the largest of R, G and B so that no
/// component leaves the range and their ratios stay.
///
/// After Warren Moore, "Rendering HDR Video with AVFoundation and Metal", `tonemap_maxrgb`.
package struct MaxRGBReinhard: Hashable, Sendable {
  /// The largest light that comes in, in units of reference white.
  package let maxInput: Double
  /// The largest light that comes out, in the same units.
  package let maxOutput: Double

  /// A curve between two peaks.
  package init(maxInput: Double, maxOutput: Double) {
    self.maxInput = maxInput
    self.maxOutput = maxOutput
  }

  /// The factor for a color whose largest component is `largest`.
  package func gain(_ largest: Double) -> Double {
    guard maxInput > maxOutput else { return 1 }
    let a = maxOutput / (maxInput * maxInput)
    let b = 1 / maxOutput
    return (1 + a * largest) / (1 + b * largest)
  }

  /// A color after the curve.
  package func map(_ color: Triple) -> Triple { color * gain(max(color.max(), 0)) }
}
