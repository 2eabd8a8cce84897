/// Hybrid log-gamma of BT.2100, table 5 (ARIB STD-B67).
public enum HLG {
  private static let a = 0.17883277
  private static let b = 1 - 4 * a
  private static let c = 0.5 - a * naturalLogarithm(4 * a)

  /// The OETF: scene light from 0 to 1 as a signal. Negative light counts as none.
  public static func oetf(_ scene: Double) -> Double {
    let light = max(scene, 0)
    return light <= 1.0 / 12
      ? (3 * light).squareRoot() : a * naturalLogarithm(12 * light - b) + c
  }

  /// The inverse OETF: a signal as scene light. Signals below 0 count as 0; above 1 the curve goes
  /// on.
  public static func inverseOETF(_ signal: Double) -> Double {
    let value = max(signal, 0)
    return value <= 0.5 ? value * value / 3 : (exponential((value - c) / a) + b) / 12
  }

  /// The system gamma for a display of a nominal peak luminance in cd/m²: BT.2100's formula from
  /// 400 to 2000 cd/m², the extended one of BT.2390 (6.2) outside.
  public static func systemGamma(peakLuminance: Double) -> Double {
    (400...2000).contains(peakLuminance)
      ? 1.2 + 0.42 * decimalLogarithm(peakLuminance / 1000)
      : 1.2 * signedPower(1.111, binaryLogarithm(peakLuminance / 1000))
  }

  /// The factor from scene light to display light in cd/m², by the scene light's luminance.
  ///
  /// The OOTF multiplies all three components by it, so that it keeps their ratios.
  public static func ootfGain(sceneLuminance: Double, peakLuminance: Double) -> Double {
    guard sceneLuminance > 0 else { return 0 }
    let gamma = systemGamma(peakLuminance: peakLuminance)
    return peakLuminance * signedPower(sceneLuminance, gamma - 1)
  }

  /// The OOTF: scene light of R, G, B as display light in cd/m².
  ///
  /// - Parameter weights: the contributions of R, G and B to luminance.
  public static func ootf(_ scene: Triple, weights: Triple, peakLuminance: Double) -> Triple {
    let luminance = (scene * weights).sum()
    return scene * ootfGain(sceneLuminance: luminance, peakLuminance: peakLuminance)
  }

  /// The inverse of ``ootfGain(sceneLuminance:peakLuminance:)``, by the display light's luminance
  /// in cd/m².
  public static func inverseOOTFGain(displayLuminance: Double, peakLuminance: Double) -> Double {
    guard displayLuminance > 0 else { return 0 }
    let gamma = systemGamma(peakLuminance: peakLuminance)
    return signedPower(displayLuminance / peakLuminance, (1 - gamma) / gamma) / peakLuminance
  }

  /// The inverse OOTF: display light of R, G, B in cd/m² as scene light.
  public static func inverseOOTF(
    _ display: Triple, weights: Triple, peakLuminance: Double
  ) -> Triple {
    let luminance = (display * weights).sum()
    return display * inverseOOTFGain(displayLuminance: luminance, peakLuminance: peakLuminance)
  }
}
