// SPDX-License-Identifier: GPL-2.0-or-later
/// Method A of Report BT.2446-1, clause 4: HDR to SDR and back, for BT.2020 primaries.
///
/// Light is raised to the power of 1/2.4. The curve maps the luma of the result, and color
/// differences are scaled by the same factor as luma, times a constant.
package struct BT2446A: Hashable, Sendable {
  /// BT.2020's luma coefficients, as the report rounds them.
  package static let weights = Triple(0.2627, 0.6780, 0.0593)
  private static let cbScale = 1.8814
  /// Divisor of R' − Y' for Cr.
  package static let crScale = 1.4746
  /// Light is raised to the reciprocal of this exponent.
  package static let gamma = 2.4
  /// Divisor of color differences in conversions to SDR (table 3).
  package static let chromaDivisor = 1.1
  /// The share of Cr by which reds are darkened in conversions to SDR (table 3).
  package static let redDarkening = 0.1
  /// Factor of color differences in conversions to HDR (table 4).
  package static let inverseChromaFactor = 1.075
  // Table 2: the first piece of the knee function ends here.
  private static let firstKnee = 0.7399
  /// The report's curve assumes an SDR display with this peak, in cd/m².
  private static let reportPeak = 100.0

  /// The peak of the HDR frame in cd/m². The report's table is for 1000.
  package let sourcePeak: Double
  /// The luminance of SDR's peak in the result, in cd/m². In the report, it is 100 cd/m².
  package let targetPeak: Double

  private let rhoHDR: Double
  private let rhoSDR: Double
  private let logRhoHDR: Double

  /// Prepares the method for a source with this peak luminance.
  package init(sourcePeak: Double = 1000, targetPeak: Double = 203) {
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
    rhoHDR = 1 + 32 * signedPower(sourcePeak / 10_000, 1 / Self.gamma)
    rhoSDR = 1 + 32 * signedPower(Self.reportPeak / 10_000, 1 / Self.gamma)
    logRhoHDR = naturalLogarithm(rhoHDR)
  }

  /// Maps a color of BT.2020, linear display light in cd/m², to SDR light.
  ///
  /// Components are limited to 0…`sourcePeak`, and NaN counts as 0. The result of saturated colors
  /// can be a little outside 0…`targetPeak`.
  package func map(_ light: Triple) -> Triple {
    let color = Self.power(light.contained(in: 0...sourcePeak) / sourcePeak, 1 / Self.gamma)
    let luma = (color * Self.weights).sum()
    // Black has no color differences, and the quotient below would be 0/0.
    guard luma > 0 else { return .zero }
    let toneMapped = tone(luma)
    let factor = toneMapped / (Self.chromaDivisor * luma)
    let cb = factor * (color.z - luma) / Self.cbScale
    let cr = factor * (color.x - luma) / Self.crScale
    // By table 3, only colors with a positive Cr are darkened, and these are reddish.
    let corrected = toneMapped - max(Self.redDarkening * cr, 0)
    return Self.power(Self.rgb(corrected, cb, cr), Self.gamma) * targetPeak
  }

  /// The luma of HDR, from 0 to 1, at which ``tone(_:)`` jumps by 0.001. With the report's rounded
  /// figures, the pieces do not quite meet there.
  package var edge: Double { (signedPower(rhoHDR, Self.firstKnee) - 1) / (rhoHDR - 1) }

  /// Maps luma of HDR to luma of SDR, both from 0 to 1 (table 2).
  package func tone(_ luma: Double) -> Double {
    // Equal steps of this logarithm look equal to the eye. The knee function is applied to it.
    let perceptual = naturalLogarithm(1 + (rhoHDR - 1) * luma) / logRhoHDR
    let knee: Double
    if perceptual <= Self.firstKnee {
      knee = 1.0770 * perceptual
    } else if perceptual < 0.9909 {
      knee = (-1.1510 * perceptual + 2.7811) * perceptual - 0.6302
    } else {
      knee = 0.5 * perceptual + 0.5
    }
    return (signedPower(rhoSDR, knee) - 1) / (rhoSDR - 1)
  }

  /// Maps SDR light of BT.2020, from 0 to `targetPeak`, to HDR display light, from 0 to
  /// `sourcePeak` cd/m² (clause 4.2, table 4). Components outside are limited to the range.
  ///
  /// According to the report, this is only approximately the inverse of ``map(_:)``. The report's
  /// figures are for 1000 cd/m²; for other peaks, the result is scaled.
  package func inverse(_ light: Triple) -> Triple {
    let color = Self.power(light.contained(in: 0...targetPeak) / targetPeak, 1 / Self.gamma)
    let luma = (color * Self.weights).sum()
    guard luma > 0 else { return .zero }
    let expanded = Self.inverseTone(luma)
    let scale = Self.inverseChromaFactor * expanded / luma
    let hdr = Self.rgb(
      expanded, scale * (color.z - luma) / Self.cbScale,
      scale * (color.x - luma) / Self.crScale)
    return Self.power(hdr.contained(in: 0...1), Self.gamma) * sourcePeak
  }

  /// Maps luma of SDR to luma of HDR, both from 0 to 1.
  package static func inverseTone(_ luma: Double) -> Double {
    // Table 4 gives its polynomials for code values of 8 bits.
    let code = 255 * luma
    let exponent =
      code <= 70
      ? (1.8712e-5 * code - 2.7334e-3) * code + 1.3141
      : (2.8305e-6 * code - 7.4622e-4) * code + 1.2528
    return signedPower(code, exponent) / 1000
  }

  private static func rgb(_ luma: Double, _ cb: Double, _ cr: Double) -> Triple {
    Triple(
      luma + crScale * cr,
      luma - (weights.z * cbScale * cb + weights.x * crScale * cr) / weights.y,
      luma + cbScale * cb)
  }

  private static func power(_ color: Triple, _ exponent: Double) -> Triple {
    Triple(
      signedPower(color.x, exponent), signedPower(color.y, exponent),
      signedPower(color.z, exponent))
  }
}
