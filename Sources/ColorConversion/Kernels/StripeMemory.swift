// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// Three rows of numbers: the components of a row of pixels.
@unsafe
struct PixelRow {
  let x: UnsafeMutablePointer<Float>
  let y: UnsafeMutablePointer<Float>
  let z: UnsafeMutablePointer<Float>
  let count: Int
}

/// The rows of numbers that a stripe is worked in. Rows begin on 64 bytes, are padded to whole
/// registers and have room before and after for a filter's reach.
@safe
final class StripeMemory {
  /// Number of rows that are kept: more than the filter that halves rows reaches over.
  static let keptRows = 16
  private static let firstResult = 7 + 2 * keptRows
  private static let rowCount = firstResult + 3
  private static let margin = 16
  private static let scratchCount = PixelRun.scratchCount + margin

  private let memory: UnsafeMutablePointer<Float>
  private let rowLength: Int
  /// A row of pixels as it was read.
  let row: PixelRow
  /// The same row after all operations.
  let result: PixelRow

  /// Memory for rows of `width` pixels.
  init(width: Int) {
    rowLength = (width + 2 + 31) / 32 * 32 + 2 * Self.margin
    let count = rowLength * Self.rowCount + Self.scratchCount
    unsafe memory = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Float>.stride, alignment: 64
    ).bindMemory(to: Float.self, capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe doubts = .allocate(capacity: PixelRun.doubtCount)
    unsafe doubts.initialize(repeating: 0, count: PixelRun.doubtCount)
    let start = unsafe memory + Self.margin
    unsafe row = unsafe PixelRow(
      x: start, y: start + rowLength, z: start + 2 * rowLength, count: width)
    let end = unsafe start + Self.firstResult * rowLength
    unsafe result = unsafe PixelRow(
      x: end, y: end + rowLength, z: end + 2 * rowLength, count: width)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe doubts.deallocate()
  }

  /// Room for numbers that are needed for a moment.
  @unsafe var scratch: UnsafeMutablePointer<Float> { unsafe numbers(Self.rowCount) }
  /// The slopes of pixels' shifts toward their surroundings, for the pixels of a run, and behind
  /// them the offsets.
  @unsafe var shifts: UnsafeMutablePointer<Float> { unsafe scratch + PixelRun.shifts }
  /// Half a row of chroma.
  @unsafe var half: UnsafeMutablePointer<Float> { unsafe numbers(3) }

  /// Number of pixels for which operations are in doubt, and their positions.
  @unsafe let doubts: UnsafeMutablePointer<Int32>

  /// The shift of a pixel of a run; none where nothing was written.
  func shift(_ index: Int) -> NormShift {
    unsafe NormShift(
      slope: Double(shifts[index]), offset: Double(shifts[PixelRun.length + index]))
  }

  /// Rest that rounding left in the row above, for each component.
  @unsafe
  func errors(_ component: Int) -> UnsafeMutablePointer<Float> { unsafe numbers(4 + component) }

  /// The chroma numbers that belong to a luma row of the result.
  @unsafe
  func kept(_ line: Int, component: Int) -> UnsafeMutablePointer<Float> {
    unsafe numbers(7 + line % Self.keptRows * 2 + component - 1)
  }

  private func numbers(_ index: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + Self.margin + index * rowLength
  }

  /// Forgets what rounding left.
  func clearErrors() {
    for component in 0..<3 {
      unsafe (errors(component) - Self.margin).update(repeating: 0, count: rowLength)
    }
  }
}
