// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import ColorScience
internal import NALUnits

/// The headroom-adaptive gain curves of one frame (SMPTE ST 2094-50).
package struct GainReport: Sendable {
  /// Diffuse white in cd/m².
  package let referenceWhite: Double
  /// The headroom that the frame was made for, in stops; `nil` if nothing is adapted.
  package let headroom: Double?
  /// Whether the curves are those that the standard derives from the headroom.
  package let isReferenceWhiteCurve: Bool
  /// The x and y of red, green, blue and white in the color space that the gains apply to.
  let chromaticities: [Double]
  /// The looks for displays with other headrooms, including derived looks.
  package let alternates: [HeadroomAdaptiveToneMap.Alternate]
  /// The first thing in the metadata that the standard does not allow.
  package let fault: String?
  /// Why the bytes cannot be read.
  package let error: String?

  init(_ value: HeadroomAdaptiveGain) {
    let toneMap = value.metadata?.toneMap
    let map = toneMap?.toneMap
    referenceWhite = value.metadata?.referenceWhiteLuminance ?? LightSystem.diffuseWhite
    headroom = toneMap?.headroom
    isReferenceWhiteCurve = toneMap != nil && toneMap?.authored == nil
    chromaticities =
      (map.map { [$0.space.red, $0.space.green, $0.space.blue, $0.space.white] } ?? [])
      .flatMap { [$0.x, $0.y] }
    alternates = map?.alternates ?? []
    error = value.damage.map { "\($0)" }
    fault = value.metadata?.issues.first
  }
}

extension GainReport: JSONObject {
  package static let fields: [JSONField<GainReport>] = [
    .init("referenceWhite", "Diffuse white, in cd/m².") { $0.referenceWhite },
    .init(
      "headroom",
      "The headroom above white that the frame was made for, in stops; absent if nothing is "
        + "adapted."
    ) { $0.headroom },
    .init(
      "isReferenceWhiteCurve",
      "Whether the curves are those that the standard derives from the headroom."
    ) { $0.isReferenceWhiteCurve },
    .init(
      "chromaticities",
      "x and y of red, green, blue and white in the color space that gains apply to; empty if "
        + "there are no gains."
    ) { $0.chromaticities },
    .init("alternates", "The looks for displays with other headrooms, including derived looks.") {
      $0.alternates
    },
    .init(
      "fault",
      "The first thing in the metadata that the standard does not allow; absent if nothing is "
        + "wrong."
    ) { $0.fault },
    .init("error", "Why the metadata cannot be read; absent if it can be read.") { $0.error },
  ]
}

extension HeadroomAdaptiveToneMap.Alternate: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("headroom", "The display's headroom, in stops.") { $0.headroom },
    .init(
      "mixing",
      "The weights of the mix to which the curve is applied: those of R, G and B, of the largest "
        + "and the smallest of these, and of the component itself."
    ) { $0.mix.weights },
    .init("points", "The points of the curve, in order of rising light.") { $0.curve.points },
  ]
}

extension HeadroomAdaptiveToneMap.ComponentMix {
  fileprivate var weights: [Double] {
    [components.x, components.y, components.z, largest, smallest, own]
  }
}

extension HeadroomAdaptiveToneMap.GainCurve.Point: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("x", "The light, in multiples of diffuse white.") { $0.x },
    .init("y", "The gain, in stops.") { $0.y },
    .init("slope", "The slope, in stops for each multiple of diffuse white.") { $0.slope },
  ]
}
