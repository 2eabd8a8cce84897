// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

extension ColorPrimaries {
  /// Whether both code points name the same chromaticities.
  package func meansTheSame(as other: ColorPrimaries) -> Bool {
    // H.273, table 2: 6 and 7 share their chromaticities, 5 and 6 do not.
    guard self != other else { return true }
    guard let mine = RGBSpace(self), let others = RGBSpace(other) else { return false }
    return mine == others
  }
}

extension TransferCharacteristics {
  /// Whether both code points name the same function with the same domain, as 1, 6, 14 and 15 do.
  package func meansTheSame(as other: TransferCharacteristics) -> Bool {
    // QuickTime's `gama` stores 1.8 as 1.80000305, so gammas that have no number in H.273 are
    // compared by name.
    if let unnumberedName { return unnumberedName == other.unnumberedName }
    // For numbers from 0 to 1, functions 11 and 12 are the same as function 1. But they are also
    // defined outside that range, so they do not mean the same as function 1.
    return self == other || SDRCurve(self)?.codePoints.contains(other) == true
  }
}

extension ColorDescription {
  /// Whether both descriptions mean the same colors, so that tags can change while pixels stay the
  /// same. A part that one of the two leaves unspecified does not count.
  package func meansTheSame(as other: ColorDescription) -> Bool {
    func agree<Point: CodePoint>(_ a: Point, _ b: Point, _ same: (Point) -> Bool) -> Bool {
      !a.isSpecified || !b.isSpecified || same(b)
    }
    return agree(colorPrimaries, other.colorPrimaries, colorPrimaries.meansTheSame)
      && agree(
        transferCharacteristics, other.transferCharacteristics,
        transferCharacteristics.meansTheSame)
      && hasSameMatrix(as: other)
  }

  /// Whether both descriptions turn R'G'B' into the same components. An unspecified matrix does not
  /// count.
  package func hasSameMatrix(as other: ColorDescription) -> Bool {
    guard matrixCoefficients.isSpecified, other.matrixCoefficients.isSpecified else { return true }
    // "Derived" matrices depend on the primaries. Constant luminance and ICtCp depend on the
    // transfer function. So comparing code points alone is not enough.
    if let mine = SignalCoding(self), let others = SignalCoding(other) { return mine == others }
    // A matrix may be unknown, or derive from primaries that are unknown. In that case, matrices
    // count as the same only if all three parts of the descriptions agree.
    return matrixCoefficients == other.matrixCoefficients
      && colorPrimaries.meansTheSame(as: other.colorPrimaries)
      && transferCharacteristics.meansTheSame(as: other.transferCharacteristics)
  }
}
