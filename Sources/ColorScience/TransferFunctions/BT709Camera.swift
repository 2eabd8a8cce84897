extension PowerForm {
  /// The camera curve of BT.709 (1.2), BT.601 (2.6.4) and BT.2020 (table 4), for scene-referred
  /// work and for constant luminance; what such a signal shows on a display is
  /// ``ComponentTransfer/bt1886``.
  ///
  /// The constants are those that BT.709 and, for 10 bits, BT.2020 publish. H.273 (8.2) states
  /// those that make the two pieces meet without a step, α = 1.099296826809… and β =
  /// 0.018053968510…, which BT.2020 rounds to 1.0993 and 0.0181 for 12 bits. The curves differ by
  /// 2.5·10⁻⁴ at most, a quarter of a 10-bit code value; the published constants leave a step of
  /// that height, so that signals between 0.081 and 0.08124, inside of the step, all stand for the
  /// light at it and do not come back from there. All light does.
  package static let bt709Camera = PowerForm(
    lightExponent: 1 / 0.45, signalExponent: 0.45, offset: 0.099,
    toe: Toe(lightEnd: 0.018, signalEnd: 0.081, slope: 4.5))
}
