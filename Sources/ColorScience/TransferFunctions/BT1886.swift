// SPDX-License-Identifier: GPL-2.0-or-later
/// The reference display of BT.1886, annex 1, for any luminance of white and black.
///
/// ``ComponentTransfer/bt1886`` is the same display with a black of 0. Its light is relative to
/// white.
package struct BT1886: Hashable, Sendable {
  /// The display's exponent, called γ in annex 1.
  package static let gamma = 2.4

  /// The luminance of white in cd/m², `LW`.
  package let whiteLuminance: Double
  /// The luminance of black in cd/m², `LB`, which has to be less than white's.
  package let blackLuminance: Double

  /// Makes a display from two luminances in cd/m². The defaults are the reference display's white
  /// (BT.2035) and perfect black.
  package init(whiteLuminance: Double = 100, blackLuminance: Double = 0) {
    self.whiteLuminance = whiteLuminance
    self.blackLuminance = blackLuminance
  }

  /// The range of the signal at the display, `LW^(1/γ) − LB^(1/γ)`.
  private var range: Double { signedPower(whiteLuminance, 1 / Self.gamma) - black }
  private var black: Double { signedPower(blackLuminance, 1 / Self.gamma) }

  /// The gain `a` of annex 1 (legacy "contrast").
  package var gain: Double { signedPower(range, Self.gamma) }

  /// The lift `b` of annex 1 (legacy "brightness").
  package var lift: Double { black / range }

  /// The EOTF: maps a signal (black 0, white 1) to luminance in cd/m².
  package func eotf(_ signal: Double) -> Double {
    // Signals far below black would give negative light, which no display can show.
    contained(gain * signedPower(max(contained(signal) + lift, 0), Self.gamma))
  }

  /// The inverse EOTF: maps luminance in cd/m² to a signal. If black is not 0, a luminance of 0
  /// gives a signal below 0.
  package func inverseEOTF(_ luminance: Double) -> Double {
    signedPower(max(contained(luminance), 0) / gain, 1 / Self.gamma) - lift
  }
}
