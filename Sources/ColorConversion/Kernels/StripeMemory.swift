// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// The memory in which a stripe is converted: rows of numbers.
@safe
final class StripeMemory {
  /// How many rows of each chroma component are kept. The filter that halves the number of rows
  /// needs fewer.
  static let keptRows = 16
  private static let firstResult = 7 + 2 * keptRows
  private static let rowCount = firstResult + 3
  private static let margin = 16
  private static let scratchCount = PixelRun.scratchCount + margin

  private let memory: UnsafeMutablePointer<Float>
  private let rowLength: Int
  /// How many pixels a row has.
  let width: Int
  /// A row of pixels as it was read.
  let row: ComponentRows
  /// The same row after all operations.
  let result: ComponentRows

  /// Allocates memory for rows of `width` pixels.
  init(width: Int) {
    self.width = width
    // Kernels work in whole registers and filters reach beyond the ends, so rows are padded and
    // have room on both sides. Every row begins on a 64-byte boundary.
    rowLength = (width + 2 + 31) / 32 * 32 + 2 * Self.margin
    let count = rowLength * Self.rowCount + Self.scratchCount
    unsafe memory = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Float>.stride, alignment: 64
    ).bindMemory(to: Float.self, capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe doubts = .allocate(capacity: PixelRun.doubtCount)
    unsafe doubts.initialize(repeating: 0, count: PixelRun.doubtCount)
    let start = unsafe memory + Self.margin
    unsafe row = unsafe ComponentRows(x: start, y: start + rowLength, z: start + 2 * rowLength)
    let end = unsafe start + Self.firstResult * rowLength
    unsafe result = unsafe ComponentRows(x: end, y: end + rowLength, z: end + 2 * rowLength)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe doubts.deallocate()
  }

  /// Memory for numbers that are needed only for a moment.
  @unsafe var scratch: UnsafeMutablePointer<Float> { unsafe numbers(Self.rowCount) }
  /// Says how each pixel of a run is shifted toward its surroundings: first the slopes for all
  /// pixels, then the offsets for all pixels.
  @unsafe var shifts: UnsafeMutablePointer<Float> { unsafe scratch + PixelRun.shifts }
  /// A row of chroma with half as many samples as luma.
  @unsafe var half: UnsafeMutablePointer<Float> { unsafe numbers(3) }

  /// The number of doubtful pixels, then their positions.
  @unsafe let doubts: UnsafeMutablePointer<Int32>

  /// Returns the shift of a pixel in a run. If ``shifts`` was not written, this is
  /// `NormShift.none`.
  func shift(_ index: Int) -> NormShift {
    unsafe NormShift(
      slope: Double(shifts[index]), offset: Double(shifts[PixelRun.length + index]))
  }

  /// The rounding errors that the row above passes on, for each component.
  @unsafe
  func errors(_ component: Int) -> UnsafeMutablePointer<Float> { unsafe numbers(4 + component) }

  /// The chroma numbers that belong to a luma row of the result.
  @unsafe
  func kept(_ line: Int, component: Int) -> UnsafeMutablePointer<Float> {
    // A new row replaces the oldest row in this memory. No filter reaches back that far.
    unsafe numbers(7 + line % Self.keptRows * 2 + component - 1)
  }

  private func numbers(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + Self.margin + index * rowLength
  }

  /// Clears the rounding errors, as at the top of a frame.
  func clearErrors() {
    for component in 0..<3 {
      // Diffusion writes one number before the first, so the margin is cleared as well.
      unsafe (errors(component) - Self.margin).update(repeating: 0, count: rowLength)
    }
  }
}
