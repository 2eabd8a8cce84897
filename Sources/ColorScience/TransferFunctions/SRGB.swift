extension PowerForm {
  /// IEC 61966-2-1, sRGB and sYCC, with the constants that it publishes: 1.055, 0.0031308, 0.04045.
  /// The two pieces miss each other by 3·10⁻⁸, where the signal stays level.
  package static let sRGB = PowerForm(
    lightExponent: 2.4, signalExponent: 1 / 2.4, offset: 0.055,
    toe: Toe(lightEnd: 0.003_130_8, signalEnd: 0.040_45, slope: 12.92))
}
