// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience
internal import RowOperations

/// The light that surrounds each pixel. Texture is averaged out, and edges stay. A guided filter is
/// applied to the norm, with the norm itself as the guide (He, Sun and Tang, "Guided Image
/// Filtering", 2013, section 3).
///
/// With the mean m and the variance v of a window of cells, the filter's result is
/// a · norm + (1 − a) · m, where a = v²/(v² + ε² · m⁴). The result is nearly the mean if the light
/// varies by much less than √ε of the mean, and nearly the norm itself at edges. For each cell, a
/// and (1 − a) · m are averaged over all windows that contain the cell.
struct Surroundings: Sendable {
  private let grid: CellGrid
  /// For each cell, the slope and the offset of the line from norms to their shifts.
  private let shifts: [SIMD2<Float>]

  /// The filter's ε: variations of 14 % of the mean become half as large.
  private static let edge = 0.02
  /// How many cells a window has on each side of its middle.
  private static let radius = 4

  /// - Parameters:
  ///   - sums: for each cell, row by row, the number of pixels, the sum of their norms, and the sum
  ///     of the norms' squares.
  ///   - map: the tone curve and its ``ToneMap/highlightDetail``.
  init(_ grid: CellGrid, sums: [SIMD3<Double>], _ map: ToneMap, _ curve: any KneeToneCurve) {
    self.grid = grid
    // The curve changes nothing below its knee, so texture there does not count.
    let least = curve.knee * curve.knee
    let filters = Self.windowSums(grid, sums).map { sum in
      let mean = sum.y / sum.x
      let variance = max(sum.z / sum.x - mean * mean, 0)
      // The paper does not square these two terms. Squared, they make the mean count less beside an
      // edge, where it would show as a halo.
      let (edge, texture) = (variance * variance, Self.edge * max(mean * mean, least))
      let kept = edge / (edge + texture * texture)
      return SIMD3(1, kept, (1 - kept) * mean)
    }
    shifts = Self.windowSums(grid, filters).map { sum in
      SIMD2(
        Float(map.highlightDetail * (sum.y / sum.x - 1)),
        Float(map.highlightDetail * sum.z / sum.x))
    }
  }

  /// Returns the sums over the window around each cell.
  private static func windowSums(_ grid: CellGrid, _ cells: [SIMD3<Double>]) -> [SIMD3<Double>] {
    // First across, then down: a window of 9 × 9 cells takes 18 additions, not 81.
    var across = cells
    for row in 0..<grid.rows {
      let start = row * grid.columns
      for column in 0..<grid.columns {
        let window = max(column - radius, 0)...min(column + radius, grid.columns - 1)
        across[start + column] = window.reduce(.zero) { $0 + cells[start + $1] }
      }
    }
    var sums = across
    for row in 0..<grid.rows {
      let window = max(row - radius, 0)...min(row + radius, grid.rows - 1)
      for column in 0..<grid.columns {
        sums[row * grid.columns + column] = window.reduce(.zero) {
          $0 + across[$1 * grid.columns + column]
        }
      }
    }
    return sums
  }

  /// Writes the shifts for pixels of a row.
  @unsafe
  func write(line: Int, columns: Range<Int>, _ memory: StripeMemory) {
    let (slopes, offsets) = unsafe (memory.shifts, memory.shifts + PixelRun.length)
    let (row, below) = CellGrid.place(line, grid.cellHeight, grid.rows)
    let first = row * grid.columns
    let second = min(row + 1, grid.rows - 1) * grid.columns
    for column in columns {
      // Shifts are interpolated between the middles of cells, so that borders of cells do not show.
      let (left, share) = CellGrid.place(column, grid.cellWidth, grid.columns)
      let right = min(left + 1, grid.columns - 1)
      let upper = shifts[first + left] + share * (shifts[first + right] - shifts[first + left])
      let lower = shifts[second + left] + share * (shifts[second + right] - shifts[second + left])
      let shift = upper + below * (lower - upper)
      unsafe slopes[column - columns.lowerBound] = shift.x
      unsafe offsets[column - columns.lowerBound] = shift.y
    }
  }
}

/// Divides a frame into cells of equal size. If the longer side has 480 pixels or more, there are
/// 240 to 360 cells along it. The last column and row of cells can be smaller.
struct CellGrid: Sendable {
  /// The width of a cell in pixels.
  let cellWidth: Int
  /// The height of a cell in pixel rows.
  let cellHeight: Int
  let columns: Int
  let rows: Int

  /// - Parameters:
  ///   - width: pixels in a row.
  ///   - height: pixel rows.
  ///   - step: how many of the frame's rows there are for each pixel row: 1, or 2 in fields.
  init(width: Int, height: Int, step: Int) {
    // A field has every second row of the same view, so its cells are half as high.
    let size = max(max(width, height * step) / 240, 2)
    (cellWidth, cellHeight) = (size, max(size / step, 1))
    columns = (width + cellWidth - 1) / cellWidth
    rows = (height + cellHeight - 1) / cellHeight
  }

  /// Returns the last cell whose middle is at or before a pixel, or the first cell if there is
  /// none. `share` is the distance from that middle to the pixel, 0…1 cells.
  static func place(_ pixel: Int, _ size: Int, _ count: Int) -> (cell: Int, share: Float) {
    let position = max((Float(pixel) + 0.5) / Float(size) - 0.5, 0)
    let cell = min(Int(position), count - 1)
    return (cell, min(position - Float(cell), 1))
  }
}
