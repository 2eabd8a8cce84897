// SPDX-License-Identifier: GPL-2.0-or-later

/// How long work takes on this machine, and how large outputs are. The time is the sum of a time
/// per file and a time per pixel.
struct WorkTime {
  private let secondsOfFile: Double
  private let secondsOfPixel: Double
  private let bytesOfPixel: Double

  /// Fits the time per file and the time per pixel to measured work, by weighted least squares.
  ///
  /// - Parameter scatters: whether chance may affect the measured times more than the sizes of the
  ///   samples do, as with copies.
  /// - Returns: `nil` if there are no measurements.
  init?(_ costs: [WorkCost], scatters: Bool = false) {
    guard !costs.isEmpty else { return nil }
    let sized = costs.filter { $0.bytes != nil }
    let pixelsOfSized = sized.reduce(0) { $0 + $1.pixels }
    bytesOfPixel = sized.reduce(0) { $0 + ($1.bytes ?? 0) } / max(pixelsOfSized, 1)
    // Times of large files scatter more, so give them less weight. The fit is then good for both
    // small and large files.
    let weights = costs.map { 1 / max($0.pixels, 1) }
    func mean(_ values: [Double]) -> Double {
      zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
    }
    let (pixels, seconds) = (mean(costs.map(\.pixels)), mean(costs.map(\.seconds)))
    let variance = mean(costs.map { ($0.pixels - pixels) * ($0.pixels - pixels) })
    let covariance = mean(costs.map { ($0.pixels - pixels) * ($0.seconds - seconds) })
    let slope = variance > 0 ? covariance / variance : 0
    // If all files have the same size, or if the measured times are noisy, the time per file cannot
    // be separated from the time per pixel. In that case, all time counts as time for pixels or, if
    // `scatters` is set, as time for files.
    guard slope > 0, seconds - slope * pixels >= 0 else {
      guard !scatters else {
        (secondsOfFile, secondsOfPixel) = (seconds, 0)
        return
      }
      let all = costs.reduce((seconds: 0.0, pixels: 0.0)) {
        ($0.seconds + $1.seconds, $0.pixels + $1.pixels)
      }
      (secondsOfFile, secondsOfPixel) = (0, all.pixels > 0 ? all.seconds / all.pixels : 0)
      return
    }
    (secondsOfFile, secondsOfPixel) = (seconds - slope * pixels, slope)
  }

  /// Returns the time of a file, in seconds.
  ///
  /// - Parameter pixels: how many pixels are encoded, or how many bytes are copied.
  func seconds(of pixels: Double) -> Double { secondsOfFile + secondsOfPixel * pixels }

  /// Returns the length of an encoded file, in bytes.
  func bytes(of pixels: Double) -> Double { bytesOfPixel * pixels }
}
