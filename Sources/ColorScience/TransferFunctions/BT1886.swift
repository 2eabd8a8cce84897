// SPDX-License-Identifier: GPL-2.0-or-later
/// The reference display of BT.1886, annex 1, with a white and a black of its own.
///
/// ``ComponentTransfer/bt1886`` is the same for a black of 0, relative to white.
package struct BT1886: Hashable, Sendable {
  /// The exponent γ.
  package static let gamma = 2.4

  /// The luminance of white in cd/m², `LW`.
  package let whiteLuminance: Double
  /// The luminance of black in cd/m², `LB`, less than that of white.
  package let blackLuminance: Double

  /// A display of two luminances in cd/m²; the defaults are the reference display's (BT.2035) and
  /// perfect black.
  package init(whiteLuminance: Double = 100, blackLuminance: Double = 0) {
    self.whiteLuminance = whiteLuminance
    self.blackLuminance = blackLuminance
  }

  /// `LW^(1/γ) − LB^(1/γ)`: the range of the signal at the display, up to the exponent.
  private var range: Double { signedPower(whiteLuminance, 1 / Self.gamma) - black }
  private var black: Double { signedPower(blackLuminance, 1 / Self.gamma) }

  /// The gain `a` of annex 1 (legacy "contrast").
  package var gain: Double { signedPower(range, Self.gamma) }

  /// The lift `b` of annex 1 (legacy "brightness").
  package var lift: Double { black / range }

  /// The EOTF: a signal (black 0, white 1) as luminance in cd/m². Nothing is darker than no light.
  package func eotf(_ signal: Double) -> Double {
    contained(gain * signedPower(max(contained(signal) + lift, 0), Self.gamma))
  }

  /// The inverse EOTF: luminance in cd/m² as a signal. No light is a signal below 0 where black
  /// gives light.
  package func inverseEOTF(_ luminance: Double) -> Double {
    signedPower(max(contained(luminance), 0) / gain, 1 / Self.gamma) - lift
  }
}
