// SPDX-License-Identifier: GPL-2.0-or-later

/// Defines differences between the samples of two planes. Vector code is tested against these
/// definitions.
package enum SampleDifference {
  /// The side of SSIM's windows, in samples.
  package static let window = 8
  /// The distance from one window to the next in samples, across and down.
  package static let step = 4
  /// K1 and K2 of Wang, Bovik, Sheikh and Simoncelli (2004), equations 8 and 9. Together with the
  /// peak L, they make the constants (K · L)², which keep quotients finite.
  private static let factors = (mean: 0.01, variance: 0.03)

  /// Returns the largest code value of a depth. PSNR and SSIM are relative to it.
  package static func peak(bitDepth: Int) -> Double { Double(UInt64(1) << UInt64(bitDepth)) - 1 }

  /// Returns C1 and C2 of SSIM for a peak.
  package static func constants(peak: Double) -> (mean: Double, variance: Double) {
    let (mean, variance) = (factors.mean * peak, factors.variance * peak)
    return (mean * mean, variance * variance)
  }

  package static func meanSquaredError(_ first: [Double], _ second: [Double]) -> Double {
    let sum = zip(first, second).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return sum / Double(max(first.count, 1))
  }

  /// Returns PSNR in dB, or infinity if nothing differs.
  package static func signalToNoise(meanSquaredError: Double, peak: Double) -> Double {
    meanSquaredError > 0
      ? 10 * decimalLogarithm(peak * peak / meanSquaredError) : .infinity
  }

  /// Returns SSIM: the similarity of means, variances and covariance, averaged over all windows.
  /// Returns `nil` for planes smaller than a window.
  package static func structuralSimilarity(
    _ first: [Double], _ second: [Double], width: Int, height: Int, peak: Double
  ) -> Double? {
    guard width >= window, height >= window else { return nil }
    var (sum, count) = (0.0, 0)
    // Windows begin at whole steps, so a few columns at the right and a few rows at the bottom can
    // be outside all windows.
    for top in stride(from: 0, through: height / step * step - window, by: step) {
      for left in stride(from: 0, through: width / step * step - window, by: step) {
        // All samples of a window have the same weight, as in the SSIM of x264 and FFmpeg. The
        // paper has Gaussian weights.
        let places = (0..<window * window).map { index in
          (top + index / window) * width + left + index % window
        }
        sum += similarity(places.map { first[$0] }, places.map { second[$0] }, peak: peak)
        count += 1
      }
    }
    return sum / Double(count)
  }

  private static func similarity(_ first: [Double], _ second: [Double], peak: Double) -> Double {
    let count = Double(first.count)
    let means = (first.reduce(0, +) / count, second.reduce(0, +) / count)
    var (variance, covariance) = (0.0, 0.0)
    for (a, b) in zip(first, second) {
      let (a, b) = (a - means.0, b - means.1)
      variance += (a * a + b * b) / (count - 1)
      covariance += a * b / (count - 1)
    }
    let constants = constants(peak: peak)
    return (2 * means.0 * means.1 + constants.mean) * (2 * covariance + constants.variance)
      / ((means.0 * means.0 + means.1 * means.1 + constants.mean)
        * (variance + constants.variance))
  }
}
