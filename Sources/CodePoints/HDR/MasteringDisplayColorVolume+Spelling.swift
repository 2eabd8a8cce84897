// SPDX-License-Identifier: GPL-2.0-or-later
extension AmbientViewingEnvironment {
  /// Reads an environment from a text such as `314,0.3127,0.3290`: lux, then CIE 1931 x and y of
  /// the light. Returns `nil` for anything else, and for numbers out of range.
  package init?(spelling: String) {
    guard let numbers = decimals(spelling), numbers.count == 3,
      let illuminance = UInt32(exactly: (numbers[0] * 10_000).rounded()),
      let x = UInt16(exactly: (numbers[1] * 50_000).rounded()),
      let y = UInt16(exactly: (numbers[2] * 50_000).rounded())
    else { return nil }
    self.init(ambientIlluminance: illuminance, ambientLightX: x, ambientLightY: y)
  }
}

extension ContentLightLevel {
  /// Reads levels from a text such as `1000,400`: MaxCLL and MaxFALL in cd/m². Returns `nil` for
  /// anything else.
  package init?(spelling: String) {
    let numbers = spelling.split(separator: ",", omittingEmptySubsequences: false)
      .map { UInt16($0) }
    guard numbers.count == 2, let content = numbers[0], let average = numbers[1] else { return nil }
    self.init(maxContentLightLevel: content, maxPicAverageLightLevel: average)
  }
}

extension MasteringDisplayColorVolume {
  /// Primaries that have a short name. Their white point is D65.
  package struct NamedPrimaries: Sendable {
    package let name: String
    package let primaries: ColorPrimaries
    package let (green, blue, red): (Chromaticity, Chromaticity, Chromaticity)

    fileprivate init(
      _ name: String, _ primaries: ColorPrimaries, green: (UInt16, UInt16), blue: (UInt16, UInt16),
      red: (UInt16, UInt16)
    ) {
      (self.name, self.primaries) = (name, primaries)
      self.green = Chromaticity(x: green.0, y: green.1)
      self.blue = Chromaticity(x: blue.0, y: blue.1)
      self.red = Chromaticity(x: red.0, y: red.1)
    }
  }

  private static let p3 = NamedPrimaries(
    "p3", .p3D65, green: (13250, 34500), blue: (7500, 3000), red: (34000, 16000))
  private static let whiteD65 = Chromaticity(x: 15635, y: 16450)

  /// The display that most HDR10 is mastered on: P3, 0.0001 to 1000 cd/m².
  package static let usual = Self(
    green: p3.green, blue: p3.blue, red: p3.red, whitePoint: whiteD65,
    maxDisplayMasteringLuminance: 10_000_000, minDisplayMasteringLuminance: 1)

  /// The primaries that have short names.
  package static let shortNames = [
    p3,
    NamedPrimaries(
      "2020", .bt2020, green: (8500, 39850), blue: (6550, 2300), red: (35400, 14600)),
    NamedPrimaries(
      "709", .bt709, green: (15000, 30000), blue: (7500, 3000), red: (32000, 16500)),
  ]

  /// Makes the color volume of a display whose white point is D65.
  ///
  /// - Parameters:
  ///   - maximum: the nominal maximum luminance in cd/m².
  ///   - minimum: the nominal minimum luminance in cd/m².
  /// - Returns: `nil` if a luminance does not fit into its field.
  package init?(_ primaries: NamedPrimaries, maximum: Double, minimum: Double) {
    guard let maximum = UInt32(exactly: (maximum * 10_000).rounded()),
      let minimum = UInt32(exactly: (minimum * 10_000).rounded())
    else { return nil }
    self.init(
      green: primaries.green, blue: primaries.blue, red: primaries.red,
      whitePoint: Self.whiteD65,
      maxDisplayMasteringLuminance: maximum, minDisplayMasteringLuminance: minimum)
  }

  /// Reads a color volume from a text. The text has the form `p3,1000,0.0001` (primaries, then
  /// maximum and minimum luminance in cd/m²) or x265's form
  /// `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)` in coded units. Returns `nil` for anything else.
  package init?(spelling: String) {
    // x265's option `--master-display` takes this form, so many scripts already contain it.
    if let wire = Self.wireNumbers(spelling) {
      let points = stride(from: 0, to: 8, by: 2).compactMap { index in
        UInt16(exactly: wire[index]).flatMap { x in
          UInt16(exactly: wire[index + 1]).map { Chromaticity(x: x, y: $0) }
        }
      }
      guard points.count == 4 else { return nil }
      self.init(
        green: points[0], blue: points[1], red: points[2], whitePoint: points[3],
        maxDisplayMasteringLuminance: wire[8], minDisplayMasteringLuminance: wire[9])
      return
    }
    let parts = spelling.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2, let numbers = decimals(parts[1]), numbers.count == 2,
      let named = Self.shortNames.first(where: { $0.name == parts[0].lowercased() }),
      // 0 means that the minimum is unknown, so no other minimum may be rounded to 0.
      numbers[1] == 0 || numbers[1] * 10_000 >= 0.5
    else { return nil }
    self.init(named, maximum: numbers[0], minimum: numbers[1])
  }

  /// Reads the ten numbers of x265's form.
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
}

/// Reads decimal numbers with commas between them. Returns `nil` for anything else.
private func decimals(_ text: String) -> [Double]? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  // `Double` also reads "inf" and "nan", which are not valid settings.
  let numbers = parts.compactMap { Double($0) }.filter { $0.isFinite && $0 >= 0 }
  return numbers.count == parts.count ? numbers : nil
}
