// SPDX-License-Identifier: GPL-2.0-or-later
/// Crossing of a gamut's boundary by a path from inside to outside.
enum GamutBoundary {
  /// Smallest distance of a color's components from the limits 0 and 1: negative outside.
  static func margin(_ color: Triple) -> Double { min(color.min(), 1 - color.max()) }

  /// The last share of a path, from 0 to `end`, whose color is inside.
  ///
  /// - Parameter margin: the distance of the path's color from the limits, at least 0 at 0 and
  ///   negative at `end`.
  /// - Returns: by regula falsi (Illinois), to about 1e-9 of the path.
  static func crossing(end: Double, _ margin: (Double) -> Double) -> Double {
    var (low, high) = (0.0, end)
    var (lowMargin, highMargin) = (margin(low), margin(high))
    guard lowMargin > 0, highMargin < 0 else { return highMargin < 0 ? low : high }
    var side = 0
    for _ in 0..<60 where high - low > 1e-9 {
      let share = (low * highMargin - high * lowMargin) / (highMargin - lowMargin)
      let value = margin(share)
      if value >= 0 {
        (low, lowMargin) = (share, value)
        if value < 1e-10 { break }
        if side == 1 { highMargin *= 0.5 }
        side = 1
      } else {
        (high, highMargin) = (share, value)
        if side == -1 { lowMargin *= 0.5 }
        side = -1
      }
    }
    return low
  }
}
