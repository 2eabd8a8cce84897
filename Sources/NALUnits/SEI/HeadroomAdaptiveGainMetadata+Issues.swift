// SPDX-License-Identifier: GPL-2.0-or-later

extension HeadroomAdaptiveGainMetadata {
  /// Descriptions of everything in the metadata that ST 2094-50 does not allow.
  package var issues: [String] {
    var issues: [String] = []
    func refuse(_ isWrong: Bool, _ problem: @autoclosure () -> String) {
      if isWrong { issues.append(problem()) }
    }
    if let white = referenceWhite {
      refuse(
        white == 0 || white > Self.brightestWhite,
        "the reference white, \(Double(white) / 5) cd/m², is out of range"
      )
    }
    refuse(!rest.isEmpty, "\(rest.count) bytes follow the last field")
    return issues + (toneMap?.issues ?? [])
  }

  /// 10 000 cd/m² in the unit of ``referenceWhite``.
  private static let brightestWhite: UInt16 = 50_000
  /// The largest headroom and the largest gain: six stops.
  static let largestGain: UInt16 = 60_000
}

extension HeadroomAdaptiveGainMetadata.ToneMap {
  fileprivate var issues: [String] {
    let largest = HeadroomAdaptiveGainMetadata.largestGain
    var issues = baselineHeadroom > largest ? ["the baseline's headroom is above 6 stops"] : []
    guard let authored else { return issues }
    let headrooms = authored.alternates.map(\.headroom)
    if headrooms.contains(where: { $0 > largest }) {
      issues.append("an alternate's headroom is above 6 stops")
    }
    if headrooms.contains(baselineHeadroom) {
      issues.append("an alternate has the baseline's headroom")
    }
    if zip(headrooms, headrooms.dropFirst()).contains(where: { $0 >= $1 }) {
      issues.append("the alternates' headrooms do not rise")
    }
    return issues + authored.chromaticityIssues
      + authored.alternates.enumerated().flatMap { number, alternate in
        (alternate.mixing.issues + alternate.curve.issues).map {
          "alternate \(number + 1): \($0)"
        }
      }
  }
}

extension HeadroomAdaptiveGainMetadata.AuthoredCurves {
  fileprivate var chromaticityIssues: [String] {
    guard chromaticitiesMode == 3, chromaticities.count == 8 else { return [] }
    guard chromaticities.allSatisfy({ $0 <= 50_000 }) else {
      return ["a chromaticity is above 1"]
    }
    let points = (0..<4).map {
      (x: Int(chromaticities[2 * $0]), y: Int(chromaticities[2 * $0 + 1]))
    }
    /// Returns twice the area of a triangle, with a sign for its direction.
    func area(_ a: Int, _ b: Int, _ c: Int) -> Int {
      (points[b].x - points[a].x) * (points[c].y - points[a].y)
        - (points[c].x - points[a].x) * (points[b].y - points[a].y)
    }
    let whole = area(0, 1, 2)
    guard whole != 0 else { return ["the primaries lie on a line"] }
    let parts = [area(0, 1, 3), area(1, 2, 3), area(2, 0, 3)]
    return parts.allSatisfy { $0.signum() == whole.signum() }
      ? [] : ["white is outside the primaries' triangle"]
  }
}

extension HeadroomAdaptiveGainMetadata.Mixing {
  fileprivate var issues: [String] {
    guard type == 3 else { return [] }
    let stored = coefficients.compactMap(\.self)
    if stored.contains(where: { $0 > 50_000 }) { return ["a mixing weight is above 1"] }
    return stored.allSatisfy { $0 == 0 } ? ["all mixing weights are 0"] : []
  }
}

extension HeadroomAdaptiveGainMetadata.Curve {
  fileprivate var issues: [String] {
    var issues: [String] = []
    func refuse(_ isWrong: Bool, _ problem: String) { if isWrong { issues.append(problem) } }
    refuse(x.contains { $0 > 64_000 }, "a point is above 64 times the reference white")
    refuse(zip(x, x.dropFirst()).contains { $0 >= $1 }, "the curve's points do not rise")
    refuse(
      y.contains { $0 > HeadroomAdaptiveGainMetadata.largestGain }, "a gain is above 6 stops")
    refuse(thetas.contains { $0 == 0 || $0 >= 36_000 }, "a slope is vertical")
    return issues
  }
}
