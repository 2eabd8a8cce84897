// SPDX-License-Identifier: GPL-2.0-or-later
/// A transfer function of standard dynamic range: a power, with a straight piece at its dark end
/// where a standard has one.
///
/// Above the straight piece the signal is (1 + offset) · (light / peak)^signalExponent − offset.
/// The vector code and the definition in double precision read the same numbers.
package struct PowerForm: Hashable, Sendable {
  /// The straight piece: signal = slope · light.
  package struct Toe: Hashable, Sendable {
    /// The light where it ends.
    package let lightEnd: Double
    /// The signal where it ends, as the standard states it.
    package let signalEnd: Double
    /// Signal for each unit of light.
    package let slope: Double

    /// A straight piece up to an end.
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
  /// Number to add to a signal, and to 1, before the power.
  package let offset: Double
  /// The straight piece; nil for a plain power.
  package let toe: Toe?
  /// The light that a signal of 1 stands for.
  package let peak: Double
  /// The curve below 0: k for −f(−k · x)/k, above 0; 1 makes it odd.
  package private(set) var negativeScale = 1.0

  /// A form from the exponents of both directions.
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

  /// A plain power from signal to light, above 0.
  package init(gamma: Double) { self.init(lightExponent: gamma, signalExponent: 1 / gamma) }

  /// The light at which the signal jumps upwards, where published constants do not make the pieces
  /// meet; nil where they do, or where the power begins below the straight piece's end.
  package var step: Double? {
    guard let toe else { return nil }
    return power(ofLight: toe.lightEnd) - toe.lightEnd * toe.slope > 1e-6 ? toe.lightEnd : nil
  }

  /// The same curve above 0, which squeezes negative light and signals by a factor.
  func squeezingNegatives(by factor: Double) -> PowerForm {
    var form = self
    form.negativeScale = factor
    return form
  }

  /// Light from a signal of either sign. Signals inside of a step stand for the light at it.
  package func toLight(_ signal: Double) -> Double {
    if signal < 0 { return -toLight(-negativeScale * signal) / negativeScale }
    let light = signedPower((signal + offset) / (1 + offset), lightExponent) * peak
    guard let toe else { return light }
    return signal <= toe.signalEnd ? signal / toe.slope : max(light, toe.lightEnd)
  }

  /// The signal of light of either sign.
  package func toSignal(_ light: Double) -> Double {
    if light < 0 { return -toSignal(-negativeScale * light) / negativeScale }
    guard let toe else { return power(ofLight: light) }
    return light < toe.lightEnd
      ? light * toe.slope : max(power(ofLight: light), toe.lightEnd * toe.slope)
  }

  private func power(ofLight light: Double) -> Double {
    (1 + offset) * signedPower(light / peak, signalExponent) - offset
  }
}
