// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// How R'G'B' is coded as the three components of a frame, for every matrix code point that is
/// defined on real numbers (H.273, 8.3). The first component goes from 0 to 1, the other two from
/// −0.5 to 0.5.
package enum SignalCoding: Hashable, Sendable {
  /// Linear in R'G'B': Y'CbCr, YCgCo, Y'D'ZD'X, or G'B'R' itself.
  case matrix(YCbCrMatrix)
  /// Luma is the signal of luminance.
  case constantLuminance(ConstantLuminance)
  /// Intensity and two differences of cone signals.
  case iCtCp(ICtCp)

  /// Finds the coding of a description.
  ///
  /// - Returns: `nil` for matrices that are reserved, "unspecified" or defined on code values of
  ///   unequal depths (YCgCo-Re, YCgCo-Ro), and for IPT-PQ-C2. Also `nil` if the coding needs
  ///   primaries or a transfer function that the description does not have.
  package init?(_ color: ColorDescription) {
    if let matrix = YCbCrMatrix(color.matrixCoefficients, primaries: color.colorPrimaries) {
      self = .matrix(matrix)
    } else if let coding = ConstantLuminance(color) {
      self = .constantLuminance(coding)
    } else if color.matrixCoefficients == .iCtCp, let coding = ICtCp(color.transferCharacteristics)
    {
      self = .iCtCp(coding)
    } else {
      return nil
    }
  }

  /// Converts R', G', B' to the components of a frame.
  package func fromRGB(_ signal: Triple) -> Triple {
    switch self {
    case .matrix(let matrix): matrix.fromRGB * signal
    case .constantLuminance(let coding): coding.fromRGB(signal)
    case .iCtCp(let coding): coding.fromRGB(signal)
    }
  }

  /// Converts the components of a frame to R', G', B'.
  package func toRGB(_ components: Triple) -> Triple {
    switch self {
    case .matrix(let matrix): matrix.toRGB * components
    case .constantLuminance(let coding): coding.toRGB(components)
    case .iCtCp(let coding): coding.toRGB(components)
    }
  }
}
