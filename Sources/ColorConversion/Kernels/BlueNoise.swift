// SPDX-License-Identifier: GPL-2.0-or-later
internal import RowOperations

// Blue noise has no low frequencies, so the eye sees it least. It depends on the place alone, so
// results are the same on every machine, on any number of threads and in every order of the work.

/// A fixed pattern of thresholds for dither.
enum BlueNoise {
  /// The side of the pattern, in samples.
  static let side = 64

  /// A run may begin at any column, so a row of the pattern is repeated that far.
  private static let rowLength = PixelRun.length + side

  /// Thresholds to add to code values before rounding to nearest, for each row of the pattern.
  nonisolated(unsafe) static let thresholds: UnsafePointer<Float> = {
    let digits = ranks.utf8.filter { $0 != 10 }.map { Int($0) - ($0 > 57 ? 87 : 48) }
    return unsafe permanent(
      (0..<side).flatMap { row in
        (0..<rowLength).map { column in
          let place = 3 * (row * side + column % side)
          let rank = digits[place] << 8 | digits[place + 1] << 4 | digits[place + 2]
          // Strictly between −0.5 and 0.5, so that whole code values stay as they are.
          return (Float(rank) + 0.5) / Float(side * side) - 0.5
        }
      })
  }()

  /// A run without a pattern, for plain rounding to nearest.
  nonisolated(unsafe) static let zeros = unsafe permanent(
    [Float](repeating: 0, count: PixelRun.length))

  private static func permanent(_ numbers: [Float]) -> UnsafePointer<Float> {
    // The pattern is needed until the process ends, so nobody frees it.
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: numbers.count)
    unsafe memory.initialize(from: numbers, count: numbers.count)
    return unsafe UnsafePointer(memory)
  }

  /// Returns where in ``thresholds`` a row of a component begins.
  static func start(ofLine line: Int, component: Int) -> Int {
    // Chroma has the pattern elsewhere, so that its noise differs from luma's.
    let (row, column) = [(0, 0), (21, 43), (43, 21)][component]
    return ((line + row) % side) * rowLength + column
  }
}
