// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// Precision of the curves that kernels compute: what the depth of the result leaves them.
///
/// A sample may be half a code value off, which is rounding, and 0.05 more. That is 5.7e-5 of a
/// signal of 10 bits, of which curves take a third at most; what is left of a component where
/// others are much brighter is for ``PrecisionDoubt``. More bits leave next to nothing: they get
/// what single precision has. `CurvePrecisionTests` measures these errors:
///
/// | largest error                    | up to 10 bits | more |
/// |---|---|---|
/// | light by a power, of itself      | 4e-7          | 4e-7 |
/// | a signal by a power, of itself   | 2e-5          | 4e-7 |
/// | HLG's light, of itself           | 5e-6          | 1e-6 |
/// | PQ's signal, of its range        | 1e-5          | 1e-6 |
/// | a tone curve's gain, of itself   | 2e-5          | 2e-6 |
enum CurvePrecision: CaseIterable {
  /// Enough for samples of 10 bits and less.
  case tenBits
  /// Single precision.
  case full

  /// The precision for frames of a format.
  init(_ format: PixelFormat) {
    self = format.bitDepth <= 10 && format.layout != .halfRGBA ? .tenBits : .full
  }

  /// Degree of a power's polynomial, over an octave. Light is mixed, and what is left of a
  /// component then can be small: powers that lead to light are precise.
  func powerDegree(exponent: Double) -> Int {
    switch self {
    case .tenBits: exponent > 1 ? 6 : 4
    case .full: 7
    }
  }

  /// Degree of the polynomials for PQ's signal.
  var pqDegree: Int { self == .tenBits ? 3 : 5 }

  /// Degree of the polynomials for a tone curve, which bends within a tenth above its knee.
  var toneDegree: Int { self == .tenBits ? 5 : 7 }
}
