// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

// The code points name the curve of a camera. How a frame looks, however, was decided on the
// display on which it was graded, and readers differ in their assumptions about that display.

/// How a signal of the BT.709 family (transfer 1, 6, 14, 15) is read as light.
public enum SDRReading: String, Sendable, CaseIterable {
  /// A display of BT.1886: gamma 2.4. This is what the standards say, and the default.
  case bt1886
  /// The reading of QuickTime and ColorSync: gamma 1.961, close to the inverse of the camera curve.
  case quickTime
  /// Light of the scene, by the inverse of the camera curve (BT.709, 1.2).
  case scene

  var form: PowerForm {
    switch self {
    case .bt1886: PowerForm(gamma: BT1886.gamma)
    case .quickTime: PowerForm(gamma: 1.961)
    case .scene: .bt709Camera
    }
  }
}

extension PowerForm {
  // These constants are the ones that BT.709 and, for 10 bits, BT.2020 publish. H.273 (8.2) has
  // others, which make the two pieces meet without a step: α = 1.099296826809… and β =
  // 0.018053968510…, rounded in BT.2020 to 1.0993 and 0.0181 for 12 bits. The curves differ by
  // 2.5·10⁻⁴ at most, a quarter of a 10-bit code value. The published constants leave a step of
  // that height. Signals inside the step, between 0.081 and 0.08124, all stand for the same light,
  // so a round trip changes them. The light stays the same.

  /// The camera curve of BT.709 (1.2), BT.601 (2.6.4) and BT.2020 (table 4), for light of the scene
  /// and for constant luminance. On a display, such a signal shows ``ComponentTransfer/bt1886``.
  package static let bt709Camera = PowerForm(
    lightExponent: 1 / 0.45, signalExponent: 0.45, offset: 0.099,
    toe: Toe(lightEnd: 0.018, signalEnd: 0.081, slope: 4.5))
}

extension SDRCurve {
  /// The curve of BT.709, BT.601 and BT.2020.
  static let bt709 = SDRCurve(
    .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit, isInProfiles: true, readAs: \.form)

  /// IEC 61966-2-4: the same curve, which goes on outside 0 to 1 as an odd function.
  static let xvYCC = SDRCurve(.xvYCC, readAs: \.form)

  // Squeezed signals are read like positive ones, so BT.1886 takes the camera curve's place on both
  // sides.

  /// The extended color gamut of BT.1361 (historical), which squeezes negative light by 4: signals
  /// from −0.25 stand for light from −0.25, by the same curve (H.273, table 3, value 12).
  static let bt1361 = SDRCurve(.bt1361) { $0.form.squeezingNegatives(by: 4) }
}
