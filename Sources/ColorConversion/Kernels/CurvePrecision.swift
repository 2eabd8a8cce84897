// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

// A sample may be off by half a code value from rounding, and by another 0.05 from everything else.
// This 0.05 is 2.3e-4 of the signal at 8 bits and 5.7e-5 at 10 bits. Curves use less than two
// thirds of this allowance at 8 bits, and less than half at 10 bits. At higher depths, the
// allowance is next to nothing, so curves have full single precision. `PrecisionDoubt` handles
// components that are much darker than the brightest component of their pixel.

/// How precise the curves of kernels are, which depends on the depth of the result.
/// `CurvePrecisionTests` measures these errors:
///
/// | largest error                               | up to 8 bits | up to 10 | more |
/// |---|---|---|---|
/// | light computed with a power, relative       | 4e-7         | 4e-7     | 4e-7 |
/// | a signal computed with a power, relative    | 1.2e-4       | 2e-5     | 4e-7 |
/// | HLG's light, relative                       | 5e-6         | 5e-6     | 1e-6 |
/// | PQ's signal, as a part of its range         | 1e-5         | 1e-5     | 1e-6 |
/// | a tone curve's gain, relative               | 6e-5         | 1e-5     | 2e-6 |
enum CurvePrecision: CaseIterable {
  /// For samples of 8 bits.
  case eightBits
  /// For samples of at most 10 bits.
  case tenBits
  /// As precise as single precision allows.
  case full

  /// Chooses the precision for frames of a format.
  init(_ format: PixelFormat) {
    switch format.bitDepth {
    case ...8: self = .eightBits
    // Half floats hold light, whose errors a later curve would magnify.
    case ...10 where format.layout != .halfRGBA: self = .tenBits
    default: self = .full
    }
  }

  /// Returns the degree of the polynomial that computes a power over an octave.
  func powerDegree(exponent: Double) -> Int {
    // Powers with exponents above 1 turn signals into light. A matrix then mixes the components. If
    // they nearly cancel out, a small error is large beside the result. So these powers are precise
    // at every depth.
    switch self {
    case .eightBits: exponent > 1 ? 6 : 3
    case .tenBits: exponent > 1 ? 6 : 4
    case .full: 7
    }
  }

  /// The degree of the polynomials for PQ's signal.
  var pqDegree: Int { self == .full ? 5 : 4 }

  /// The degree of the polynomials for a tone curve.
  var toneDegree: Int {
    switch self {
    case .eightBits: 5
    case .tenBits: 6
    case .full: 7
    }
  }
}
