// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// The SDR curves of H.273, table 3, outside the BT.709 family. For these, ``SDRReading`` does not
/// matter.
extension SDRCurve {
  /// The display that BT.470 assumes for System M.
  static let gamma22 = SDRCurve(.gamma22, function: .gamma(2.2))

  /// The display that BT.470 assumes for Systems B and G.
  static let gamma28 = SDRCurve(.gamma28, function: .gamma(2.8))

  /// The reference reproducer of SMPTE ST 240.
  static let smpte240M = SDRCurve(.smpte240M, function: .power(.smpte240M))

  /// A signal that is light itself.
  static let linear = SDRCurve(.linear, function: .linear)

  /// A logarithm over a range of 100 : 1.
  static let log100 = SDRCurve(.log100, function: .log(decades: 2))

  /// A logarithm over a range of 100·√10 : 1.
  static let log316 = SDRCurve(.log316, function: .log(decades: 2.5))

  /// The display of IEC 61966-2-1.
  static let sRGB = SDRCurve(.sRGB, isInProfiles: true, function: .power(.sRGB))

  /// The digital cinema distribution master of SMPTE ST 428-1.
  static let smpte428 = SDRCurve(.smpte428, function: .power(.smpte428))
}

extension PowerForm {
  /// The reference reproducer of SMPTE ST 240, with the standard's constants: 1.1115 and 0.0228.
  /// Between the two pieces, the signal has a step of 6·10⁻⁵. Signals inside the step stand for the
  /// light at the step.
  package static let smpte240M = PowerForm(
    lightExponent: 1 / 0.45, signalExponent: 0.45, offset: 0.1115,
    toe: Toe(lightEnd: 0.0228, signalEnd: 4 * 0.0228, slope: 4))

  /// The curve of sRGB and sYCC in IEC 61966-2-1, with the standard's constants: 1.055, 0.0031308
  /// and 0.04045. The power begins 3·10⁻⁸ below the end of the straight piece, and the signal stays
  /// level there.
  package static let sRGB = PowerForm(
    lightExponent: 2.4, signalExponent: 1 / 2.4, offset: 0.055,
    toe: Toe(lightEnd: 0.003_130_8, signalEnd: 0.040_45, slope: 12.92))

  /// SMPTE ST 428-1: gamma 2.6 with white at 48/52.37 of the peak.
  package static let smpte428 = PowerForm(
    lightExponent: 2.6, signalExponent: 1 / 2.6, peak: 52.37 / 48)
}
