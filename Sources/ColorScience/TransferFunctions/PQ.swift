// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// The perceptual quantizer of SMPTE ST 2084 and BT.2100, table 4.
package enum PQ {
  /// The exponent of light, m1 in the standards.
  package static let lightExponent = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  /// Matrix from L', M', S' to I, Ct, Cp (BT.2100, table 7).
  static let lmsToICtCp = Matrix3x3(
    [0.5, 0.5, 0], Triple(6610, -13613, 7003) / 4096, Triple(17933, -17390, -543) / 4096)

  /// The luminance of a signal of 1, in cd/m².
  package static let peakLuminance = 10_000.0

  /// The EOTF: maps a signal from 0 to 1 to luminance in cd/m². Signals outside are limited to that
  /// range, and NaN counts as 0.
  package static func eotf(_ signal: Double) -> Double {
    let power = signedPower(min(max(contained(signal), 0), 1), 1 / m2)
    // A luminance of 0 has the signal 7.3·10⁻⁷. For smaller signals, the numerator would be
    // negative.
    return peakLuminance * signedPower(max(power - c1, 0) / (c2 - c3 * power), 1 / lightExponent)
  }

  /// The inverse EOTF: maps luminance in cd/m² to a signal. Luminance outside 0…10 000 is limited
  /// to that range, and NaN counts as 0. By the formula, a luminance of 0 gives a signal of
  /// 7.3·10⁻⁷.
  package static func inverseEOTF(_ luminance: Double) -> Double {
    let power = signedPower(min(max(contained(luminance) / peakLuminance, 0), 1), lightExponent)
    return signal(ofPower: power)
  }

  /// Returns the signal for the m1-th power of light, where light of 1 is the peak luminance.
  package static func signal(ofPower power: Double) -> Double {
    signedPower((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

extension LightSystem {
  /// BT.2100 PQ: luminance up to 10 000 cd/m².
  static let pq = LightSystem(
    .pq, .absolute(peak: PQ.peakLuminance), function: .pq, lmsToICtCp: PQ.lmsToICtCp)
}
