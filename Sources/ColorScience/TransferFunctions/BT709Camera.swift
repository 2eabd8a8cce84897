/// The camera curve of BT.709 (1.2), BT.601 (2.6.4) and BT.2020 (table 4), for scene-referred work
/// and for constant luminance; what such a signal shows on a display is
/// ``ComponentTransfer/bt1886``.
///
/// The constants are those that BT.709 and, for 10 bits, BT.2020 publish. H.273 (8.2) states those
/// that make the two pieces meet without a step, α = 1.099296826809… and β = 0.018053968510…, which
/// BT.2020 rounds to 1.0993 and 0.0181 for 12 bits. The curves differ by 2.5·10⁻⁴ at most, a
/// quarter of a 10-bit code value; the published constants leave a step of that height, so that
/// signals between 0.081 and 0.08124, inside of the step, all stand for the light at it and do not
/// come back from there. All light does.
public enum BT709Camera {
  /// Scene light from 0 to 1 as a signal.
  public static func oetf(_ light: Double) -> Double {
    light < 0.018 ? light * 4.5 : 1.099 * signedPower(light, 0.45) - 0.099
  }

  /// A signal as scene light.
  public static func inverseOETF(_ signal: Double) -> Double {
    signal < 0.081
      ? signal / 4.5 : max(signedPower((signal + 0.099) / 1.099, 1 / 0.45), 0.018)
  }
}
