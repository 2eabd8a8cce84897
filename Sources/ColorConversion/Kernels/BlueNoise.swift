// SPDX-License-Identifier: GPL-2.0-or-later
internal import RowOperations

// Blue noise has no low frequencies, so the eye sees it less than other noise. The pattern depends
// only on a sample's place, so results are the same on every machine, with any number of threads
// and in any order of the work.

/// A fixed pattern of thresholds for dither.
enum BlueNoise {
  /// The side of the pattern, in samples.
  static let side = 64
  /// The distance between the lowest and the highest threshold, in code values. With 1, the steps
  /// that rounding makes in gradients would be hidden completely. With about a third, steps become
  /// short ramps, which are invisible, too. A third also keeps more of the texture in highlights
  /// than 1 would, and lossy encoders need fewer bits.
  static let amplitude: Float = 0.35

  /// The length to which each row of the pattern is repeated, because a run of pixels may begin at
  /// any of its columns.
  private static let rowLength = PixelRun.length + side

  /// Thresholds to add to code values before rounding to nearest, for each row of the pattern.
  nonisolated(unsafe) static let thresholds: UnsafePointer<Float> = {
    let digits = ranks.utf8.filter { $0 != 10 }.map { Int($0) - ($0 > 57 ? 87 : 48) }
    return unsafe permanent(
      (0..<side).flatMap { row in
        (0..<rowLength).map { column in
          let place = 3 * (row * side + column % side)
          let rank = digits[place] << 8 | digits[place + 1] << 4 | digits[place + 2]
          return amplitude * ((Float(rank) + 0.5) / Float(side * side) - 0.5)
        }
      })
  }()

  /// Thresholds of 0 for a run of pixels, for plain rounding to nearest.
  nonisolated(unsafe) static let zeros = unsafe permanent(
    [Float](repeating: 0, count: PixelRun.length))

  private static func permanent(_ numbers: [Float]) -> UnsafePointer<Float> {
    // The pattern is needed until the process ends, so it is never freed.
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: numbers.count)
    unsafe memory.initialize(from: numbers, count: numbers.count)
    return unsafe UnsafePointer(memory)
  }

  /// Returns where in ``thresholds`` a row of a component begins.
  static func start(ofLine line: Int, component: Int) -> Int {
    // The pattern is shifted differently for each component, so that their noise differs.
    let (row, column) = [(0, 0), (21, 43), (43, 21)][component]
    return ((line + row) % side) * rowLength + column
  }
}
