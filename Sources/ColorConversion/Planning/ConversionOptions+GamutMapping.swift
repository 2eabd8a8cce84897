// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience

extension ConversionOptions {
  /// A way of bringing colors outside the output's gamut inside.
  ///
  /// A new one is a value of this type in a file of its own, with the `GamutMethod` that it gives,
  /// and a line in `all`. The planner, presets and their documentation go through that list.
  public struct GamutMapping: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The gamuts between which colors move.
    struct Change {
      /// The space of the source's colors.
      let source: RGBSpace
      /// The space of the output's.
      let target: RGBSpace
      /// True if no light was brighter than white before.
      let isSDR: Bool
      /// True if tones of HDR were brought into SDR.
      let mapsTones: Bool
    }

    /// The name in a preset.
    public let rawValue: String
    /// Method for a change of gamuts; nil where colors are left outside.
    let method: @Sendable (Change) -> (any GamutMethod)?

    /// A mapping by the method for each change of gamuts.
    init(_ name: String, by method: @escaping @Sendable (Change) -> (any GamutMethod)?) {
      (rawValue, self.method) = (name, method)
    }

    /// The mapping of a name; nil for an unknown one.
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

    /// Each component is limited by itself when it is quantized.
    public static let none = Self("none") { _ in nil }
    /// Each component is limited by itself, in linear light.
    public static let clip = Self(ClippedGamut.name) { _ in ClippedGamut() }
    /// Toward the gray of the same luminance, with a soft knee.
    public static let desaturate = Self(DesaturateGamut.name) { DesaturateGamut(space: $0.target) }
    /// By the distance from the largest component, with a soft knee; what tone mapping left too
    /// bright is dimmed softly, and whitened by the light that it loses; between gamuts of SDR that
    /// nearly agree (BT.601's and BT.709's) as `clip`, because hardly anything is outside.
    public static let perceptual = Self(GamutCompression.name) {
      let compression = GamutCompression(from: $0.source, to: $0.target, isSoft: $0.mapsTones)
      return $0.isSDR && compression.isNegligible ? ClippedGamut() : compression
    }
    /// By BT.2407, annex 2: the hue of CIELAB is kept.
    public static let bt2407 = Self(BT2407Gamut.name) {
      BT2407Gamut(from: $0.source, to: $0.target)
    }
  }
}
