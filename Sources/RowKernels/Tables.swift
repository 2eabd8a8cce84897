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
    let number = row[index]
    let size = number < 0 ? -number * table.negativeScale : number
    let low = size > table.minimum ? size : table.minimum
    let limited = low < table.maximum ? low : table.maximum
    let piece = pieces[Int(limited.bitPattern &>> CurveTable.fractionBits)]
    let above = multiplyAdd(limited, piece.y, piece.x)
    let value = size < table.minimum ? table.valueAtZero : above
    row[index] = number < 0 ? value * negativeGain : value
  }
}

/// Replaces pixels by a cube's values for them: each cell is cut into six tetrahedra along its gray
/// diagonal, so that neutral colors depend on neutral entries alone.
func interpolate(
  _ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>
) {
  let table = operation.pointee.cube
  guard let entries = table.entries else { return }
  let last = Float(table.side - 1)
  let steps = SIMD4<Int>(table.side * table.side, table.side, 1, 0)
  let highest = table.side - 2
  for index in range {
    let x = position(rows.x[index], last)
    let y = position(rows.y[index], last)
    let z = position(rows.z[index], last)
    let i = Int(x) < highest ? Int(x) : highest
    let j = Int(y) < highest ? Int(y) : highest
    let k = Int(z) < highest ? Int(z) : highest
    let (u, v, w) = (x - Float(i), y - Float(j), z - Float(k))
    let corner = entries + (i * steps.x + j * steps.y + k)
    // From the corner along the axis of the largest fraction, then of the middle one.
    let first = u >= v ? (u >= w ? steps.x : 1) : (v >= w ? steps.y : 1)
    let third = u < v ? (u < w ? steps.x : 1) : (v < w ? steps.y : 1)
    let all = steps.x + steps.y + 1
    let a = number(corner[0])
    let b = number(corner[first])
    let c = number(corner[all - third])
    let d = number(corner[all])
    let (high, low) = (u > v ? u : v, u < v ? u : v)
    let largest = high > w ? high : w
    let smallest = low < w ? low : w
    let middle = high < w ? high : (low > w ? low : w)
    var sum = a * (1 - largest) + b * (largest - middle)
    sum += c * (middle - smallest) + d * smallest
    sum = sum * table.step
    rows.x[index] = sum.x
    rows.y[index] = sum.y
    rows.z[index] = sum.z
  }
}

@_transparent
private func position(_ value: Float, _ last: Float) -> Float {
  let scaled = value * last
  let low = scaled > 0 ? scaled : 0
  return low < last ? low : last
}

/// An entry's integers as numbers.
@_transparent
private func number(_ entry: SIMD4<UInt16>) -> SIMD4<Float> {
  SIMD4(Float(entry.x), Float(entry.y), Float(entry.z), Float(entry.w))
}
