// SPDX-License-Identifier: GPL-2.0-or-later

/// How long work takes on this machine: a time for each file, and a time for each pixel.
struct WorkTime {
  private let secondsOfFile: Double
  private let secondsOfPixel: Double

  /// Fits the two times to work that was measured, by least squares.
  ///
  /// - Returns: `nil` without measurements.
  init?(_ costs: [WorkCost]) {
    guard !costs.isEmpty else { return nil }
    let count = Double(costs.count)
    let seconds = costs.map(\.seconds).reduce(0, +) / count
    let pixels = costs.map(\.pixels).reduce(0, +) / count
    // Large files take longer in total, so an error there counts less. Weighted by size, many
    // small files and a few large ones are both met.
    var (product, square) = (0.0, 0.0)
    for cost in costs {
      let weight = 1 / max(cost.pixels, 1)
      product += weight * (cost.pixels - pixels) * (cost.seconds - seconds)
      square += weight * (cost.pixels - pixels) * (cost.pixels - pixels)
    }
    let slope = square > 0 ? product / square : 0
    // With files of one size, or with noise, no such split is known: all time counts as time of
    // pixels.
    guard slope > 0, seconds - slope * pixels >= 0 else {
      (secondsOfFile, secondsOfPixel) = (0, pixels > 0 ? seconds / pixels : 0)
      return
    }
    (secondsOfFile, secondsOfPixel) = (seconds - slope * pixels, slope)
  }

  /// Returns the time of a file, in seconds.
  ///
  /// - Parameter pixels: how many pixels are encoded; 0 for a copy.
  func seconds(of pixels: Double) -> Double { secondsOfFile + secondsOfPixel * pixels }
}
