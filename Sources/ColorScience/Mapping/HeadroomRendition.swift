// SPDX-License-Identifier: GPL-2.0-or-later
/// How an author wants a frame to look on a display with a given headroom: the frame's
/// headroom-adaptive tone map, as an operator on display light.
package struct HeadroomRendition: Hashable, Sendable {
  package let toneMap: HeadroomAdaptiveToneMap
  /// The headroom of the result, in stops above diffuse white.
  package let headroom: Double
  /// The primaries of the colors, before and after the mapping.
  package let space: RGBSpace
  /// The tone map states its reference white on its own scale. This is the factor from that scale
  /// to the scale of the display light that ``map(_:)`` receives. It is 1, unless HLG is read for a
  /// display other than BT.2100's.
  package let unit: Double
  /// The luminance that reference white gets, in cd/m².
  package let white: Double
  /// The alternates that the gains come from.
  package let shares: [HeadroomAdaptiveToneMap.Share]

  package init(
    _ toneMap: HeadroomAdaptiveToneMap, headroom: Double, space: RGBSpace, unit: Double,
    white: Double
  ) {
    (self.toneMap, self.headroom, self.space) = (toneMap, headroom, space)
    (self.unit, self.white) = (unit, white)
    shares = toneMap.shares(at: headroom)
  }

  /// Returns this rendition for a frame that has another tone map.
  package func with(_ toneMap: HeadroomAdaptiveToneMap) -> HeadroomRendition {
    HeadroomRendition(toneMap, headroom: headroom, space: space, unit: unit, white: white)
  }

  /// The factor from display light to multiples of reference white.
  package var scale: Double { 1 / (unit * toneMap.referenceWhite) }

  /// The matrix from the primaries of the colors to the primaries in which gains are applied. `nil`
  /// if the two are the same.
  package var toGainSpace: Matrix3x3? {
    space == toneMap.space ? nil : space.matrix(to: toneMap.space)
  }

  /// The inverse of ``toGainSpace``.
  package var fromGainSpace: Matrix3x3? {
    space == toneMap.space ? nil : toneMap.space.matrix(to: space)
  }

  /// Maps a color, linear display light in cd/m², to linear light in cd/m².
  ///
  /// Components are limited to 0…10 000 cd/m², and NaN counts as 0.
  package func map(_ light: Triple) -> Triple {
    let color =
      (toGainSpace ?? .identity) * (light.contained(in: 0...PQ.peakLuminance) * scale)
    let shown = color * shares.gains(of: color).componentwise(binaryPower)
    return (fromGainSpace ?? .identity) * shown * white
  }
}
