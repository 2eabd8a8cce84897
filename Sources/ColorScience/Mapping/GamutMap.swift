/// How linear light (white: 1, 1, 1) is brought into a gamut, 0…1 for each component. Neutral
/// colors stay as they are.
package enum GamutMap: Hashable, Sendable {
  /// Each component is limited by itself.
  case clip
  /// Toward the gray of the same luminance.
  case desaturate(DesaturateGamut)
  /// By the distance from the largest component.
  case compression(GamutCompression)
  /// By BT.2407, annex 2.
  case bt2407(BT2407Gamut)

  /// A color inside.
  package func map(_ color: Triple) -> Triple {
    switch self {
    case .clip: color.contained(in: 0...1)
    case .desaturate(let gamut): gamut.map(color)
    case .compression(let gamut): gamut.map(color)
    case .bt2407(let gamut): gamut.map(color)
    }
  }
}
