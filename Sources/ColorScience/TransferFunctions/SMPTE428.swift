extension PowerForm {
  /// SMPTE ST 428-1: gamma 2.6 with white at 48/52.37 of the peak.
  package static let smpte428 = PowerForm(
    lightExponent: 2.6, signalExponent: 1 / 2.6, peak: 52.37 / 48)
}
