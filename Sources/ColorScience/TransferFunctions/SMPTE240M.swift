extension PowerForm {
  /// SMPTE ST 240: the reference reproducer, with the constants that it publishes: 1.1115, 0.0228.
  /// The two pieces leave a step of 6·10⁻⁵ in the signal, which stands for the light at it.
  package static let smpte240M = PowerForm(
    lightExponent: 1 / 0.45, signalExponent: 0.45, offset: 0.1115,
    toe: Toe(lightEnd: 0.0228, signalEnd: 4 * 0.0228, slope: 4))
}
