// SPDX-License-Identifier: GPL-2.0-or-later

/// Maps a track's frames to the image that viewers see, as `CGAffineTransform` does: the point
/// (x, y) is shown at (a·x + c·y + tx, b·x + d·y + ty), in luma samples from the upper left corner.
public struct TrackTransform: Hashable, Sendable {
  /// The six numbers: a, b, c and d turn, mirror and scale; tx and ty move.
  public var a, b, c, d, tx, ty: Double

  /// Makes a transform from its numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The transform that changes nothing.
  public static let identity = TrackTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Makes the transform of a matrix in `tkhd` (ISO/IEC 14496-12, 8.3.2). Its numbers are in 16.16
  /// fixed point, except those of the last column, which are in 2.30. Returns `nil` unless there
  /// are nine numbers.
  package init?(matrix: [Int32]) {
    guard matrix.count == 9 else { return nil }
    func number(_ index: Int) -> Double { Double(matrix[index]) / 65_536 }
    self.init(
      a: number(0), b: number(1), c: number(3), d: number(4), tx: number(6), ty: number(7))
  }

  /// The matrix for `tkhd`. Numbers that do not fit become the nearest numbers that fit.
  package var matrix: [Int32] {
    func fixed(_ number: Double) -> Int32 {
      let scaled = (number * 65_536).rounded()
      return scaled.isNaN ? 0 : Int32(min(max(scaled, Double(Int32.min)), Double(Int32.max)))
    }
    return [fixed(a), fixed(b), 0, fixed(c), fixed(d), 0, fixed(tx), fixed(ty), 1 << 30]
  }
}
