// SPDX-License-Identifier: GPL-2.0-or-later
/// A step from a pixel's norm toward the norm of what surrounds it: slope · norm + offset, in
/// cd/m².
///
/// A tone curve takes its gain from the norm after this step, and multiplies the pixel by it. It
/// counts in full from twice the curve's knee on, and not at all below the knee, in a line between.
package struct NormShift: Hashable, Sendable {
  /// The factor of the norm, −1…0.
  package let slope: Double
  /// The summand, in cd/m².
  package let offset: Double

  /// No step.
  package static let none = NormShift(slope: 0, offset: 0)

  /// A step.
  package init(slope: Double, offset: Double) {
    (self.slope, self.offset) = (slope, offset)
  }
}
