// SPDX-License-Identifier: GPL-2.0-or-later
private import CodePoints

/// ICtCp in its PQ form (BT.2100, table 7), for display light in cd/m².
package struct ICtCpLight: Hashable, Sendable {
  /// Matrix from linear R, G, B to L, M, S.
  package let toLMS: Matrix3x3
  /// Inverse of ``toLMS``.
  package let fromLMS: Matrix3x3
  /// Matrix from L', M', S' to I, Ct, Cp.
  package let toOpponents: Matrix3x3
  /// Inverse of ``toOpponents``.
  package let fromOpponents: Matrix3x3

  /// Prepares matrices for colors of a space. A white other than D65 is adapted to D65.
  init(space: RGBSpace) {
    // BT.2100 defines L, M, S for BT.2020's primaries, so other colors are converted to those
    // primaries first.
    let bt2020 = RGBSpace(.bt2020).map { space.matrix(to: $0) } ?? .identity
    toLMS = ICtCp.rgbToLMS * bt2020
    fromLMS = toLMS.inverse
    toOpponents = ICtCp.pq.lmsToICtCp
    fromOpponents = toOpponents.inverse
  }

  /// Converts linear R, G, B in cd/m² to I, Ct, Cp.
  func signal(of light: Triple) -> Triple {
    let lms = toLMS * light
    return toOpponents
      * Triple(PQ.inverseEOTF(lms.x), PQ.inverseEOTF(lms.y), PQ.inverseEOTF(lms.z))
  }

  /// Converts I, Ct, Cp to linear R, G, B in cd/m².
  func light(of signal: Triple) -> Triple {
    let lms = fromOpponents * signal
    return fromLMS * Triple(PQ.eotf(lms.x), PQ.eotf(lms.y), PQ.eotf(lms.z))
  }
}
