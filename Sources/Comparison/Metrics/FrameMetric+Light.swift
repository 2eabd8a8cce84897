// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion

extension FrameMetric {
  /// ΔE ITP over all pixels of all frames (BT.2124).
  static let deltaEITP = FrameMetric(
    key: "deltaEITP", name: "ΔE ITP", needs: .light,
    parts: [
      Part(key: "mean", name: "mean", decimals: 3),
      Part(key: "percentile95", name: "95 %", decimals: 2),
      Part(key: "maximum", name: "maximum", decimals: 2),
    ],
    plot: Plot(
      title: "dE ITP", range: 0...1, curves: [(1, "95 %", .red), (0, "mean", .blue)]),
    sums: { LightSums() })
}

/// Sums of ΔE ITP. They are kept in the meter that measures all pairs.
private struct LightSums: MetricSums {
  private var meter: LightDifferenceMeter?

  mutating func add(_ pair: ComparedPair) -> [Double?] {
    // Percentiles need a histogram of all pixels, which only the meter has.
    meter = pair.light?.meter
    return Self.numbers(pair.light?.ofPair)
  }

  var numbers: [Double?] { Self.numbers(meter?.summary) }

  private static func numbers(_ summary: LightDifferenceMeter.Summary?) -> [Double?] {
    summary.map { [$0.mean, $0.percentile95, $0.maximum] } ?? []
  }
}
