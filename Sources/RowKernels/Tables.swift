import RowOperations

/// Replaces numbers by a table's values for them. A number's first bits, which are its exponent and
/// the beginning of its mantissa, tell its piece.
func look(
  up row: UnsafeMutablePointer<Float>, _ operation: UnsafePointer<RowOperation>,
  _ range: Range<Int>
) {
  let table = operation.pointee.curve
  guard let start = table.pieces else { return }
  let first = Int(table.minimum.bitPattern &>> CurveTable.fractionBits)
  let pieces = start - first
  let negativeGain = table.negativeScale > 0 ? -1 / table.negativeScale : 1
  for index in range {
    let number = row[index] * table.scale
    let size = number < 0 ? -number * table.negativeScale : number
    let low = size > table.minimum ? size : table.minimum
    let limited = low < table.maximum ? low : table.maximum
    let piece = pieces[Int(limited.bitPattern &>> CurveTable.fractionBits)]
    let above = multiplyAdd(limited, piece.y, piece.x)
    let value = size < table.minimum ? table.valueAtZero : above
    row[index] = number < 0 ? value * negativeGain : value
  }
}
