// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// Hybrid log-gamma of BT.2100, table 5 (ARIB STD-B67).
package enum HLG {
  /// The luminance of the surround for which BT.2100 defines the system gamma, in cd/m² (BT.2100,
  /// table 3).
  package static let referenceSurround = 5.0

  /// Matrix from L', M', S' to I, Ct, Cp (BT.2100, table 7).
  static let lmsToICtCp = Matrix3x3(
    [0.5, 0.5, 0], Triple(3625, -7465, 3840) / 4096, Triple(9500, -9212, -288) / 4096)

  private static let a = 0.17883277
  private static let b = 1 - 4 * a
  private static let c = 0.5 - a * naturalLogarithm(4 * a)

  /// The OETF: maps scene light from 0 to 1 to a signal. Negative light and NaN count as 0.
  package static func oetf(_ scene: Double) -> Double {
    let light = max(contained(scene), 0)
    return light <= 1.0 / 12
      ? (3 * light).squareRoot() : a * naturalLogarithm(12 * light - b) + c
  }

  /// The inverse OETF: maps a signal to scene light. Signals below 0 and NaN count as 0. Above 1,
  /// the curve continues, up to light of 10⁹.
  package static func inverseOETF(_ signal: Double) -> Double {
    let value = max(contained(signal), 0)
    return value <= 0.5
      ? value * value / 3 : contained((exponential((value - c) / a) + b) / 12)
  }

  /// Returns the system gamma for a display with this nominal peak luminance in cd/m².
  ///
  /// - Parameter surround: the luminance of the surround in cd/m².
  package static func systemGamma(
    peakLuminance: Double, surround: Double = referenceSurround
  ) -> Double {
    // BT.2100's formula (note 5f) is for 400 to 2000 cd/m². For other peaks, BT.2390 (6.2) has a
    // second formula, which stays above 0 even for the darkest displays.
    let gamma =
      (400...2000).contains(peakLuminance)
      ? 1.2 + 0.42 * decimalLogarithm(peakLuminance / 1000)
      : 1.2 * signedPower(1.111, binaryLogarithm(peakLuminance / 1000))
    // A brighter surround needs less gamma (BT.2390, 6.2).
    return gamma * signedPower(0.98, binaryLogarithm(surround / referenceSurround))
  }

  /// Returns the factor from scene light to display light in cd/m², for scene light of a given
  /// luminance.
  ///
  /// The OOTF multiplies all three components by this factor, so their ratios do not change.
  package static func ootfGain(
    sceneLuminance: Double, peakLuminance: Double, surround: Double = referenceSurround
  ) -> Double {
    LightSystem.hlg.ootfGain(luminance: sceneLuminance, peak: peakLuminance, surround: surround)
  }

  /// The OOTF: maps scene light of R, G, B to display light in cd/m².
  ///
  /// - Parameter weights: how much R, G and B contribute to luminance.
  package static func ootf(
    _ scene: Triple, weights: Triple, peakLuminance: Double, surround: Double = referenceSurround
  ) -> Triple {
    LightSystem.hlg.ootf(scene, weights: weights, peak: peakLuminance, surround: surround)
  }

  /// The inverse of ``ootfGain(sceneLuminance:peakLuminance:surround:)``, for display light of a
  /// given luminance in cd/m².
  package static func inverseOOTFGain(
    displayLuminance: Double, peakLuminance: Double, surround: Double = referenceSurround
  ) -> Double {
    LightSystem.inverseOOTFGain(
      luminance: displayLuminance, peak: peakLuminance,
      gamma: systemGamma(peakLuminance: peakLuminance, surround: surround))
  }

  /// The inverse OOTF: maps display light of R, G, B in cd/m² to scene light.
  package static func inverseOOTF(
    _ display: Triple, weights: Triple, peakLuminance: Double, surround: Double = referenceSurround
  ) -> Triple {
    let luminance = (display * weights).sum()
    return display
      * inverseOOTFGain(
        displayLuminance: luminance, peakLuminance: peakLuminance, surround: surround)
  }

  /// Returns the black level lift β of BT.2100, table 5. With this addend, a signal of 0 shows the
  /// luminance of the display's black. It is 0 for a black of 0.
  package static func blackLift(
    blackLuminance: Double, peakLuminance: Double, surround: Double = referenceSurround
  ) -> Double {
    let gamma = systemGamma(peakLuminance: peakLuminance, surround: surround)
    return (3 * signedPower(max(blackLuminance, 0) / peakLuminance, 1 / gamma)).squareRoot()
  }

  /// The EOTF of BT.2100, table 5: maps a signal of R', G', B' to display light in cd/m², on a
  /// display whose black need not be 0.
  package static func eotf(
    _ signal: Triple, weights: Triple, peakLuminance: Double, blackLuminance: Double = 0,
    surround: Double = referenceSurround
  ) -> Triple {
    let lift = blackLift(
      blackLuminance: blackLuminance, peakLuminance: peakLuminance, surround: surround)
    let scene = signal.componentwise { inverseOETF((1 - lift) * contained($0) + lift) }
    return ootf(scene, weights: weights, peakLuminance: peakLuminance, surround: surround)
  }
}

extension LightSystem {
  /// BT.2100 HLG: light of the scene, which the OOTF converts to the light of a display.
  static let hlg = LightSystem(
    .hlg, .relative(white: 0.75), function: .hlg, lmsToICtCp: HLG.lmsToICtCp
  ) { HLG.systemGamma(peakLuminance: $0, surround: $1) }
}
