// SPDX-License-Identifier: GPL-2.0-or-later
internal import RowOperations

/// A fixed pattern of thresholds without low frequencies, which the eye sees least: the same on
/// every machine and, at one place, in every order of the work.
enum BlueNoise {
  /// The side of the pattern.
  static let side = 64

  /// A run's thresholds from any column on: the pattern's row several times.
  private static let rowLength = PixelRun.length + side

  /// Thresholds to add to code values before they are rounded to nearest, for each row of the
  /// pattern, repeated as often as a run from any column needs. They are evenly spaced between −0.5
  /// and 0.5, and neither of these, so that whole code values stay.
  nonisolated(unsafe) static let thresholds: UnsafePointer<Float> = {
    let digits = ranks.utf8.filter { $0 != 10 }.map { Int($0) - ($0 > 57 ? 87 : 48) }
    return unsafe permanent(
      (0..<side).flatMap { row in
        (0..<rowLength).map { column in
          let place = 3 * (row * side + column % side)
          let rank = digits[place] << 8 | digits[place + 1] << 4 | digits[place + 2]
          return (Float(rank) + 0.5) / Float(side * side) - 0.5
        }
      })
  }()

  /// A run without a pattern: plain rounding to nearest.
  nonisolated(unsafe) static let zeros = unsafe permanent(
    [Float](repeating: 0, count: PixelRun.length))

  /// Numbers in memory that stays.
  private static func permanent(_ numbers: [Float]) -> UnsafePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: numbers.count)
    unsafe memory.initialize(from: numbers, count: numbers.count)
    return unsafe UnsafePointer(memory)
  }

  /// The place in ``thresholds`` where a row of a component begins. The chroma components have the
  /// pattern elsewhere, so that their noise is not that of luma.
  static func start(ofLine line: Int, component: Int) -> Int {
    let (row, column) = [(0, 0), (21, 43), (43, 21)][component]
    return ((line + row) % side) * rowLength + column
  }
}
