// SPDX-License-Identifier: GPL-2.0-or-later
/// Mapping of one component of the base layer: pivots, and one piece between each two.
package struct ReshapingCurve: Hashable, Sendable {
  /// `pred_pivot_value`, 2 to 9 numbers of the base layer's bit depth: the first pivot, and the
  /// distance of each other from the one before.
  package var predPivotValue: [UInt16]
  /// One piece less than pivots.
  package var pieces: [MappingPiece]

  /// A curve from its pivots' differences and its pieces.
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
    _ coder: inout some SyntaxCoder, _ format: CoefficientFormat
  ) throws(DolbyVisionError) {
    let count = predPivotValue.count - 1
    try coder.resize(&pieces, to: count, with: .polynomial([]), "rpu_data_mapping_param")
    for index in pieces.indices {
      try pieces[index].code(&coder, format, isLast: index == count - 1)
    }
  }
}
