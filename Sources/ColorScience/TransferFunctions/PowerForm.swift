// SPDX-License-Identifier: GPL-2.0-or-later
/// A transfer function of standard dynamic range: a power, and a straight piece near black if the
/// standard has one.
///
/// Above the straight piece the signal is (1 + offset) · (light / peak)^signalExponent − offset.
/// Kernels and the definition in double precision use the same numbers.
package struct PowerForm: Hashable, Sendable {
  /// The straight piece: signal = slope · light.
  package struct Toe: Hashable, Sendable {
    /// The light at which it ends.
    package let lightEnd: Double
    /// The signal at which it ends, as the standard gives it.
    package let signalEnd: Double
    /// Signal per unit of light.
    package let slope: Double

    package init(lightEnd: Double, signalEnd: Double, slope: Double) {
      self.lightEnd = lightEnd
      self.signalEnd = signalEnd
      self.slope = slope
    }
  }

  /// The exponent from signal to light.
  package let lightExponent: Double
  /// The exponent from light to signal.
  package let signalExponent: Double
  /// The offset in light = ((signal + offset) / (1 + offset))^lightExponent · peak.
  package let offset: Double
  /// The straight piece, or `nil` for a plain power.
  package let toe: Toe?
  /// The light of a signal of 1.
  package let peak: Double
  /// Below 0, the curve is −f(−k · x)/k, and this is k. If k is 1, the curve is odd.
  package private(set) var negativeScale = 1.0

  /// Makes a transfer function from the exponents of both directions.
  package init(
    lightExponent: Double, signalExponent: Double, offset: Double = 0, toe: Toe? = nil,
    peak: Double = 1
  ) {
    self.lightExponent = lightExponent
    self.signalExponent = signalExponent
    self.offset = offset
    self.toe = toe
    self.peak = peak
  }

  /// Makes a plain power, without a straight piece. `gamma` is the exponent from signal to light.
  package init(gamma: Double) { self.init(lightExponent: gamma, signalExponent: 1 / gamma) }

  /// The light at which the signal jumps upward. `nil` if the pieces meet, or if the power begins
  /// below the straight piece's end.
  package var step: Double? {
    guard let toe else { return nil }
    // Published constants are rounded, so the pieces of some standards do not meet. Rounding to
    // code values hides jumps of up to 10⁻⁶.
    return power(ofLight: toe.lightEnd) - toe.lightEnd * toe.slope > 1e-6 ? toe.lightEnd : nil
  }

  /// Returns a curve that is the same above 0. Below 0, it is the mirror image of the part above 0,
  /// with both light and signals divided by a factor.
  func squeezingNegatives(by factor: Double) -> PowerForm {
    var form = self
    form.negativeScale = factor
    return form
  }

  /// Maps a signal of either sign to light.
  package func toLight(_ signal: Double) -> Double {
    if signal < 0 { return -toLight(-negativeScale * signal) / negativeScale }
    let light = signedPower((signal + offset) / (1 + offset), lightExponent) * peak
    guard let toe else { return light }
    // No light has a signal inside a step. Such signals stand for the light at the step.
    return signal <= toe.signalEnd ? signal / toe.slope : max(light, toe.lightEnd)
  }

  /// Maps light of either sign to a signal.
  package func toSignal(_ light: Double) -> Double {
    if light < 0 { return -toSignal(-negativeScale * light) / negativeScale }
    guard let toe else { return power(ofLight: light) }
    return light < toe.lightEnd
      // If the power begins below the straight piece's end, the signal stays at that end, because
      // it must not fall.
      ? light * toe.slope : max(power(ofLight: light), toe.lightEnd * toe.slope)
  }

  private func power(ofLight light: Double) -> Double {
    (1 + offset) * signedPower(light / peak, signalExponent) - offset
  }
}
