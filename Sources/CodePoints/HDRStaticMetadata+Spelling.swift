extension AmbientViewingEnvironment {
  /// An environment from a text such as `314,0.3127,0.3290`: lux, and CIE 1931 x and y of the light;
  /// nil for anything else, and for numbers that do not fit.
  public init?(spelling: String) {
    guard let numbers = decimals(spelling), numbers.count == 3,
      let illuminance = UInt32(exactly: (numbers[0] * 10_000).rounded()),
      let x = UInt16(exactly: (numbers[1] * 50_000).rounded()),
      let y = UInt16(exactly: (numbers[2] * 50_000).rounded())
    else { return nil }
    self.init(ambientIlluminance: illuminance, ambientLightX: x, ambientLightY: y)
  }

  /// What makes the values nonsense (H.265, D.3.39): a sentence; nil if nothing does.
  public var fault: String? {
    if ambientIlluminance == 0 { return "no light has 0 lux" }
    guard (1...50_000).contains(ambientLightY), Int(ambientLightX) + Int(ambientLightY) <= 50_000
    else { return "no light has this color: x and y are from 0 to 1, and not above 1 together" }
    return nil
  }
}

extension ContentLightLevel {
  /// Levels from a text such as `1000,400`: MaxCLL and MaxFALL in cd/m²; nil for anything else.
  public init?(spelling: String) {
    let numbers = spelling.split(separator: ",", omittingEmptySubsequences: false)
      .map { UInt16($0) }
    guard numbers.count == 2, let content = numbers[0], let average = numbers[1] else { return nil }
    self.init(maxContentLightLevel: content, maxPicAverageLightLevel: average)
  }

  /// What makes the values nonsense: a sentence; nil if nothing does. 0 stands for "unknown"
  /// (H.265, D.3.35).
  public var fault: String? {
    if maxContentLightLevel == 0 && maxPicAverageLightLevel == 0 { return "nothing is stated" }
    if maxContentLightLevel > 10_000 { return "no signal is brighter than 10000 cd/m²" }
    if maxContentLightLevel > 0 && maxPicAverageLightLevel > maxContentLightLevel {
      return "a picture's average is not above its brightest pixel: MaxCLL is the first number"
    }
    return nil
  }
}

extension MasteringDisplayColorVolume {
  /// The primaries that a short spelling names, with white D65.
  public static let shortNames: [(name: String, primaries: [Chromaticity])] = [
    ("p3", [.init(x: 13250, y: 34500), .init(x: 7500, y: 3000), .init(x: 34000, y: 16000)]),
    ("2020", [.init(x: 8500, y: 39850), .init(x: 6550, y: 2300), .init(x: 35400, y: 14600)]),
    ("709", [.init(x: 15000, y: 30000), .init(x: 7500, y: 3000), .init(x: 32000, y: 16500)]),
  ]

  /// A color volume from a text: `p3,1000,0.0001`, which is primaries, the maximum and the minimum in
  /// cd/m², or x265's `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)` in the units of the wire; nil for
  /// anything else.
  public init?(spelling: String) {
    if let wire = Self.wireNumbers(spelling) {
      let points = stride(from: 0, to: 8, by: 2).compactMap { index in
        UInt16(exactly: wire[index]).flatMap { x in
          UInt16(exactly: wire[index + 1]).map { Chromaticity(x: x, y: $0) }
        }
      }
      guard points.count == 4 else { return nil }
      self.init(
        displayPrimaries: Array(points.prefix(3)), whitePoint: points[3],
        maxDisplayMasteringLuminance: wire[8], minDisplayMasteringLuminance: wire[9])
      return
    }
    let parts = spelling.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2, let numbers = decimals(parts[1]), numbers.count == 2,
      let named = Self.shortNames.first(where: { $0.name == parts[0].lowercased() }),
      let maximum = UInt32(exactly: (numbers[0] * 10_000).rounded()),
      let minimum = UInt32(exactly: (numbers[1] * 10_000).rounded())
    else { return nil }
    self.init(
      displayPrimaries: named.primaries, whitePoint: Chromaticity(x: 15635, y: 16450),
      maxDisplayMasteringLuminance: maximum, minDisplayMasteringLuminance: minimum)
  }

  /// The ten numbers of x265's form.
  private static func wireNumbers(_ text: String) -> [UInt32]? {
    var rest = text[...]
    var numbers: [UInt32] = []
    for name in ["G", "B", "R", "WP", "L"] {
      guard rest.hasPrefix(name + "("), let end = rest.firstIndex(of: ")") else { return nil }
      let pair = rest[..<end].dropFirst(name.count + 1).split(separator: ",").map { UInt32($0) }
      guard pair.count == 2, let first = pair[0], let second = pair[1] else { return nil }
      numbers += [first, second]
      rest = rest[end...].dropFirst()
    }
    return rest.isEmpty ? numbers : nil
  }

  /// What makes the values nonsense (H.265, D.3.28): a sentence; nil if nothing does.
  public var fault: String? {
    let (green, blue, red) = (displayPrimaries[0], displayPrimaries[1], displayPrimaries[2])
    guard
      (displayPrimaries + [whitePoint]).allSatisfy({ $0.y > 0 && Int($0.x) + Int($0.y) <= 50_000 })
    else {
      return "a chromaticity is no color: x and y, in units of 0.00002, are 50000 together at most"
    }
    guard red.x > green.x, red.x > blue.x, green.y > red.y, green.y > blue.y, blue.y < red.y else {
      return "the primaries are permuted or no triangle: their order is green, blue, red"
    }
    guard contains(whitePoint) else { return "the white point is outside of the primaries" }
    guard (50_000...100_000_000).contains(maxDisplayMasteringLuminance) else {
      return "a maximum of \(maximumLuminance) cd/m² is not from 5 to 10000"
    }
    guard minDisplayMasteringLuminance <= 50_000,
      minDisplayMasteringLuminance < maxDisplayMasteringLuminance
    else {
      return "a minimum of \(minimumLuminance) cd/m² is not from 0 to 5 and below the maximum"
    }
    return nil
  }

  /// Whether a chromaticity lies within the triangle of the primaries.
  private func contains(_ point: Chromaticity) -> Bool {
    func side(_ a: Chromaticity, _ b: Chromaticity) -> Bool {
      let (ax, ay) = (Int(a.x), Int(a.y))
      return (Int(b.x) - ax) * (Int(point.y) - ay) - (Int(b.y) - ay) * (Int(point.x) - ax) > 0
    }
    let sides = [
      side(displayPrimaries[0], displayPrimaries[1]),
      side(displayPrimaries[1], displayPrimaries[2]),
      side(displayPrimaries[2], displayPrimaries[0]),
    ]
    return Set(sides).count == 1
  }
}

/// Decimal numbers with commas between them; nil for anything else.
private func decimals(_ text: String) -> [Double]? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = parts.compactMap { Double($0) }.filter { $0.isFinite && $0 >= 0 }
  return numbers.count == parts.count ? numbers : nil
}
