// SPDX-License-Identifier: GPL-2.0-or-later
/// Maps linear display light of a large range to a smaller one. Light is in cd/m² before and after
/// the mapping, on the scale of the source.
package enum ToneOperator: Hashable, Sendable {
  /// A curve that maps one number, the norm of the color.
  case curve(ToneMap)
  /// BT.2446, method A, for BT.2020.
  case bt2446A(BT2446A)
  /// BT.2446, method B, for BT.2020.
  case bt2446B(BT2446B)
  /// BT.2446, method C, for BT.2020.
  case bt2446C(BT2446C)
  /// The curves that come with the frame.
  case authored(HeadroomRendition)

  /// Maps a color to the smaller range.
  package func map(_ light: Triple) -> Triple {
    switch self {
    case .curve(let map): map.map(light)
    case .bt2446A(let method): method.map(light)
    case .bt2446B(let method): method.map(light)
    case .bt2446C(let method): method.map(light)
    case .authored(let rendition): rendition.map(light)
    }
  }

  /// Maps a color of the smaller range to the larger one. Only methods A and C have an inverse
  /// here; the other operators return the same color.
  package func inverse(_ light: Triple) -> Triple {
    switch self {
    case .curve, .bt2446B, .authored: light
    case .bt2446A(let method): method.inverse(light)
    case .bt2446C(let method): method.inverse(light)
    }
  }
}
