// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Tells how much of a first signal is in a second one, from sums over both.
struct Likeness {
  private(set) var energy = 0.0
  private var otherEnergy = 0.0
  private var product = 0.0

  mutating func add(_ pair: SIMD2<Double>) {
    energy += pair.x * pair.x
    otherEnergy += pair.y * pair.y
    product += pair.x * pair.y
  }

  /// The gain with which the second signal contains the first. What is left of the second signal
  /// counts as noise. The gain is the one that leaves the least energy there (least squares). `nil`
  /// if the second signal does not contain the first.
  var factor: Double? { energy > 0 && product != 0 ? product / energy : nil }

  /// The signal-to-noise ratio in dB. What counts as signal is the first signal at the gain
  /// ``factor``. `nil` if the noise is too low to measure, or if there is no ``factor``.
  var signalToNoise: Double? {
    guard let factor else { return nil }
    let noise = otherEnergy - product * factor
    // The sums are not exact enough to measure noise below −130 dB.
    return noise > 1e-13 * otherEnergy ? 10 * log10(product * factor / noise) : nil
  }
}

/// A filter with two poles that passes frequencies below 1.5 kHz, for two signals at once.
struct LowPass {
  private static let frequency = 1500.0

  private let share: Double
  private var first = SIMD2<Double>.zero
  private var second = SIMD2<Double>.zero

  init(sampleRate: Int) {
    share = 1 - exp(-2 * Double.pi * Self.frequency / Double(max(sampleRate, 1)))
  }

  /// Returns the next filtered samples.
  mutating func next(_ pair: SIMD2<Double>) -> SIMD2<Double> {
    first += (pair - first) * share
    second += (first - second) * share
    return second
  }
}
