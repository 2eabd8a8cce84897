// SPDX-License-Identifier: GPL-2.0-or-later
internal import Glibc

/// Sums over samples of a signal and another one, which say how much of the one is in the other.
struct Likeness {
  /// The energy of the first signal.
  private(set) var energy = 0.0
  private var otherEnergy = 0.0
  private var product = 0.0

  /// Adds a sample of each.
  mutating func add(_ pair: SIMD2<Double>) {
    energy += pair.x * pair.x
    otherEnergy += pair.y * pair.y
    product += pair.x * pair.y
  }

  /// The gain at which the first is in the other, with the least that is added; nil where it is
  /// not.
  var factor: Double? { energy > 0 && product != 0 ? product / energy : nil }

  /// The ratio of that to what is added, in dB; nil where nothing is: sums are not more exact than
  /// 130 dB.
  var signalToNoise: Double? {
    guard let factor else { return nil }
    let noise = otherEnergy - product * factor
    return noise > 1e-13 * otherEnergy ? 10 * log10(product * factor / noise) : nil
  }
}

/// Passes what lies below 1.5 kHz of two signals, with two poles.
struct LowPass {
  private static let frequency = 1500.0

  private let share: Double
  private var first = SIMD2<Double>.zero
  private var second = SIMD2<Double>.zero

  init(sampleRate: Int) {
    share = 1 - exp(-2 * Double.pi * Self.frequency / Double(max(sampleRate, 1)))
  }

  /// The next samples, behind the filter.
  mutating func next(_ pair: SIMD2<Double>) -> SIMD2<Double> {
    first += (pair - first) * share
    second += (first - second) * share
    return second
  }
}
