// SPDX-License-Identifier: GPL-2.0-or-later

/// ΔE ITP: how different two colors look as light (Recommendation ITU-R BT.2124). A value of 1 is
/// the smallest difference that viewers can see if they are adapted to that color.
extension ICtCp {
  /// The difference for a distance of 1 in I, T, P (BT.2124, equation 1).
  package static let differenceScale = 720.0

  /// The weights of I, Ct and Cp in differences.
  package static let differenceWeights = Triple(1, 0.5, 1)

  /// Returns the difference of two colors, which are given as I, Ct, Cp of PQ.
  package static func difference(_ first: Triple, _ second: Triple) -> Double {
    // T is half of Ct: BT.2124 halves it so that equal steps look equally large in all directions.
    let weights = differenceWeights
    let (i, t, p) = (
      (first.x - second.x) * weights.x, (first.y - second.y) * weights.y,
      (first.z - second.z) * weights.z
    )
    return differenceScale * (i * i + t * t + p * p).squareRoot()
  }

  /// Returns the difference of two colors of linear light: R, G and B of BT.2020 in cd/m².
  package static func differenceOfLight(_ first: Triple, _ second: Triple) -> Double {
    difference(iCtCp(first), iCtCp(second))
  }

  private static func iCtCp(_ light: Triple) -> Triple {
    // The PQ form is used even for HLG and SDR, because the light of displays is compared, not
    // signals.
    let lms = rgbToLMS * light
    return pq.lmsToICtCp
      * Triple(PQ.inverseEOTF(lms.x), PQ.inverseEOTF(lms.y), PQ.inverseEOTF(lms.z))
  }
}
