// SPDX-License-Identifier: GPL-2.0-or-later

/// ΔE ITP: how different two colors look as light (Recommendation ITU-R BT.2124). A value of 1 is
/// the least difference that a viewer can see who is adapted to just that color.
///
/// Colors are compared by I, T = Ct / 2 and P = Cp of ICtCp in its PQ form, so that HDR and SDR are
/// compared as what their displays show.
extension ICtCp {
  /// The differences that a distance of 1 in I, T, P amounts to (BT.2124, equation 1).
  package static let differenceScale = 720.0

  /// Weights of I, Ct and Cp in differences.
  package static let differenceWeights = Triple(1, 0.5, 1)

  /// The difference of two colors that are I, Ct, Cp of PQ.
  package static func difference(_ first: Triple, _ second: Triple) -> Double {
    let weights = differenceWeights
    let (i, t, p) = (
      (first.x - second.x) * weights.x, (first.y - second.y) * weights.y,
      (first.z - second.z) * weights.z
    )
    return differenceScale * (i * i + t * t + p * p).squareRoot()
  }

  /// The difference of two colors of linear light: R, G and B of BT.2020 in cd/m².
  package static func differenceOfLight(_ first: Triple, _ second: Triple) -> Double {
    difference(iCtCp(first), iCtCp(second))
  }

  private static func iCtCp(_ light: Triple) -> Triple {
    let lms = rgbToLMS * light
    return pq.lmsToICtCp
      * Triple(PQ.inverseEOTF(lms.x), PQ.inverseEOTF(lms.y), PQ.inverseEOTF(lms.z))
  }
}
