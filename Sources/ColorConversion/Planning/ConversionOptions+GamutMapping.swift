// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience

extension ConversionOptions {
  /// How colors outside the output's gamut are mapped into it.
  ///
  /// To add a mapping, write a value of this type and its `GamutMethod` in a new file, and add a
  /// line to `all`. The planner, presets and their documentation go through that list.
  public struct GamutMapping: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The gamuts of source and output, and what happened to the light before gamut mapping.
    struct Change {
      /// The space of the source's colors.
      let source: RGBSpace
      /// The space of the output's colors.
      let target: RGBSpace
      /// Whether no light is brighter than white.
      let isSDR: Bool
      /// Whether HDR was tone mapped to SDR.
      let mapsTones: Bool
    }

    /// The name in a preset.
    public let rawValue: String
    /// Returns the method for a change of gamuts, or `nil` if colors outside the gamut stay as they
    /// are.
    let method: @Sendable (Change) -> (any GamutMethod)?

    /// Makes a mapping from the method for each change of gamuts.
    init(_ name: String, by method: @escaping @Sendable (Change) -> (any GamutMethod)?) {
      (rawValue, self.method) = (name, method)
    }

    /// Finds the mapping with a name. Returns `nil` for an unknown name.
    public init?(rawValue: String) {
      guard let mapping = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
      self = mapping
    }

    /// Every mapping, in the order of the documentation.
    package static let all: [Self] = [
      .none,
      .clip,
      .desaturate,
      .perceptual,
      .bt2407,
    ]

    /// Every mapping, in the order of the documentation.
    public static var allCases: [Self] { all }

    /// Maps nothing. Quantization then limits each component separately.
    public static let none = Self("none") { _ in nil }
    /// Limits each component separately, in linear light.
    public static let clip = Self(ClippedGamut.name) { _ in ClippedGamut() }
    /// Moves colors toward the gray of the same luminance, with a soft knee.
    public static let desaturate = Self(DesaturateGamut.name) { DesaturateGamut(space: $0.target) }
    /// Compresses the distance of each component from the largest component, with a soft knee.
    /// Colors that are too bright after tone mapping are dimmed softly, and the more light they
    /// lose, the whiter they become. Between gamuts of SDR that nearly agree, it works like `clip`.
    public static let perceptual = Self(GamutCompression.name) {
      let compression = GamutCompression(from: $0.source, to: $0.target, isSoft: $0.mapsTones)
      // BT.601's and BT.709's gamuts nearly agree, so few colors of one are outside the other.
      // Making room for these few colors would change others that the output could show unchanged.
      return $0.isSDR && compression.isNegligible ? ClippedGamut() : compression
    }
    /// Maps by BT.2407, annex 2, which keeps the hue of CIELAB.
    public static let bt2407 = Self(BT2407Gamut.name) {
      BT2407Gamut(from: $0.source, to: $0.target)
    }
  }
}
