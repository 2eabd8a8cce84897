// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
internal import ColorScience

extension FrameMetric {
  /// PSNR, from the mean squared error over all frames. Undefined if no sample differs.
  static let psnr = FrameMetric(
    key: "psnr", name: "PSNR", unit: "dB", needs: .codeValues, parts: planes(decimals: 2),
    absence: "identical",
    plot: Plot(title: "PSNR dB", range: 30...50, curves: [(0, "Y", .green)]),
    sums: { PlaneSums { $0.signalToNoise } })

  /// SSIM, averaged over all frames. Undefined for planes that are too small.
  static let ssim = FrameMetric(
    key: "ssim", name: "SSIM", needs: .codeValues, parts: planes(decimals: 5),
    plot: Plot(title: "SSIM", range: 0.9...1, curves: [(0, "Y", .green)]),
    sums: { PlaneSums { $0.similarity } })

  /// Returns the parts: one for each plane, and one for all samples together. For R′G′B′, the
  /// planes are G, B, R.
  private static func planes(decimals: Int) -> [Part] {
    [("y", "Y"), ("cb", "Cb"), ("cr", "Cr"), ("weighted", "all")].map {
      Part(key: $0.0, name: $0.1, decimals: decimals)
    }
  }
}

/// Sums over frames, separately for each plane.
private struct PlaneSums: MetricSums {
  private struct Plane {
    var squares = 0.0
    var count = 0.0
    var similarity = 0.0
    var hasSimilarity = true
    var frames = 0.0
  }

  private var planes: [Plane] = []
  private var peak = 0.0
  private let measure: @Sendable (PlaneSums) -> [Double?]

  init(_ measure: @escaping @Sendable (PlaneSums) -> [Double?]) { self.measure = measure }

  /// Adds a pair, and returns the value of its first plane only.
  mutating func add(_ pair: ComparedPair) -> [Double?] {
    append(pair)
    var alone = PlaneSums(measure)
    alone.append(pair)
    return Array(alone.numbers.prefix(1))
  }

  private mutating func append(_ pair: ComparedPair) {
    peak = pair.peak
    if planes.isEmpty { planes = pair.planes.map { _ in Plane() } }
    for (index, plane) in pair.planes.enumerated() {
      planes[index].squares += plane.squaredError
      planes[index].count += Double(plane.count)
      planes[index].similarity += plane.similarity ?? 0
      planes[index].hasSimilarity = planes[index].hasSimilarity && plane.similarity != nil
      planes[index].frames += 1
    }
  }

  var numbers: [Double?] { measure(self) }

  var signalToNoise: [Double?] {
    // PSNR comes from the mean error over all frames, not from the mean of the frames' PSNRs. That
    // mean would be infinite if a single frame were identical.
    func value(_ squares: Double, _ count: Double) -> Double? {
      let value = SampleDifference.signalToNoise(
        meanSquaredError: squares / max(count, 1), peak: peak)
      return value.isFinite ? value : nil
    }
    return three(planes.map { value($0.squares, $0.count) })
      + [value(planes.reduce(0) { $0 + $1.squares }, planes.reduce(0) { $0 + $1.count })]
  }

  var similarity: [Double?] {
    let measured = planes.filter { $0.frames > 0 && $0.hasSimilarity }
    let samples = measured.reduce(0) { $0 + $1.count }
    // Each plane has a weight in proportion to its samples, so in 4:2:0, luma has four times the
    // weight of each chroma plane.
    let sum = measured.reduce(0) { $0 + $1.similarity / $1.frames * $1.count }
    return three(
      planes.map { $0.hasSimilarity && $0.frames > 0 ? $0.similarity / $0.frames : nil })
      + [samples > 0 ? sum / samples : nil]
  }

  /// Pads numbers to three planes, with `nil` for planes that do not exist.
  private func three(_ numbers: [Double?]) -> [Double?] {
    (0..<3).map { numbers.indices.contains($0) ? numbers[$0] : nil }
  }
}
