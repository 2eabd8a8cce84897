// SPDX-License-Identifier: GPL-2.0-or-later
/// A curve from one luminance to another, both in cd/m² on the scale of the HDR frame.
///
/// A new curve is a conforming type in a file of its own, as `SplineToneCurve.swift`, and a case of
/// `ToneMapping` with its line in `curve`: presets, the planner, kernels and their tests read that.
package protocol ToneCurve: Hashable, Sendable {
  /// The meaning in a preset's documentation, behind the name: "is Reinhard's curve".
  static var summary: String { get }

  /// A curve between two peaks in cd/m².
  init(sourcePeak: Double, targetPeak: Double)

  /// The brightest luminance that the curve maps, in cd/m²; brighter light becomes ``targetPeak``.
  var sourcePeak: Double { get }
  /// The luminance that the brightest input becomes, in cd/m².
  var targetPeak: Double { get }
  /// The luminance where the curve bends sharply, in cd/m²: what is brighter is cut off.
  var edge: Double { get }

  /// A luminance after the curve. Never above ``targetPeak``; negative luminances and NaN count as
  /// 0.
  func map(_ luminance: Double) -> Double
}

extension ToneCurve {
  package var edge: Double { sourcePeak }
}

/// Curve that changes nothing up to the target's peak, and cuts off there.
package struct ClippingToneCurve: ToneCurve {
  package static let summary = "cuts off above the peak, where colors stay what they are"

  package let targetPeak: Double
  package var sourcePeak: Double { PQ.peakLuminance }
  package var edge: Double { targetPeak }

  /// A curve between two peaks in cd/m², of which the source's makes no difference.
  package init(sourcePeak: Double = PQ.peakLuminance, targetPeak: Double) {
    self.targetPeak = targetPeak
  }

  package func map(_ luminance: Double) -> Double { luminance > 0 ? min(luminance, targetPeak) : 0 }
}
