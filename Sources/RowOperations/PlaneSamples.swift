// SPDX-License-Identifier: GPL-2.0-or-later

/// The samples of a plane, as kernels that compare planes read them.
package struct PlaneSamples {
  /// The first sample of the first row.
  package var start: UnsafeRawPointer
  /// The distance from one row to the next, in bytes.
  package var bytesPerRow: Int
  /// True for words of 16 bits, false for bytes.
  package var isWide: Bool
  /// Factor of a sample, so that both planes have the same depth.
  package var weight: Float

  /// Samples over memory that the caller keeps.
  package init(start: UnsafeRawPointer, bytesPerRow: Int, isWide: Bool, weight: Float = 1) {
    self.start = start
    self.bytesPerRow = bytesPerRow
    self.isWide = isWide
    self.weight = weight
  }
}

/// The size of two planes that are compared, and what SSIM needs to know of their depth.
package struct PlaneShape: Sendable {
  /// Samples in a row.
  package var width: Int
  /// Rows.
  package var height: Int
  /// The middle of all code values, which is taken away so that sums of squares stay exact.
  package var middle: Float
  /// C1 and C2 of SSIM.
  package var constants: SIMD2<Float>

  /// A shape from its parts.
  package init(width: Int, height: Int, middle: Float, constants: SIMD2<Float>) {
    self.width = width
    self.height = height
    self.middle = middle
    self.constants = constants
  }

  /// Rows of a step of SSIM's windows, and columns.
  @_transparent package static var step: Int { 4 }

  /// The numbers that a row takes in memory, whole registers.
  @_transparent package var rowLength: Int { (width &+ 31) / 32 &* 32 }

  /// Bands of ``step`` rows.
  @_transparent package var bandCount: Int { height / Self.step }

  /// Numbers that kernels need memory for: rows of both planes, sums of columns and of blocks.
  package var memoryCount: Int { 16 * rowLength + 64 }
}

/// Difference of two planes, as sums.
package struct PlaneDifference: Sendable {
  /// The squares of all differences, added.
  package var squares = 0.0
  /// The similarities of all windows, added.
  package var similarity = 0.0
  /// The windows.
  package var windowCount = 0

  /// No difference of nothing.
  package init() {}

  /// Adds the differences of other parts of the planes.
  package static func += (sum: inout PlaneDifference, part: PlaneDifference) {
    sum.squares += part.squares
    sum.similarity += part.similarity
    sum.windowCount += part.windowCount
  }
}
