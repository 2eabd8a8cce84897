public import RowOperations

/// How many pixels go through all operations before the next: three components and a row of indices
/// stay in the first-level cache.
private var chunk: Int { 512 }

/// Runs operations over rows of pixels, in place.
///
/// - Parameters:
///   - x: the first component; rows begin on 64 bytes and are padded to whole registers.
///   - scratch: room for 512 numbers.
public func run(
  _ operations: UnsafePointer<RowOperation>, count: Int, x: UnsafeMutablePointer<Float>,
  y: UnsafeMutablePointer<Float>, z: UnsafeMutablePointer<Float>, width: Int,
  scratch: UnsafeMutablePointer<Float>
) {
  let rows = Rows(x: x, y: y, z: z)
  var start = 0
  while start < width {
    let end = start + chunk < width ? start + chunk : width
    let range = Range(uncheckedBounds: (start, end))
    var index = 0
    while index < count {
      run(operations + index, rows, range, scratch)
      index += 1
    }
    start = end
  }
}

private func run(
  _ operation: UnsafePointer<RowOperation>, _ rows: Rows, _ range: Range<Int>,
  _ scratch: UnsafeMutablePointer<Float>
) {
  switch operation.pointee {
  case .affine(let map): rows.map(range, Affine(map: map))
  case .curve(let curve): apply(curve, rows, range)
  case .gainByPower(let weights, let exponent, let scale):
    multiply(rows, byPowerOf: weights, exponent: exponent, scale: scale, range, scratch)
  case .gain(let norm, let gain): multiply(rows, by: gain, of: norm, range, scratch)
  case .desaturate(let weights, let knee):
    rows.map(range, Desaturate(weights: weights, knee: knee))
  case .compressChroma(let compression):
    rows.map(range, CompressChroma(compression: compression))
  case .limit: rows.map(range, Limit())
  case .differencesToComponents(let scales):
    rows.map(range, DifferencesToComponents(scales: scales))
  case .componentsToDifferences(let scales):
    rows.map(range, ComponentsToDifferences(scales: scales))
  case .cube(let table): interpolate(table, rows, range)
  }
}

private func apply(_ curve: Curve, _ rows: Rows, _ range: Range<Int>) {
  switch curve {
  case .power(let curve) where curve.toeEnd == 0:
    rows.map(range, PowerLogarithm(curve: curve))
    rows.map(range, PowerFromLogarithm(curve: curve))
  case .power(let curve): rows.map(range, PowerWithToe(curve: curve))
  case .pqToLight:
    rows.map(range, PQSignalLogarithm())
    rows.map(range, PQLightQuotient())
    rows.map(range, PQLight())
  case .pqToSignal:
    rows.map(range, PQLightLogarithm())
    rows.map(range, PQSignalFromLight())
    rows.map(range, Exponential())
  case .hlgToLight: rows.map(range, HLGToLight())
  case .hlgToSignal: rows.map(range, HLGToSignal())
  case .table(let table):
    look(up: rows.x, table, range)
    look(up: rows.y, table, range)
    look(up: rows.z, table, range)
  }
}
