// SPDX-License-Identifier: GPL-2.0-or-later
/// Maps one component of the base layer. The curve has pivots, and a piece between each pair of
/// neighboring pivots.
package struct ReshapingCurve: Hashable, Sendable {
  /// `pred_pivot_value`: 2 to 9 numbers in the base layer's bit depth. The first is a pivot, the
  /// others are distances from the previous pivot.
  package var predPivotValue: [UInt16]
  /// The pieces, one fewer than there are pivots.
  package var pieces: [MappingPiece]

  /// Makes a curve from the coded pivots and the pieces.
  package init(predPivotValue: [UInt16], pieces: [MappingPiece]) {
    self.predPivotValue = predPivotValue
    self.pieces = pieces
  }

  /// The pivots as code values of the base layer.
  package var pivots: [Int] {
    var sum = 0
    return predPivotValue.map { difference in
      sum += Int(difference)
      return sum
    }
  }
}

extension ReshapingCurve {
  mutating func codePivots(
    _ coder: inout some SyntaxCoder, bitDepth: Int
  ) throws(DolbyVisionError) {
    var countMinus2 = predPivotValue.count - 2
    try coder.ue(&countMinus2, "num_pivots_minus2", in: 0...7)
    try coder.list(&predPivotValue, of: countMinus2 + 2, bits: bitDepth, "pred_pivot_value")
  }

  mutating func codePieces(
    _ coder: inout some SyntaxCoder, _ fractionBits: Int?
  ) throws(DolbyVisionError) {
    let count = predPivotValue.count - 1
    try coder.resize(&pieces, to: count, with: .polynomial([]), "rpu_data_mapping_param")
    for index in pieces.indices {
      try pieces[index].code(&coder, fractionBits, isLast: index == count - 1)
    }
  }
}
