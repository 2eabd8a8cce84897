// SPDX-License-Identifier: GPL-2.0-or-later
/// A curve from one luminance to another, both in cd/m² on the scale of the HDR frame.
///
/// To add a curve, write a type in a file of its own, as in `SplineToneCurve.swift`, and add a case
/// to `ToneMapping` and a line for the case to `curve`. Presets, the planner, kernels and their
/// tests follow from that case.
package protocol ToneCurve: Hashable, Sendable {
  /// What the curve does, for a preset's documentation. The words, such as "is Reinhard's curve",
  /// follow the curve's name.
  static var summary: String { get }

  /// Makes a curve between two peaks in cd/m².
  init(sourcePeak: Double, targetPeak: Double)

  /// The brightest luminance that the curve maps, in cd/m². Brighter light becomes ``targetPeak``.
  var sourcePeak: Double { get }
  /// The luminance that the brightest input becomes, in cd/m².
  var targetPeak: Double { get }
  /// The luminance at which the curve has a corner, in cd/m². Brighter light is cut off.
  var edge: Double { get }

  /// Maps a luminance. The result is never above ``targetPeak``. Negative luminance and NaN count
  /// as 0.
  func map(_ luminance: Double) -> Double
}

extension ToneCurve {
  package var edge: Double { sourcePeak }
}

/// A tone curve that changes nothing up to a knee.
package protocol KneeToneCurve: ToneCurve {
  /// The luminance up to which nothing changes, in cd/m². If the source is not brighter than the
  /// target, the knee is the target's peak.
  var knee: Double { get }
  /// How much the norm of vivid colors is enlarged. Its part above the knee is multiplied by
  /// 1 + `vividness` · (ratio − 1). The ratio is a color's largest component in the output's
  /// primaries, divided by its largest component in the source's primaries.
  var vividness: Double { get }
}

extension KneeToneCurve {
  package var vividness: Double { 0 }
  /// Whether the curve changes anything.
  package var rollsOff: Bool { sourcePeak > targetPeak }
}

/// A curve that changes nothing up to the target's peak and cuts off there.
package struct ClippingToneCurve: ToneCurve {
  package static let summary = "keeps colors up to the output's peak and clips brighter ones"

  package let targetPeak: Double
  package var sourcePeak: Double { PQ.peakLuminance }
  package var edge: Double { targetPeak }

  /// Makes a curve that cuts off at the target's peak. The source's peak makes no difference.
  package init(sourcePeak: Double = PQ.peakLuminance, targetPeak: Double) {
    self.targetPeak = targetPeak
  }

  package func map(_ luminance: Double) -> Double { luminance > 0 ? min(luminance, targetPeak) : 0 }
}
