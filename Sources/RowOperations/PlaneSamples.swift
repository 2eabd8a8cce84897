// SPDX-License-Identifier: GPL-2.0-or-later

// Single precision is exact for whole numbers up to 2²⁴. Sums of squares over a window stay exact
// only if samples are near 0, so the middle of all code values is subtracted before planes are
// compared.

/// The samples of a plane, for kernels that compare planes.
package struct PlaneSamples {
  /// The first sample of the first row.
  package var start: UnsafeRawPointer
  /// The distance from one row to the next, in bytes.
  package var bytesPerRow: Int
  /// Whether samples are 16-bit words; otherwise they are bytes.
  package var isWide: Bool
  /// The factor that converts samples to the depth in which planes are compared.
  package var weight: Float

  /// Wraps memory that the caller keeps.
  package init(start: UnsafeRawPointer, bytesPerRow: Int, isWide: Bool, weight: Float = 1) {
    self.start = start
    self.bytesPerRow = bytesPerRow
    self.isWide = isWide
    self.weight = weight
  }
}

/// The size of two planes to compare, and what SSIM needs to know about their depth.
package struct PlaneShape: Sendable {
  /// Samples per row.
  package var width: Int
  /// The number of rows.
  package var height: Int
  /// The middle of all code values, which is subtracted from samples.
  package var middle: Float
  /// SSIM's constants C1 and C2 for this depth.
  package var constants: SIMD2<Float>

  package init(width: Int, height: Int, middle: Float, constants: SIMD2<Float>) {
    self.width = width
    self.height = height
    self.middle = middle
    self.constants = constants
  }

  /// How many rows or columns there are from one of SSIM's windows to the next.
  @_transparent package static var step: Int { 4 }

  /// How many numbers a row takes in memory, rounded up to whole registers.
  @_transparent package var rowLength: Int { (width &+ 31) / 32 &* 32 }

  /// How many bands of ``step`` rows the planes have.
  @_transparent package var bandCount: Int { height / Self.step }

  /// How much memory kernels need, counted in floating-point numbers: for rows of both planes, and
  /// for sums of columns and blocks.
  package var memoryCount: Int { 16 * rowLength + 64 }
}

/// The difference of two planes, as sums.
package struct PlaneDifference: Sendable {
  /// Sum of the squares of all differences.
  package var squares = 0.0
  /// Sum of the similarities of all windows.
  package var similarity = 0.0
  /// How many windows were compared.
  package var windowCount = 0

  /// The difference before anything is compared: all sums are 0.
  package init() {}

  /// Adds the differences of other parts of the planes.
  package static func += (sum: inout PlaneDifference, part: PlaneDifference) {
    sum.squares += part.squares
    sum.similarity += part.similarity
    sum.windowCount += part.windowCount
  }
}
