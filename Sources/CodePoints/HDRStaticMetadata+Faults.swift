// What of static HDR metadata is nonsense: faults cannot be so, doubts are possible but hardly meant.

extension AmbientViewingEnvironment {
  /// What cannot be so (H.265, D.3.39): a few words each.
  public var faults: [String] {
    var faults: [String] = []
    if ambientIlluminance == 0 { faults.append("no light has 0 lux") }
    // Direct sunlight has about 100 000 lux.
    if illuminance > 200_000 { faults.append("\(illuminance) lux is more than sunlight") }
    if ambientLightY == 0 || Int(ambientLightX) + Int(ambientLightY) > 50_000 {
      faults.append(
        "no color has x \(Double(ambientLightX) / 50_000) and y \(Double(ambientLightY) / 50_000)")
    }
    return faults
  }
}

extension ContentLightLevel {
  /// What cannot be so (CTA-861.3; H.265, D.3.35): a few words each. 0 stands for "unknown".
  public var faults: [String] {
    var faults: [String] = []
    if max(maxContentLightLevel, maxPicAverageLightLevel) > 10_000 {
      faults.append("no signal is brighter than 10000 cd/m², where PQ ends")
    }
    if maxContentLightLevel > 0 && maxPicAverageLightLevel > maxContentLightLevel {
      faults.append(
        "a picture's average is not above its brightest pixel: MaxCLL is the first number")
    }
    return faults
  }

  /// What is possible but hardly meant.
  public var doubts: [String] {
    maxContentLightLevel == 0 || maxPicAverageLightLevel == 0 ? ["0 is unknown"] : []
  }

  /// Whether neither level is known, which states nothing.
  public var isUnknown: Bool { maxContentLightLevel == 0 && maxPicAverageLightLevel == 0 }
}

extension MasteringDisplayColorVolume {
  /// What cannot be so: a few words each. Outside of the ranges of H.265, D.3.28, a value is unknown;
  /// the order green, blue, red, which D.3.28 gives, is told from the largest y and x.
  public var faults: [String] {
    (colorFault.map { [$0] } ?? []) + luminanceFaults
  }

  /// What is possible but hardly meant.
  public var doubts: [String] {
    var doubts: [String] = []
    if minDisplayMasteringLuminance == 0 { doubts.append("a minimum of 0 cd/m² is unknown") }
    if maximumLuminance < 100 {
      doubts.append("a maximum of \(maximumLuminance) cd/m² is below SDR's")
    }
    return doubts
  }

  private var colorFault: String? {
    let points = displayPrimaries + [whitePoint]
    if points.contains(where: { !(5...37_000).contains($0.x) || !(5...42_000).contains($0.y) }) {
      return "coordinates that no display has: x is from 0.0001 to 0.74, y from 0.0001 to 0.84"
    }
    if points.contains(where: { Int($0.x) + Int($0.y) > 50_000 }) {
      return "coordinates of no color: x and y are not above 1 together"
    }
    if let order = permutation {
      return "primaries are not in the order green, blue, red but \(order)"
    }
    return contains(whitePoint) ? nil : "the white point is outside of the primaries' triangle"
  }

  private var luminanceFaults: [String] {
    var faults: [String] = []
    if !(50_000...100_000_000).contains(maxDisplayMasteringLuminance) {
      faults.append("a maximum of \(maximumLuminance) cd/m² is not from 5 to 10000")
    }
    if minDisplayMasteringLuminance > 50_000 {
      faults.append("a minimum of \(minimumLuminance) cd/m² is not from 0 to 5")
    }
    if minDisplayMasteringLuminance >= maxDisplayMasteringLuminance {
      faults.append(
        "a minimum of \(minimumLuminance) cd/m² is not below the maximum of "
          + "\(maximumLuminance) cd/m²")
    }
    return faults
  }

  /// The primaries in the order in which they stand, if that is wrong.
  private var permutation: String? {
    let indices = displayPrimaries.indices
    guard let green = indices.max(by: { displayPrimaries[$0].y < displayPrimaries[$1].y }),
      let red = indices.max(by: { displayPrimaries[$0].x < displayPrimaries[$1].x }),
      (green, red) != (0, 2)
    else { return nil }
    return indices.map { $0 == green ? "green" : $0 == red ? "red" : "blue" }
      .joined(separator: ", ")
  }

  /// Whether a chromaticity lies within the triangle of the primaries; primaries on a line have none.
  private func contains(_ point: Chromaticity) -> Bool {
    func side(_ a: Chromaticity, _ b: Chromaticity) -> Int {
      let (ax, ay) = (Int(a.x), Int(a.y))
      return ((Int(b.x) - ax) * (Int(point.y) - ay) - (Int(b.y) - ay) * (Int(point.x) - ax))
        .signum()
    }
    let sides = [
      side(displayPrimaries[0], displayPrimaries[1]),
      side(displayPrimaries[1], displayPrimaries[2]),
      side(displayPrimaries[2], displayPrimaries[0]),
    ]
    return sides[0] != 0 && sides.allSatisfy { $0 == sides[0] }
  }
}
