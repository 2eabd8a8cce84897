/// A curve from one luminance to another, both in cd/m² on the scale of the HDR frame.
package enum ToneCurve: Hashable, Sendable {
  /// Everything as it is up to the target's peak, where it is cut off.
  case clip(targetPeak: Double)
  /// Reinhard's curve between two peaks (``MaxRGBReinhard``).
  case reinhard(sourcePeak: Double, targetPeak: Double)
  /// The EETF of BT.2390.
  case bt2390(BT2390EETF)
  /// Identity up to a knee, a roll-off above.
  case spline(SplineToneCurve)

  /// The luminance that the brightest input becomes, in cd/m².
  package var targetPeak: Double {
    switch self {
    case .clip(let peak), .reinhard(_, let peak): peak
    case .bt2390(let eetf): eetf.targetPeak
    case .spline(let curve): curve.targetPeak
    }
  }

  /// The brightest luminance that is told apart, in cd/m².
  package var sourcePeak: Double {
    switch self {
    case .clip: PQ.peakLuminance
    case .reinhard(let peak, _): peak
    case .bt2390(let eetf): eetf.sourcePeak
    case .spline(let curve): curve.sourcePeak
    }
  }

  /// The luminance where the curve bends sharply, in cd/m²: what is brighter is cut off.
  package var edge: Double {
    if case .clip(let peak) = self { peak } else { sourcePeak }
  }

  /// A luminance after the curve. Never above ``targetPeak``; negative luminances and NaN count as
  /// 0.
  package func map(_ luminance: Double) -> Double {
    switch self {
    case .clip(let peak): return luminance > 0 ? min(luminance, peak) : 0
    case .reinhard(let sourcePeak, let targetPeak):
      let light = luminance > 0 ? min(luminance, max(sourcePeak, targetPeak)) : 0
      let curve = MaxRGBReinhard(maxInput: sourcePeak / targetPeak, maxOutput: 1)
      return min(light * curve.gain(light / targetPeak), targetPeak)
    case .bt2390(let eetf): return eetf.map(luminance)
    case .spline(let curve): return curve.map(luminance)
    }
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
