// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

extension ColorPrimaries {
  /// True if both name the same chromaticities (H.273: 6 and 7 do, 5 and 6 do not).
  package func meansTheSame(as other: ColorPrimaries) -> Bool {
    guard self != other else { return true }
    guard let mine = RGBSpace(self), let others = RGBSpace(other) else { return false }
    return mine == others
  }
}

extension TransferCharacteristics {
  /// True if both name the same function with the same domain: 1, 6, 14 and 15 do. Others that are
  /// shown alike (11, 12) also state values outside of it, so that they are not the same.
  ///
  /// A gamma without a number goes by its name: `gama` makes 1.80000305 of 1.8.
  package func meansTheSame(as other: TransferCharacteristics) -> Bool {
    if let unnumberedName { return unnumberedName == other.unnumberedName }
    return self == other || SDRCurve(self)?.codePoints.contains(other) == true
  }
}

extension ColorDescription {
  /// True if both mean the same colors, so that tags can be exchanged and pixels stay. Parts that
  /// either leaves unspecified say nothing and do not differ.
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

  /// True if both turn R'G'B' into the same components. "Derived" matrices depend on the primaries,
  /// constant luminance and ICtCp on the transfer function. An unspecified matrix says nothing and
  /// does not differ.
  package func hasSameMatrix(as other: ColorDescription) -> Bool {
    guard matrixCoefficients.isSpecified, other.matrixCoefficients.isSpecified else { return true }
    if let mine = SignalCoding(self), let others = SignalCoding(other) { return mine == others }
    // Unknown matrices, and those that lack what they derive from, are the same only where all
    // three parts are.
    return matrixCoefficients == other.matrixCoefficients
      && colorPrimaries.meansTheSame(as: other.colorPrimaries)
      && transferCharacteristics.meansTheSame(as: other.transferCharacteristics)
  }
}
