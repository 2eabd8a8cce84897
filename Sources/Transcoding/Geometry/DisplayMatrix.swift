internal import CodePoints
internal import MediaCore

/// The transformation matrix of `tkhd` (ISO/IEC 14496-12, 8.3.2): a, b, u, c, d, v, x, y, w.
enum DisplayMatrix {
  /// The matrix for pictures of another size: what was moved by a width is moved by the new width.
  ///
  /// A quarter turn moves by the height across and by the width down.
  static func scaled(
    _ matrix: [Int32], from old: VideoDimensions, to new: VideoDimensions
  ) -> [Int32] {
    guard matrix.count == 9, old != new, old.width > 0, old.height > 0 else { return matrix }
    let across = Double(new.width) / Double(old.width)
    let down = Double(new.height) / Double(old.height)
    let isQuarterTurn = matrix[0] == 0 && matrix[4] == 0
    var result = matrix
    func scale(_ value: Int32, _ factor: Double) -> Int32 {
      Int32(exactly: (Double(value) * factor).rounded()) ?? value
    }
    result[6] = scale(matrix[6], isQuarterTurn ? down : across)
    result[7] = scale(matrix[7], isQuarterTurn ? across : down)
    return result
  }
}
