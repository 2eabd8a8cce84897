// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

// The code points name the curve of a camera. But video should look as it did on the display on
// which it was graded, and programs make different assumptions about that display.

/// How a signal of the BT.709 family is read as light. The family is the transfer functions 1, 6,
/// 14 and 15, and those with an extended range, 11 and 12.
public enum SDRReading: String, Sendable, CaseIterable {
  /// A display of BT.1886: gamma 2.4. The standards specify this display, and it is the default.
  case bt1886
  /// The reading of QuickTime and ColorSync: gamma 1.961, close to the inverse of the camera curve.
  case quickTime
  /// Light of the scene, computed by the inverse of the camera curve (BT.709, 1.2).
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
  // The constants below are those of BT.709, and of BT.2020 for 10 bits. H.273 (8.2) has others,
  // with which the two pieces meet without a step: α = 1.099296826809… and β = 0.018053968510…,
  // rounded in BT.2020 to 1.0993 and 0.0181 for 12 bits. The two curves differ by 2.5·10⁻⁴ at most,
  // a quarter of a 10-bit code value. With BT.709's constants, the curve has a step of that height.
  // Signals inside the step, between 0.081 and 0.08124, all stand for the same light. So a round
  // trip changes these signals, but not the light.

  /// The camera curve of BT.709 (1.2), BT.601 (2.6.4) and BT.2020 (table 4), for light of the scene
  /// and for constant luminance. A display turns the signal into light by
  /// ``ComponentTransfer/bt1886`` instead.
  package static let bt709Camera = PowerForm(
    lightExponent: 1 / 0.45, signalExponent: 0.45, offset: 0.099,
    toe: Toe(lightEnd: 0.018, signalEnd: 0.081, slope: 4.5))
}

extension SDRCurve {
  /// The curve of BT.709, BT.601 and BT.2020.
  static let bt709 = SDRCurve(
    .bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit, isInProfiles: true, readAs: \.form)

  /// The curve of IEC 61966-2-4: BT.709's, continued outside 0…1 as an odd function.
  static let xvYCC = SDRCurve(.xvYCC, readAs: \.form)

  // Negative signals of BT.1361 are read like positive ones, except for a factor of 4. So BT.1886
  // replaces the camera curve for both.

  /// The extended color gamut of BT.1361 (historical). Below 0, its curve is the part from 0 to 1,
  /// mirrored and a quarter as large: signals from −0.25 to 0 stand for light from −0.25 to 0
  /// (H.273, table 3, value 12).
  static let bt1361 = SDRCurve(.bt1361) { $0.form.squeezingNegatives(by: 4) }
}
