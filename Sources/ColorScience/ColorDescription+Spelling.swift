// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

extension CodePoint {
  /// Finds the code point for a number, the value of an Apple constant, FFmpeg's name, the
  /// standard's name (`BT.709`, `Rec. 709`, `HLG`) or the name of a transfer function without a
  /// number (`gamma 1.8`). Upper and lower case count as the same. Returns `nil` for an unknown
  /// spelling.
  package init?(spelling: String) {
    // Settings take only numbers of 8 bits, because some places have no room for more.
    if let number = UInt8(spelling) {
      self.init(rawValue: UInt16(number))
      return
    }
    let wanted = spelling.lowercased()
    let match =
      Self.names.first {
        $0.ffmpeg.lowercased() == wanted || $0.apple?.lowercased() == wanted
        // Exact names come first, because titles are compared without punctuation and could match
        // too much.
      } ?? Self.names.first { plainName($0.title) == plainName(wanted) }
    if let match {
      self.init(rawValue: match.rawValue)
    } else if let unnumbered = TransferCharacteristics.unnumbered(spelling: wanted) as? Self {
      self = unnumbered
    } else {
      return nil
    }
  }
}

/// Returns the letters and digits of a name, with `bt` in place of `rec`.
private func plainName(_ name: String) -> String {
  let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
  return plain.hasPrefix("rec") ? "bt\(plain.dropFirst(3))" : plain
}

extension TransferCharacteristics {
  /// The transfer functions of ``SDRCurve/all`` and ``LightSystem/all`` that have no number.
  package static let unnumbered =
    (SDRCurve.all.flatMap(\.codePoints) + LightSystem.all.map(\.code)).filter {
      $0.unnumberedName != nil
    }

  /// Finds the function that has this name but no number in H.273.
  fileprivate static func unnumbered(spelling: String) -> Self? {
    let plain = plainName(spelling)
    if let curve = unnumbered.first(where: { plainName($0.title) == plain }) { return curve }
    guard spelling.hasPrefix("gamma"),
      let exponent = Double(spelling.dropFirst(5).drop { $0 == " " })
    else { return nil }
    return TransferCharacteristics(gamma: exponent)
  }

  /// How much a gamma may differ from the gamma of a code point.
  private static let gammaTolerance = 0.011

  /// Displays have had gammas from 1.8 (old Macs) to 2.8 (BT.470, Systems B and G). Gammas far
  /// outside this range are mistakes, such as a camera's 0.45.
  private static let plausibleGammas = 1 - gammaTolerance...3 + gammaTolerance

  /// Finds the transfer function for a plain gamma, as Core Media reads it. If no code point has
  /// nearly this gamma, the result is a power that has no number in H.273.
  ///
  /// - Returns: `nil` if no display has such a gamma.
  package init?(gamma: Double) {
    guard Self.plausibleGammas.contains(gamma) else { return nil }
    // 1.961 is the gamma that QuickTime movies with BT.709 video declare, and 2.4 is the gamma of a
    // BT.709 display (BT.1886). So both give the code point of BT.709.
    let match = SDRCurve.plainGammas.first { abs($0.gamma - gamma) < Self.gammaTolerance }?.code
    self = match ?? Self(unnumberedGamma: gamma)
  }
}

extension ColorDescription {
  /// Other common names, and the short names that they stand for. The names are written without
  /// dots, hyphens, underscores and spaces.
  private static let otherNames = [
    "bt709": "709", "rec709": "709", "bt2020": "2020", "rec2020": "2020",
    "displayp3": "display-p3", "p3d65": "p3", "hlg10": "hlg", "bt2100hlg": "hlg",
    "rec2100hlg": "hlg", "aribstdb67": "hlg", "bt2100pq": "pq", "rec2100pq": "pq",
    "smpte2084": "pq", "st2084": "pq", "hdr10": "pq", "hdr10+": "pq",
  ]

  /// All names that stand for a whole description.
  package static var names: [String] { shortNames.map(\.name) + otherNames.keys.sorted() }

  /// Makes a description from a name for all three parts (`hlg`), or from three parts separated by
  /// `/`. Each part is a number or a name, such as Apple's or FFmpeg's (`9/18/9`,
  /// `bt2020/arib-std-b67/bt2020nc`). Returns `nil` for anything else.
  public init?(spelling: String) {
    let plain = spelling.lowercased().filter { !".-_ ".contains($0) }
    let name = Self.otherNames[plain] ?? spelling.lowercased()
    if let short = Self.shortNames.first(where: { $0.name == name }) {
      self = short.value
      return
    }
    let parts = spelling.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3,
      let primaries = ColorPrimaries(spelling: parts[0]),
      let transfer = TransferCharacteristics(spelling: parts[1]),
      let matrix = MatrixCoefficients(spelling: parts[2])
    else { return nil }
    self.init(primaries, transfer, matrix)
  }
}
